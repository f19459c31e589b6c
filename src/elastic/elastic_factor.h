// What conjugate gradients on a stiffness begin with: the masses over the step's square and the stiffness at
// rest, for a step's length. Of small bodies that is the whole stiffness, factorised, turned with every
// particle. Of large ones, and where that factor would not last, it is an incomplete factor of the stiffness
// of one scalar displacement, the same for all axes, which knows what is near, and the whole stiffness on a
// coarse grid, which knows the rest, side by side: P^-1 is the sum of both. Theory: docs/theory/solids.md
#ifndef MOTE_ELASTIC_FACTOR_H
#define MOTE_ELASTIC_FACTOR_H

#include <mote/numeric.h>

#include "elastic/elastic_coarse.h"
#include "num/incomplete.h"

typedef struct mote_elastic_factor {
  const mote_elastic *body;
  int wide;  // unknowns of a particle: its axes, and the first pair below serves; or 1, and the second does
  mote_cholesky *factor;
  mote_cholesky_lanes *lanes;
  mote_incomplete *near;
  mote_elastic_coarse coarse;
  double step;    // about that for which the factor is, 0: there is none,
  uint8_t *held;  // and these
  size_t *first;  // the matrix: lower triangle by columns
  uint32_t *row;
  double *stiff, *value;  // at rest; and with masses, as it is factorised
  size_t row_held, stiff_held, value_held;
  double *turn, *turned;  // rotations of the particles; a right-hand side without them
} mote_elastic_factor;

// The width that serves steps of such a length best; alone: where nothing is near that could touch the body.
int mote_elastic_factor_width(const mote_elastic *body, double step, bool alone);
mote_result mote_elastic_factor_init(mote_elastic_factor *factor, mote_elastic *body, int wide,
                                     mote_error *error);
// Nothing where it was not begun (all 0).
void mote_elastic_factor_end(mote_elastic_factor *factor);

// Of M/step^2 + K, without what is held (null: nothing is). Nothing when it is there.
mote_result mote_elastic_factor_set(mote_elastic_factor *factor, double step, const uint8_t *held,
                                    mote_error *error);
// Whether it is for steps of about such a length.
bool mote_elastic_factor_is(const mote_elastic_factor *factor, double step);
// Turned as the particles are at the positions whose forces were found last (body->fit is read).
void mote_elastic_factor_turn(mote_elastic_factor *factor);
void mote_elastic_factor_solve(mote_elastic_factor *factor, const double *in, double *out);

#endif
