// Sums over pairs of fluid particles. Gradients are computed from fixed positions, grad W_ij = c x_ij, with
// the gradient factor c that the step stores, or computed again: the same bits. grad W_ij = -grad W_ji
// exactly, so the sums for pressure and for flow are each other's adjoint.
#ifndef MOTE_PAIR_LANES_H
#define MOTE_PAIR_LANES_H

#include "rows/pair_view.h"

// V u of a vector u.
typedef struct mote_flow {
  float u[3], zero;
} mote_flow;

// A symmetric matrix by columns, each with a fourth component that is not read.
typedef struct mote_columns {
  mote_lane c[3];
} mote_columns;

#ifdef MOTE_AVX2
// The sums below where gradient factors are stored: the same bits (pair_lanes_avx2.c).
void mote_pair_avx2_gradient_sum(const mote_pair_view *v, size_t i, const float *value, float out[3]);
float mote_pair_avx2_flow(const mote_pair_view *v, size_t i, const mote_flow *flow);
void mote_pair_avx2_matrix_sum(const mote_pair_view *v, size_t i, const mote_columns *matrix, float out[3]);
float mote_pair_avx2_matrix_flow(const mote_pair_view *v, size_t i, const mote_flow *flow,
                                 const mote_columns *L);

// Whether they are to be called.
static inline bool mote_pair_lanes_wide(const mote_pair_view *v) {
  return mote_cpu_avx2 && v->gradient_factor != NULL;
}
#endif

// sum_j value_j grad W_ij. With stored gradient factors pairs are taken one by one, x, y, z in the lanes:
// that needs the fewest instructions.
static inline void mote_pair_lanes_gradient_sum(const mote_pair_view *v, size_t i,
                                                MOTE_GLOBAL const float *value, float out[3]) {
#ifdef MOTE_AVX2
  if (mote_pair_lanes_wide(v)) {
    mote_pair_avx2_gradient_sum(v, i, value, out);
    return;
  }
#endif
  mote_fixed_position own = v->fixed_position[i];
  mote_lane_index position = (mote_lane_index)mote_lane_load(v->fixed_position + i);
  mote_lane zero = mote_lane_splat(0.0f), sum[MOTE_LANES] = {zero, zero, zero, zero};
  mote_groups g = mote_pair_groups(v, i);
  for (; g.at < g.end && v->gradient_factor != NULL; g.at += MOTE_GROUP_STRIDE) {
    MOTE_GLOBAL const uint32_t *j = v->lanes[g.at].index;
    for (int k = 0; k < MOTE_LANES; ++k) {
      sum[k] += mote_fixed_offset(position, &v->fixed_position[j[k]]) *
                (value[j[k]] * v->gradient_factor[MOTE_LANES * g.at + (size_t)k]);
    }
  }
  mote_lane all = (sum[0] + sum[2]) + (sum[1] + sum[3]), x[3] = {zero, zero, zero};
  for (; g.at < g.end; g.at += MOTE_GROUP_STRIDE) {
    MOTE_GLOBAL const uint32_t *j = v->lanes[g.at].index;
    mote_pairs p = mote_pairs_load(&v->scale, &own, v->fixed_position, j);
    mote_lane w = (mote_lane){value[j[0]], value[j[1]], value[j[2]], value[j[3]]} *
                  mote_pairs_gradient_factor(&v->scale, &p);
    for (int a = 0; a < 3; ++a) x[a] += w * p.x[a];
  }
  for (int a = 0; a < 3; ++a) out[a] = all[a] * v->scale.unit[a] + mote_lane_sum(x[a]);
}

// sum_j V_j u_j . grad W_ij.
static inline float mote_pair_lanes_flow(const mote_pair_view *v, size_t i,
                                         MOTE_GLOBAL const mote_flow *flow) {
#ifdef MOTE_AVX2
  if (mote_pair_lanes_wide(v)) return mote_pair_avx2_flow(v, i, flow);
#endif
  mote_fixed_position own = v->fixed_position[i];
  mote_lane_index position = (mote_lane_index)mote_lane_load(v->fixed_position + i);
  mote_lane dot = mote_lane_splat(0.0f), sum[MOTE_LANES] = {dot, dot, dot, dot};
  mote_groups g = mote_pair_groups(v, i);
  for (; g.at < g.end && v->gradient_factor != NULL; g.at += MOTE_GROUP_STRIDE) {
    MOTE_GLOBAL const uint32_t *j = v->lanes[g.at].index;
    for (int k = 0; k < MOTE_LANES; ++k) {
      sum[k] += mote_fixed_offset(position, &v->fixed_position[j[k]]) * mote_lane_load(flow[j[k]].u) *
                v->gradient_factor[MOTE_LANES * g.at + (size_t)k];
    }
  }
  mote_lane all = (sum[0] + sum[2]) + (sum[1] + sum[3]);
  for (; g.at < g.end; g.at += MOTE_GROUP_STRIDE) {
    MOTE_GLOBAL const uint32_t *j = v->lanes[g.at].index;
    mote_lane u[4];
    for (int k = 0; k < 4; ++k) u[k] = mote_lane_load(flow[j[k]].u);
    mote_lane_transpose(&u[0], &u[1], &u[2], &u[3]);
    mote_pairs p = mote_pairs_load(&v->scale, &own, v->fixed_position, j);
    dot += mote_pairs_gradient_factor(&v->scale, &p) * (u[0] * p.x[0] + u[1] * p.x[1] + u[2] * p.x[2]);
  }
  float kept = all[0] * v->scale.unit[0] + all[1] * v->scale.unit[1] + all[2] * v->scale.unit[2];
  return kept + mote_lane_sum(dot);
}

// sum_j M_j grad W_ij, with matrices whose columns are scaled by the unit of their axis.
static inline void mote_pair_lanes_matrix_sum(const mote_pair_view *v, size_t i,
                                              MOTE_GLOBAL const mote_columns *matrix, float out[3]) {
#ifdef MOTE_AVX2
  if (mote_pair_lanes_wide(v)) {
    mote_pair_avx2_matrix_sum(v, i, matrix, out);
    return;
  }
#endif
  mote_lane_index position = (mote_lane_index)mote_lane_load(v->fixed_position + i);
  mote_lane zero = mote_lane_splat(0.0f), sum[2] = {zero, zero};
  for (mote_groups g = mote_pair_groups(v, i); g.at < g.end; g.at += MOTE_GROUP_STRIDE) {
    MOTE_GLOBAL const uint32_t *j = v->lanes[g.at].index;
    mote_lane c = mote_pair_lanes_factor(v, i, g.at);
    for (int k = 0; k < MOTE_LANES; ++k) {
      mote_lane x = mote_fixed_offset(position, &v->fixed_position[j[k]]) * c[k];
      MOTE_GLOBAL const mote_columns *m = &matrix[j[k]];
      sum[k & 1] += (m->c[0] * x[0] + m->c[1] * x[1]) + m->c[2] * x[2];
    }
  }
  mote_lane all = sum[0] + sum[1];
  for (int a = 0; a < 3; ++a) out[a] = all[a];
}

// sum_j V_j u_j . L grad W_ij, with the columns of L scaled by the unit of their axis.
static inline float mote_pair_lanes_matrix_flow(const mote_pair_view *v, size_t i,
                                                MOTE_GLOBAL const mote_flow *flow, const mote_columns *L) {
#ifdef MOTE_AVX2
  if (mote_pair_lanes_wide(v)) return mote_pair_avx2_matrix_flow(v, i, flow, L);
#endif
  mote_lane_index position = (mote_lane_index)mote_lane_load(v->fixed_position + i);
  mote_lane all = mote_lane_splat(0.0f), sum[2][3] = {{all, all, all}, {all, all, all}};
  for (mote_groups g = mote_pair_groups(v, i); g.at < g.end; g.at += MOTE_GROUP_STRIDE) {
    MOTE_GLOBAL const uint32_t *j = v->lanes[g.at].index;
    mote_lane c = mote_pair_lanes_factor(v, i, g.at);
    for (int k = 0; k < MOTE_LANES; ++k) {
      mote_lane x = mote_fixed_offset(position, &v->fixed_position[j[k]]) * c[k];
      mote_lane u = mote_lane_load(flow[j[k]].u);
      for (int a = 0; a < 3; ++a) sum[k & 1][a] += u * x[a];
    }
  }
  for (int a = 0; a < 3; ++a) all += (sum[0][a] + sum[1][a]) * L->c[a];
  return all[0] + all[1] + all[2];
}

#endif
