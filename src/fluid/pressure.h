// Pressures of particles and wall samples, and the accelerations they cause: EG09 (51) with walls.
#ifndef MOTE_PRESSURE_H
#define MOTE_PRESSURE_H

#include <math.h>

#include "fluid/gradient_correction.h"
#include "fluid/tuning.inc"
#include "rows/pair_lanes.h"

typedef struct mote_pressures {
  float *pressure_volume;                            // V P of each particle, P = p / D^2; and 0 for the dummy
  float *wall_pressure_volume[MOTE_BOUNDARY_PARTS];  // of each sample with fluid neighbours, and the dummy
  const mote_gradient_fix *fix;  // L of each particle in rates and forces (consistent.h); null: none
  mote_columns *matrix;          // with it: V P L of each particle; and 0 for the dummy
  mote_flow *flow;               // V times a vector of each particle; and 0 for the dummy
} mote_pressures;

mote_result mote_pressures_take(mote_pressures *pressures, mote_fluid *fluid, mote_error *error);
// Rates and forces are corrected afterwards, where the fluid has correction matrices.
mote_result mote_pressures_correct(mote_pressures *pressures, mote_fluid *fluid, mote_error *error);

// Times L, columns scaled by the unit of their axis.
static inline mote_columns mote_pressures_columns(const mote_gradient_fix *fix, const mote_pair_scale *scale,
                                                  float factor) {
  const float *m = fix->m, *unit = scale->unit;
  float x = factor * unit[0], y = factor * unit[1], z = factor * unit[2];
  return (mote_columns){.c = {{x * m[0], x * m[1], x * m[2], 0.0f},
                              {y * m[1], y * m[3], y * m[4], 0.0f},
                              {z * m[2], z * m[4], z * m[5], 0.0f}}};
}

// g_i + G_i, corrected.
static inline void mote_pressures_own_gradient(const mote_pressures *pressures, const mote_fluid *f, size_t i,
                                               float out[3]) {
  float sum[3];
  for (int k = 0; k < 3; ++k) sum[k] = f->gradient[3 * i + k] + f->wall[3 * i + k];
  mote_gradient_fix_apply(&pressures->fix[i], sum, out);
}

// flow = V v, of the velocities.
void mote_pressures_flow(const mote_pressures *pressures, const mote_fluid *fluid);

// The rate of compression dD/dt of the flow at a particle and at a sample; walls are at rest.
static inline float mote_pressures_rate(const mote_pressures *pressures, const mote_fluid *f, size_t i) {
  const mote_flow *flow = pressures->flow;
  float own = 0.0f;
  if (pressures->fix != NULL) {
    float gradient[3];
    mote_columns L = mote_pressures_columns(&pressures->fix[i], &f->pairs.scale, 1.0f);
    mote_pressures_own_gradient(pressures, f, i, gradient);
    for (int k = 0; k < 3; ++k) own += flow[i].u[k] * gradient[k];
    return own / f->volume[i] - mote_pair_lanes_matrix_flow(&f->pairs, i, flow, &L);
  }
  for (int k = 0; k < 3; ++k) own += flow[i].u[k] * (f->gradient[3 * i + k] + f->wall[3 * i + k]);
  return own / f->volume[i] - mote_pair_lanes_flow(&f->pairs, i, flow);
}

static inline float mote_pressures_wall_rate(const mote_pressures *pressures, const mote_wall_pairs *walls,
                                             size_t b) {
  return -mote_pair_set_flow(&walls->particle_neighbours, b, pressures->flow);
}

// flow = V a.
void mote_pressures_accelerate(const mote_pressures *pressures, const mote_fluid *fluid);

// velocity += dt flow / V.
void mote_pressures_kick(const mote_pressures *pressures, mote_fluid *fluid, double dt);

// Projected gradients (docs/theory/fluids.md, "Convergence"): the sums of an iteration over all particles.
enum {
  MOTE_DESCENT_ERROR,
  MOTE_DESCENT_LENGTH,
  MOTE_DESCENT_CURVE,
  MOTE_DESCENT_BEND,
  MOTE_DESCENT_SUMS,
};

// `by`: how the error of a particle has altered with the last `change` of V P, with a Jacobi step `step`.
static inline void mote_descent_add(double *sum, float change, float by, float step) {
  double q = (double)change, c = (double)by, s = (double)step;
  if (q == 0.0) return;
  sum[MOTE_DESCENT_LENGTH] += q * q / s;
  sum[MOTE_DESCENT_CURVE] -= q * c;
  sum[MOTE_DESCENT_BEND] += c * c * s;
}

// Barzilai & Borwein's step lengths, the long and the short one alternating. An error that has grown lies
// in few directions, which the short step corrects.
static inline float mote_descent_length(const double *sum, bool may_be_long) {
  if (!(sum[MOTE_DESCENT_CURVE] > 0.0)) return 1.0f;
  double length = may_be_long ? sum[MOTE_DESCENT_LENGTH] / sum[MOTE_DESCENT_CURVE]
                              : sum[MOTE_DESCENT_CURVE] / sum[MOTE_DESCENT_BEND];
  return (float)fmin(fmax(length, MOTE_DESCENT_STEP_MIN), MOTE_DESCENT_STEP_MAX);
}

#endif
