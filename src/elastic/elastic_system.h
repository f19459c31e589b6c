// What implicit steps of elastic bodies keep: see elastic_implicit.h.
#ifndef MOTE_ELASTIC_SYSTEM_H
#define MOTE_ELASTIC_SYSTEM_H

#include "elastic/elastic_external.h"
#include "elastic/elastic_factor.h"
#include "elastic/elastic_implicit.h"
#include "elastic/elastic_midpoint.h"
#include "elastic/elastic_product.h"

struct mote_elastic_implicit {
  mote_elastic_implicit_def def;
  mote_env env;
  mote_arena memory;
  mote_elastic_group group;
  mote_elastic_factor **factor;  // of every body in this step,
  mote_elastic_factor *made;  // of three, of one scalar and whole for two lengths of step, made when needed
  mote_elastic_product *product;
  mote_elastic_midpoint middle;  // used where it has a group
  bool whole;                    // whether the factors know the whole stiffness at rest
  bool acted_on;                 // whether external forces act where the residual was found last
  bool *still;                   // bodies that are held as a whole
  bool damped;                   // whether any body reads
  double *before;                // strains at first
  double *begin, *goal, *x;      // positions: at first, without elasticity, sought; external unknowns behind
  double *residual, *change, *work;  // of Newton's and conjugate gradients
  size_t held_rows[6];               // room of these six
  size_t rows;                       // vectors of a step: of particles, and unknowns of external forces
  double inverse_unit;               // of the smallest support
  double step;
  const uint8_t *held;
  const mote_elastic *checked;  // whose motion is looked at: of callers outside
  const mote_elastic_external *external;
};

// Room for the vectors of a step, whose length follows the unknowns of s->external.
mote_result mote_elastic_system_rows(mote_elastic_implicit *s, mote_error *error);
// A factor of body k for this step, perhaps not made yet. Frames end with shorter steps: of whole ones, which
// take long to make, there are two.
mote_elastic_factor *mote_elastic_system_factor(const mote_elastic_implicit *s, size_t k, int wide);

#endif
