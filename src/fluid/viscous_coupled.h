// Rigid bodies in the implicit viscosity (viscous_solve.h, docs/theory/bodies.md, "Fluids"): six unknowns
// each beside those of the particles, coupled by the friction of their samples,
//   M U' + dt sum_b J_b^T sum_i c_ib (J_b U' - v'_i) = M U,   c_ib = -2 mu_i V_i w_ib (wall_friction_row.h),
// so that a viscous fluid and a light body reach their common velocity at once.
#ifndef MOTE_VISCOUS_COUPLED_H
#define MOTE_VISCOUS_COUPLED_H

#include "fluid/coupled_body.h"

// Of a body: force and torque, or velocity and spin.
typedef struct mote_six {
  double linear[3], turn[3];
} mote_six;

typedef struct mote_viscous_coupled {
  bool any;
  mote_fluid *fluid;
  float dt;
  size_t bodies;                // that have rows
  mote_six *r, *y, *p, *q, *x;  // of each: residual, M p, direction, A p, M times the change
  float *sample;                // four of each row: the velocity of a direction there, 0; one more
  float *particle_weight, *c;   // of the pairs of particles with samples: w_ib; and back: dt c_ib
  float *body_friction;         // three of each particle: sum_b dt c_ib of them
  float *force;                 // three of each row
} mote_viscous_coupled;

mote_result mote_viscous_coupled_take(mote_viscous_coupled *coupled, mote_fluid *fluid, double dt,
                                      mote_error *error);

// Residuals of velocities u (stride floats each, at least four), with the accelerations of bodies by
// pressures; returns r . z. body_friction is then the change of wall_friction_sum by the bodies' new
// velocities.
double mote_viscous_coupled_start(const mote_viscous_coupled *coupled, const mote_pressures *pressures,
                                  const float *u, size_t stride);
// p = r / M + beta p, and its body_friction.
void mote_viscous_coupled_turn(const mote_viscous_coupled *coupled, double beta);
// q = A p; returns p . q.
double mote_viscous_coupled_apply(const mote_viscous_coupled *coupled, const float *p, size_t stride);
// Advances by alpha; returns r . z.
double mote_viscous_coupled_advance(const mote_viscous_coupled *coupled, double alpha);
// Applies the change to the bodies and updates the velocities of samples.
mote_result mote_viscous_coupled_end(const mote_viscous_coupled *coupled, mote_error *error);

#endif
