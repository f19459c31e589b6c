// The stiffness of an elastic body as conjugate gradients use it: the same operator as elastic_stiffness.h,
// in floats and frozen for one of Newton's steps. It finds directions only; what is to vanish is found in
// doubles. Theory: docs/theory/solids.md
#ifndef MOTE_ELASTIC_PRODUCT_H
#define MOTE_ELASTIC_PRODUCT_H

#include "elastic/elastic_body.h"

typedef struct mote_elastic_product {
  const mote_elastic *body;
  float *pair;           // basis' linear functions and weight of every pair
  float *slope;          // both slopes of a pair; null: none
  float *inverse;        // of the moments,
  float *sum;            // sum of w p,
  float *hold, *volume;  // and these of every particle
  float *tangent;        // dP/dg: 27 vectors of a particle
  float *field, *push;   // the direction, and what its forces are gathered from
} mote_elastic_product;

// Memory is the arena's.
mote_result mote_elastic_product_init(mote_elastic_product *product, const mote_elastic *body,
                                      mote_arena *memory, mote_error *error);
// K at the positions whose forces were found last (body->fit is read); definite: without what could make it
// indefinite. Returns false where a gradient is not finite.
bool mote_elastic_product_make(mote_elastic_product *product, const mote_elastic_motion *motion,
                               bool definite);
// out = K direction.
void mote_elastic_product_apply(mote_elastic_product *product, const double *direction, double *out);

#endif
