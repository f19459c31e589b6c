// Preconditioner of conjugate gradients: mass over squared step plus stiffness at rest, for one step length.
// For small bodies a complete factor of the stiffness, rotated with every particle. For large bodies, and
// where a complete factor would not be reused, the sum of two: an incomplete factor of the stiffness of one
// scalar displacement, the same for all axes, for short range, and the complete stiffness on a coarse grid
// for long range. Theory: docs/theory/elastic.md
#ifndef MOTE_ELASTIC_FACTOR_H
#define MOTE_ELASTIC_FACTOR_H

#include <mote/numeric.h>

#include "elastic/elastic_coarse.h"
#include "elastic/elastic_external.h"
#include "num/incomplete.h"

typedef struct mote_elastic_factor {
  const mote_elastic *body;
  int wide;  // unknowns per particle: its axes, with factor and lanes; or 1, with incomplete and coarse
  mote_cholesky *factor;
  mote_cholesky_lanes *lanes;
  mote_incomplete *incomplete;
  mote_elastic_coarse coarse;
  bool made;                         // for what follows
  double step;                       // rounded step length of the factor, s; 0: none yet
  uint8_t *held;                     // particles held in the factor
  mote_elastic_block *block, *next;  // of contact in the factor; buffer
  size_t blocks, block_capacity, next_capacity;
  size_t *first;  // matrix: lower triangle by columns
  uint32_t *row;
  double *stiffness, *value;  // at rest; with masses, as factorised
  size_t row_capacity, stiffness_capacity, value_capacity;
  double *turn, *turned;  // rotations of the particles; scratch: rotated right-hand side
} mote_elastic_factor;

// The width that suits steps of this length; alone: no possible contact.
int mote_elastic_factor_width(const mote_elastic *body, double step, bool alone);
mote_result mote_elastic_factor_init(mote_elastic_factor *factor, mote_elastic *body, int wide,
                                     mote_error *error);
// No effect on a zeroed struct.
void mote_elastic_factor_end(mote_elastic_factor *factor);

// The factor is to be that of M/step^2 + K without the held particles (null: none).
void mote_elastic_factor_set(mote_elastic_factor *factor, double step, const uint8_t *held);
// Factorises that and the ties, of which `first` is the body's first particle, where no such factor
// exists. Reads the rotations.
mote_result mote_elastic_factor_make(mote_elastic_factor *factor, const mote_elastic_tie *tie, size_t ties,
                                     size_t first, mote_error *error);
// Whether the factor is for this step length, after rounding.
bool mote_elastic_factor_is(const mote_elastic_factor *factor, double step);
// Sets the rotations of the particles from the last evaluated positions (reads body->fit).
void mote_elastic_factor_turn(mote_elastic_factor *factor);
// Of particle i along an axis, without ties, N/m.
double mote_elastic_factor_diagonal(const mote_elastic_factor *factor, size_t i);
void mote_elastic_factor_solve(mote_elastic_factor *factor, const double *in, double *out);

#endif
