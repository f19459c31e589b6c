// Rigid bodies in the implicit viscosity (viscous_solve.h, docs/theory/bodies.md, "Fluids"): six unknowns
// each beside those of the particles, coupled by the friction of their samples,
//   M U' + dt sum_b J_b^T sum_i c_ib (J_b U' - v'_i) = M U,   c_ib = -2 mu_i V_i w_ib (wall_friction.c),
// so that a thick fluid and a light body find the velocity they have in common at once.
#ifndef MOTE_VISCOUS_COUPLED_H
#define MOTE_VISCOUS_COUPLED_H

#include "fluid/coupled_body.h"

// Of a body: force and torque, or velocity and spin.
typedef struct mote_six {
  double linear[3], turn[3];
} mote_six;

typedef struct mote_viscous_wet {
  bool any;
  mote_fluid *fluid;
  float dt;
  mote_six *r, *y, *p, *q, *x;  // residual, M p, direction, A p, M times the change
  float *sample;                // three of each row: the velocity of a direction there; one more
  float *pull;                  // three of each particle: sum_b dt c_ib of them
  float *force;                 // three of each row
} mote_viscous_wet;

mote_result mote_viscous_wet_take(mote_viscous_wet *wet, mote_fluid *fluid, double dt, mote_error *error);

// Residuals of velocities u (stride floats each), with the accelerations of bodies by pressures; returns r .
// z. pull is then what particles lack for bodies having moved on since wall_drag.
double mote_viscous_wet_start(const mote_viscous_wet *wet, const mote_pressures *pressures, const float *u,
                              size_t stride);
// p = r / M + beta p, and pull of it.
void mote_viscous_wet_turn(const mote_viscous_wet *wet, double beta);
// q = A p; returns p . q.
double mote_viscous_wet_apply(const mote_viscous_wet *wet, const float *p, size_t stride);
// Goes on by alpha; returns r . z.
double mote_viscous_wet_advance(const mote_viscous_wet *wet, double alpha);
// Gives the change to the bodies, and their velocities to the samples.
mote_result mote_viscous_wet_end(const mote_viscous_wet *wet, mote_error *error);

#endif
