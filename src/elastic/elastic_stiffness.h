// The stiffness K of an elastic body, the exact derivative of its forces, as an operator: it is never stored.
// And how fast explicit steps may be. Theory: docs/theory/solids.md
#ifndef MOTE_ELASTIC_STIFFNESS_H
#define MOTE_ELASTIC_STIFFNESS_H

#include "elastic/elastic_body.h"

// K at this motion (position, plastic, before). definite: without what could make it indefinite. Returns
// false where a gradient is not finite.
bool mote_elastic_stiffness_make(mote_elastic *body, const mote_elastic_motion *motion, bool definite,
                                 mote_elastic_tangent *tangent);
// out = K direction.
void mote_elastic_stiffness_apply(mote_elastic *body, const mote_elastic_tangent *tangent,
                                  const double *direction, double *out);

// The highest frequency of the body at rest, rad/s.
typedef struct mote_elastic_pitch {
  double found;  // by power iteration: at most the true one
  double bound;  // at least the true one
} mote_elastic_pitch;

mote_result mote_elastic_pitch_find(mote_elastic *body, int iterations, mote_elastic_pitch *pitch,
                                    mote_error *error);
// The longest explicit step that is stable where no particle is stretched by more than `stretch`.
double mote_elastic_step_limit(const mote_elastic *body, const mote_elastic_pitch *pitch, double stretch);

#endif
