// Data of the implicit solver of elastic bodies: see elastic_implicit.h.
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
  mote_elastic_factor **factor;  // of every body in this step
  mote_elastic_factor *made;     // three per body: one of a scalar unknown, two complete ones for two step
                                 // lengths, made on demand
  mote_elastic_product *product;
  mote_elastic_midpoint middle;  // in use where its group is not null
  bool whole;                    // whether all factors are complete
  bool acted_on;                 // whether external forces act at the last residual
  bool *still;                   // bodies with all particles held
  bool damped;                   // whether any body has damping
  double *before;                // strains at the start of the step
  double *begin, *goal, *x;  // positions at the start, of free flight, and unknown; external unknowns follow
  double *residual, *change, *work;  // of Newton's method and conjugate gradients
  size_t row_capacity[6];            // of these six vectors
  size_t rows;                       // vectors of a step: particles and external unknowns
  double *diagonal;                  // per particle, N/m: of the factors
  double tolerance;                  // of Newton's method at the last residual, in supports
  double allowed;                    // the same where conditions act; 0: there are none
  double inverse_unit;               // 1 / smallest support, rounded, 1/m
  double step;
  const uint8_t *held;
  const mote_elastic *checked;  // body whose motion is checked (public interface); null: no check
  const mote_elastic_external *external;
};

// Reserves the vectors of a step, whose length depends on the unknowns of s->external.
mote_result mote_elastic_system_rows(mote_elastic_implicit *s, mote_error *error);
// A factor of body k for this step, possibly not made yet. The last step of a frame is shorter: there are two
// complete factors, which are expensive to make.
mote_elastic_factor *mote_elastic_system_factor(const mote_elastic_implicit *s, size_t k, int wide);

static inline bool mote_elastic_system_is_held(const mote_elastic_implicit *s, size_t i) {
  return s->held != NULL && i < s->group.count && s->held[i];
}

// M/h^2 of a row; external unknowns have unit mass.
static inline double mote_elastic_system_inertia(const mote_elastic_implicit *s, size_t i) {
  return (i < s->group.count ? s->group.mass[i] : 1.0) / (s->step * s->step);
}

// elastic_system_rows.c: loops over rows.

// residual . change
double mote_elastic_system_slope(const mote_elastic_implicit *s);
// The longest row of the particles, or way of a point at which external unknowns are acted on, in supports.
double mote_elastic_system_largest(const mote_elastic_implicit *s, const double *vector);
// x += by change
void mote_elastic_system_move(mote_elastic_implicit *s, double by);
// residual -= M/h^2 (x - goal); 0 where particles are held.
void mote_elastic_system_subtract_inertia(mote_elastic_implicit *s);
// x = begin + h v of the particles.
void mote_elastic_system_extrapolate(mote_elastic_implicit *s, const mote_elastic_motion *motion);
// Sets begin and goal.
void mote_elastic_system_set_goal(mote_elastic_implicit *s, const mote_elastic_motion *motion,
                                  const double *acceleration);
// Final state of an Euler step; the midpoint rule is an Euler step of half the length, extrapolated to twice.
// Held particles follow their prescribed velocity.
void mote_elastic_system_finish(const mote_elastic_implicit *s, const mote_elastic_motion *motion, double dt);
// Corrects the change of a free body so that its momentum balance is exact: the factor's masses belong to a
// rounded step length, and its rotations differ between particles.
void mote_elastic_system_balance(mote_elastic_implicit *s);

#endif
