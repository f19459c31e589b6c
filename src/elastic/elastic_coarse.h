// A large body seen from afar: displacements that are linear along each axis between the nodes of a coarse
// grid, the whole stiffness at rest and the masses of these (Galerkin), factorised. It knows what incomplete
// factors do not, how the body bends and turns as a whole. Theory: docs/theory/solids.md
#ifndef MOTE_ELASTIC_COARSE_H
#define MOTE_ELASTIC_COARSE_H

#include "elastic/elastic_body.h"
#include "num/cholesky_lanes.h"

typedef struct mote_elastic_coarse {
  const mote_elastic *body;  // null: not made
  mote_arena memory;
  int corners;      // of a cell
  size_t nodes;     // that move a particle
  uint32_t *node;   // of every particle's corners,
  float *weight;    // and how much of each it has; 0 where it is held
  size_t *first;    // of the particles of every node
  uint32_t *place;  // in the two arrays above, particle after particle
  mote_cholesky *factor;
  mote_cholesky_lanes *lanes;
  double *vector;  // of the nodes
} mote_elastic_coarse;

// Of M/step^2 + K, without what is held (null: nothing is). What was there is ended first.
mote_result mote_elastic_coarse_make(mote_elastic_coarse *coarse, const mote_elastic *body, double step,
                                     const uint8_t *held, mote_error *error);
void mote_elastic_coarse_end(mote_elastic_coarse *coarse);
// Adds to `out` what the nodes answer to `in`: Z E^-1 Z^T, Z turned with every particle (nine numbers each).
// `rest`: three numbers to a particle, overwritten.
void mote_elastic_coarse_add(mote_elastic_coarse *coarse, const double *turn, const double *in, double *rest,
                             double *out);

#endif
