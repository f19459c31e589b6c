// The matrix of second derivatives, dense or sparse, and its factor: docs/theory/deformation.md, "Solver".
#ifndef MOTE_DEFORM_SYSTEM_H
#define MOTE_DEFORM_SYSTEM_H

#include <mote/numeric.h>

#include "deform/deform_data.h"

#define MOTE_DEFORM_DENSE_MAX 300  // nodes

struct mote_deform_system {
  mote_env env;
  mote_arena memory;   // what does not depend on handles
  mote_arena pattern;  // what does, sparse only
  size_t unknowns;
  double *gradient, *step, *trial;  // of the solver
  double *history;                  // of L-BFGS, allocated with its first use
  // Dense: rows of the lower triangle, `stride` apart, and four numbers beyond.
  size_t stride;
  double *matrix;
  // Sparse: lower triangle by columns (mote_sparse). Nodes coupled with node b are
  // coupled[coupled_first[b]] ..., ascending from b itself.
  bool known;  // the pattern is that of the handles
  uint32_t *coupled_first, *coupled,
      *slot;  // slot: where pairs of samples' and handles' entries go, in order
  size_t *first;
  uint32_t *row;
  double *value;
  mote_cholesky *factor;
};

mote_result mote_deform_system_create(const mote_deform *deform, mote_deform_system **out, mote_error *error);
void mote_deform_system_destroy(mote_deform_system *system);
// Handles have changed.
void mote_deform_system_forget(mote_deform_system *system);
// Makes the pattern where it is not known: the only allocation of a solve.
mote_result mote_deform_system_prepare(mote_deform *deform, mote_error *error);

// Second derivatives with the nodes displaced by u, exact or without the negative parts of the samples'.
void mote_deform_assemble(mote_deform *deform, const double *u, bool positive);
// Factorises after adding a small part of the mean diagonal; false where the matrix is not positive definite.
bool mote_deform_factorise(mote_deform *deform, double part);
void mote_deform_back_substitute(const mote_deform *deform, double *x);

#endif
