// Accelerations of one particle by pressures, EG09 (51) with walls, and its rate of compression.
#ifndef MOTE_PRESSURE_ROW_H
#define MOTE_PRESSURE_ROW_H

#include "rows/moments_row.h"

typedef struct mote_pressure_view {
  mote_pair_view pairs;
  MOTE_GLOBAL const float *volume, *mobility, *gradient, *wall;  // V, V / rho0, g, G
  MOTE_GLOBAL const float *pressure_volume;                      // V P; and 0 for the dummy
  MOTE_GLOBAL const mote_gradient_fix *fix;  // L of each particle in rates and forces; null: none
  MOTE_GLOBAL mote_columns *matrix;          // with it: V P L of each particle; and 0 for the dummy
  MOTE_GLOBAL mote_flow *flow;               // V times a vector of each particle; and 0 for the dummy
  MOTE_GLOBAL float *velocity;
} mote_pressure_view;

// Times L, columns scaled by the unit of their axis.
static inline mote_columns mote_columns_of(mote_gradient_fix fix, const mote_pair_scale *scale,
                                           float factor) {
  float x = factor * scale->unit[0], y = factor * scale->unit[1], z = factor * scale->unit[2];
  return (mote_columns){.c = {{x * fix.m[0], x * fix.m[1], x * fix.m[2], 0.0f},
                              {y * fix.m[1], y * fix.m[3], y * fix.m[4], 0.0f},
                              {z * fix.m[2], z * fix.m[4], z * fix.m[5], 0.0f}}};
}

static inline void mote_columns_row(const mote_pressure_view *v, size_t i) {
  v->matrix[i] = mote_columns_of(v->fix[i], &v->pairs.scale, v->pressure_volume[i]);
}

// g_i + G_i, corrected.
static inline void mote_own_gradient(const mote_pressure_view *v, size_t i, float out[3]) {
  float sum[3];
  for (size_t k = 0; k < 3; ++k) sum[k] = v->gradient[3 * i + k] + v->wall[3 * i + k];
  mote_gradient_fix_apply(&v->fix[i], sum, out);
}

// flow = V a, by the particles' pressures.
static inline void mote_force_row(const mote_pressure_view *v, size_t i) {
  float sum[3], own[3], P = v->pressure_volume[i] / v->volume[i];
  if (v->fix != NULL) {
    mote_pair_lanes_matrix_sum(&v->pairs, i, v->matrix, sum);
    mote_own_gradient(v, i, own);
  } else {
    mote_pair_lanes_gradient_sum(&v->pairs, i, v->pressure_volume, sum);
    for (size_t k = 0; k < 3; ++k) own[k] = v->gradient[3 * i + k] + v->wall[3 * i + k];
  }
  for (int k = 0; k < 3; ++k) v->flow[i].u[k] = -v->mobility[i] * (P * own[k] + sum[k]);
  v->flow[i].zero = 0.0f;
}

// Adds those by samples' pressures, to the particle of row n.
static inline void mote_wall_force_row(const mote_pressure_view *v, const mote_wall_pairs *w,
                                       MOTE_GLOBAL const float *wall_pressure_volume, size_t n) {
  size_t i = w->index[n];
  float sum[3];
  mote_pair_set_gradient_sum(&w->sample_neighbours, n, wall_pressure_volume, sum);
  for (int k = 0; k < 3; ++k) v->flow[i].u[k] -= v->mobility[i] * sum[k];
}

// flow = V v.
static inline void mote_flow_row(const mote_pressure_view *v, size_t i) {
  for (size_t k = 0; k < 3; ++k) v->flow[i].u[k] = v->volume[i] * v->velocity[3 * i + k];
  v->flow[i].zero = 0.0f;
}

// velocity += dt flow / V.
static inline void mote_pressure_kick_row(const mote_pressure_view *v, float dt, size_t i) {
  float scale = dt / v->volume[i];
  for (size_t k = 0; k < 3; ++k) v->velocity[3 * i + k] += scale * v->flow[i].u[k];
}

// The rate of compression dD/dt of the flow at a particle and at a sample; walls are at rest.
static inline float mote_rate_row(const mote_pressure_view *v, size_t i) {
  float own = 0.0f;
  if (v->fix != NULL) {
    float gradient[3];
    mote_columns L = mote_columns_of(v->fix[i], &v->pairs.scale, 1.0f);
    mote_own_gradient(v, i, gradient);
    for (int k = 0; k < 3; ++k) own += v->flow[i].u[k] * gradient[k];
    return own / v->volume[i] - mote_pair_lanes_matrix_flow(&v->pairs, i, v->flow, &L);
  }
  for (size_t k = 0; k < 3; ++k) own += v->flow[i].u[k] * (v->gradient[3 * i + k] + v->wall[3 * i + k]);
  return own / v->volume[i] - mote_pair_lanes_flow(&v->pairs, i, v->flow);
}

static inline float mote_wall_rate_row(MOTE_GLOBAL const mote_flow *flow, const mote_wall_pairs *w,
                                       size_t b) {
  return -mote_pair_set_flow(&w->particle_neighbours, b, flow);
}

#endif
