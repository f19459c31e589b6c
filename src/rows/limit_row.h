// The longest steps of one particle: time_limit.h.
#ifndef MOTE_LIMIT_ROW_H
#define MOTE_LIMIT_ROW_H

#include "material/state_law.h"

typedef struct mote_limit_view {
  mote_fluid_law law;
  bool sound;                // has a speed
  double distance;           // m: of one step
  double acoustic;           // m: times 1/c the limit by sound
  double damped;             // m: times 1/(nu_of alpha c) that by artificial viscosity
  double nu_of;              // its nu over alpha h c
  double artificial, noise;  // alpha of all, and that of noise damping
  double viscous, thick;     // m^2: over thick nu the limit by viscosity
  double most;               // s
  MOTE_GLOBAL const float *velocity, *acceleration, *rest_density, *viscosity;
  MOTE_GLOBAL const float *stiffness, *damping;     // null: the law's; `artificial`
  MOTE_GLOBAL const float *relative, *compression;  // D; or D - 1, null: not followed
} mote_limit_view;

// The time in which a particle of speed v and acceleration a moves by `distance`: v t + a t^2 = distance.
static inline double mote_time_for(double distance, double v, double a) {
  double root = sqrt(v * v + 4.0 * a * distance);
  return 2.0 * distance / (v + root);  // infinite at rest
}

static inline double mote_length_of(MOTE_GLOBAL const float *x) {
  double a = (double)x[0], b = (double)x[1], c = (double)x[2];
  return sqrt(a * a + b * b + c * c);
}

// True if mote_time_for exceeds t, by a bound without square roots: |x| + |y| + |z| is at least the length.
static inline bool mote_is_slow(double distance, double t, MOTE_GLOBAL const float *v,
                                MOTE_GLOBAL const float *a) {
  double speed = 0.0, acceleration = 0.0;
  for (int k = 0; k < 3; ++k) speed += fabs((double)v[k]), acceleration += fabs((double)a[k]);
  return (speed + acceleration * t) * t < (1.0 - 1e-9) * distance;
}

// The least of `least` and the limit by speed and acceleration.
static inline double mote_flow_limit_row(const mote_limit_view *v, size_t i, double least) {
  MOTE_GLOBAL const float *u = v->velocity + 3 * i, *a = v->acceleration + 3 * i;
  if (mote_is_slow(v->distance, least, u, a)) return least;
  return fmin(least, mote_time_for(v->distance, mote_length_of(u), mote_length_of(a)));
}

// The speed of sound at the particle's density.
static inline double mote_sound_row(const mote_limit_view *v, size_t i) {
  double K = v->stiffness != NULL ? (double)v->stiffness[i] : 0.0;
  double c = mote_law_sound(&v->law, K, (double)v->rest_density[i]);
  if (!v->law.is_gas) return c;
  float D = v->compression != NULL ? 1.0f + v->compression[i] : v->relative[i];
  return mote_law_sound_speed_at(&v->law, c, (double)D);
}

// alpha of Monaghan's viscosity and of noise damping together.
static inline double mote_damping_row(const mote_limit_view *v, size_t i) {
  return (v->damping != NULL ? (double)v->damping[i] : v->artificial) + v->noise;
}

// The least of `least` and the limits by sound and artificial viscosity.
static inline double mote_sound_limit_row(const mote_limit_view *v, size_t i, double least) {
  double alpha = mote_damping_row(v, i);
  if (!v->sound && alpha == 0.0) return least;
  double c = mote_sound_row(v, i);
  if (v->sound && v->acoustic < least * c) least = v->acoustic / c;
  double damped = v->nu_of * alpha * c;
  return v->damped < least * damped ? v->damped / damped : least;
}

static inline double mote_viscosity_row(const mote_limit_view *v, size_t i) {
  return (double)(v->viscosity[i] / v->rest_density[i]);
}

// The limit of a particle with a step of its own, viscosity included.
static inline void mote_own_limit_row(const mote_limit_view *v, size_t i, MOTE_GLOBAL double *limit) {
  double nu = v->thick * mote_viscosity_row(v, i);
  double least = mote_sound_limit_row(v, i, v->most);  // first: most are slower, and need no root
  least = mote_flow_limit_row(v, i, least);
  *limit = v->viscous < least * nu ? v->viscous / nu : least;
}

#endif
