// The stiffness K of an elastic body, the exact derivative of its forces, as a matrix-free operator; and the
// stability limit of explicit steps. Theory: docs/theory/elastic.md
#ifndef MOTE_ELASTIC_STIFFNESS_H
#define MOTE_ELASTIC_STIFFNESS_H

#include "elastic/elastic_body.h"

// K at this motion (position, plastic, before). definite: without the indefinite terms. Returns false where a
// gradient is not finite.
bool mote_elastic_stiffness_make(mote_elastic *body, const mote_elastic_motion *motion, bool definite,
                                 mote_elastic_tangent *tangent);
// out = K direction; at the positions of the tangent, or null: at rest.
void mote_elastic_stiffness_apply(mote_elastic *body, const mote_elastic_tangent *tangent,
                                  const double *position, const double *direction, double *out);

// The highest frequency of the body at rest, rad/s.
typedef struct mote_elastic_frequency {
  double found;  // by power iteration: a lower bound
  double bound;  // an upper bound
} mote_elastic_frequency;

mote_result mote_elastic_frequency_find(mote_elastic *body, int iterations, mote_elastic_frequency *frequency,
                                        mote_error *error);
// That of a body with cracks, which change it in every step, in few iterations: `found` has a margin by which
// it is less than the frequency with a probability below 4e-6 only. The same bits for the same body.
mote_result mote_elastic_frequency_of_cut(mote_elastic *body, mote_elastic_frequency *frequency,
                                          mote_error *error);
// The longest stable explicit step where no particle is stretched by more than `stretch`, s.
double mote_elastic_step_limit(const mote_elastic *body, const mote_elastic_frequency *frequency,
                               double stretch);

#endif
