// The stiffness of an elastic body for conjugate gradients: the operator of elastic_stiffness.h in single
// precision, frozen for one Newton iteration. It determines search directions only; residuals are in double
// precision. Theory: docs/theory/elastic.md
#ifndef MOTE_ELASTIC_PRODUCT_H
#define MOTE_ELASTIC_PRODUCT_H

#include "elastic/elastic_body.h"

typedef struct mote_elastic_product {
  const mote_elastic *body;
  float *pair;                          // linear basis functions and weight of every pair
  float *slope;                         // slopes of both ends of a pair; null: none
  float *inverse, *linear_inverse;      // moment matrices
  float *sum;                           // sums of w p
  float *hourglass_stiffness, *volume;  // per particle
  float *fold_stiffness;                // per particle, of this Newton iteration
  const double *position;               // at which K is computed; null: k' of fold control is constant
  float *tangent;                       // dP/dg: 27 vectors per particle
  float *field, *stress_moment;         // the direction, and its stress moments
} mote_elastic_product;

// Memory is the arena's.
mote_result mote_elastic_product_init(mote_elastic_product *product, const mote_elastic *body,
                                      mote_arena *memory, mote_error *error);
// K at the last evaluated positions (reads body->fit); definite: without the indefinite terms. Returns false
// where a gradient is not finite.
bool mote_elastic_product_make(mote_elastic_product *product, const mote_elastic_motion *motion,
                               bool definite);
// out = K direction.
void mote_elastic_product_apply(mote_elastic_product *product, const double *direction, double *out);

#endif
