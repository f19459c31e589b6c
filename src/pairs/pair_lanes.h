// Pairs of fluid particles in groups of four lanes. Gradients are computed from fixed positions, grad W_ij
// = c x_ij, with the gradient factor c that the step stores, or computed again: the same bits. grad W_ij =
// -grad W_ji exactly, so the sums for pressure and for flow are each other's adjoint.
#ifndef MOTE_PAIR_LANES_H
#define MOTE_PAIR_LANES_H

#include "base/cpu.h"
#include "pairs/fixed_positions.h"
#include "pairs/pair_set.h"

// A symmetric matrix by columns, each with a fourth component that is not read.
typedef struct mote_columns {
  float c[3][4];
} mote_columns;

#ifdef MOTE_AVX2
// The sums below where gradient factors are stored: the same bits (pair_lanes_avx2.c).
void mote_pair_avx2_gradient_sum(const mote_fluid *f, const mote_pair_scale *scale, size_t i,
                                 const float *value, float out[3]);
float mote_pair_avx2_flow(const mote_fluid *f, const mote_pair_scale *scale, size_t i, const mote_flow *flow);
void mote_pair_avx2_matrix_sum(const mote_fluid *f, size_t i, const mote_columns *matrix, float out[3]);
float mote_pair_avx2_matrix_flow(const mote_fluid *f, size_t i, const mote_flow *flow, const mote_columns *L);

// Whether they are to be called.
static inline bool mote_pair_lanes_wide(const mote_fluid *f) {
  return mote_cpu_avx2 && f->pairs.gradient_factor != NULL;
}
#endif

// The pairs of group g.
static inline mote_pairs mote_pair_lanes_load(const mote_fluid *f, const mote_pair_scale *scale, size_t i,
                                              size_t g) {
  return mote_pairs_load(scale, &f->fixed_position[i], f->fixed_position, f->pairs.lanes[g].index);
}

static inline mote_lane mote_pair_lanes_gradient_factor(const mote_fluid *f, const mote_pair_scale *scale,
                                                        size_t g, const mote_pairs *p) {
  return f->pairs.gradient_factor != NULL ? mote_lane_load(f->pairs.gradient_factor + MOTE_LANES * g)
                                          : mote_pairs_gradient_factor(scale, p);
}

static inline mote_lane mote_pair_lanes_factor(const mote_fluid *f, const mote_pair_scale *scale, size_t i,
                                               size_t g) {
  if (f->pairs.gradient_factor != NULL) return mote_lane_load(f->pairs.gradient_factor + MOTE_LANES * g);
  mote_pairs p = mote_pair_lanes_load(f, scale, i, g);
  return mote_pairs_gradient_factor(scale, &p);
}

static inline size_t mote_pair_lanes_end(const mote_fluid *f, size_t i) {
  return (size_t)f->pairs.first[i] + f->pairs.number[i];
}

// x_ij of one pair in fixed-point units; the fourth lane is meaningless.
static inline mote_lane mote_fixed_offset(const mote_fixed_position *i, const mote_fixed_position *j) {
  mote_lane_index a, b;
  memcpy(&a, i, sizeof a);
  memcpy(&b, j, sizeof b);
  return __builtin_convertvector((mote_lane_mask)(a - b), mote_lane);
}

// sum_j value_j grad W_ij. With stored gradient factors pairs are taken one by one, x, y, z in the lanes:
// that needs the fewest instructions.
static inline void mote_pair_lanes_gradient_sum(const mote_fluid *f, const mote_pair_scale *scale, size_t i,
                                                const float *value, float out[3]) {
#ifdef MOTE_AVX2
  if (mote_pair_lanes_wide(f)) {
    mote_pair_avx2_gradient_sum(f, scale, i, value, out);
    return;
  }
#endif
  const mote_fixed_position own = f->fixed_position[i], *fixed_position = f->fixed_position;
  const float *gradient_factor = f->pairs.gradient_factor;
  mote_lane sum[MOTE_LANES] = {{0}};
  size_t g = f->pairs.first[i], end = mote_pair_lanes_end(f, i);
  for (; g < end && gradient_factor != NULL; ++g) {
    const uint32_t *j = f->pairs.lanes[g].index;
    for (int k = 0; k < MOTE_LANES; ++k) {
      sum[k] += mote_fixed_offset(&own, &fixed_position[j[k]]) *
                (value[j[k]] * gradient_factor[MOTE_LANES * g + (size_t)k]);
    }
  }
  mote_lane all = (sum[0] + sum[2]) + (sum[1] + sum[3]), x[3] = {{0}};
  for (; g < end; ++g) {
    const uint32_t *j = f->pairs.lanes[g].index;
    mote_pairs p = mote_pairs_load(scale, &own, fixed_position, j);
    mote_lane w = (mote_lane){value[j[0]], value[j[1]], value[j[2]], value[j[3]]} *
                  mote_pairs_gradient_factor(scale, &p);
    for (int a = 0; a < 3; ++a) x[a] += w * p.x[a];
  }
  for (int a = 0; a < 3; ++a) out[a] = all[a] * scale->unit[a] + mote_lane_sum(x[a]);
}

// sum_j V_j u_j . grad W_ij.
static inline float mote_pair_lanes_flow(const mote_fluid *f, const mote_pair_scale *scale, size_t i,
                                         const mote_flow *flow) {
#ifdef MOTE_AVX2
  if (mote_pair_lanes_wide(f)) return mote_pair_avx2_flow(f, scale, i, flow);
#endif
  const mote_fixed_position own = f->fixed_position[i], *fixed_position = f->fixed_position;
  const float *gradient_factor = f->pairs.gradient_factor;
  mote_lane sum[MOTE_LANES] = {{0}}, dot = {0};
  size_t g = f->pairs.first[i], end = mote_pair_lanes_end(f, i);
  for (; g < end && gradient_factor != NULL; ++g) {
    const uint32_t *j = f->pairs.lanes[g].index;
    for (int k = 0; k < MOTE_LANES; ++k) {
      sum[k] += mote_fixed_offset(&own, &fixed_position[j[k]]) * mote_lane_load(flow[j[k]].u) *
                gradient_factor[MOTE_LANES * g + (size_t)k];
    }
  }
  mote_lane all = (sum[0] + sum[2]) + (sum[1] + sum[3]);
  for (; g < end; ++g) {
    const uint32_t *j = f->pairs.lanes[g].index;
    mote_lane u[4];
    for (int k = 0; k < 4; ++k) u[k] = mote_lane_load(flow[j[k]].u);
    mote_lane_transpose(&u[0], &u[1], &u[2], &u[3]);
    mote_pairs p = mote_pairs_load(scale, &own, fixed_position, j);
    dot += mote_pairs_gradient_factor(scale, &p) * (u[0] * p.x[0] + u[1] * p.x[1] + u[2] * p.x[2]);
  }
  float kept = all[0] * scale->unit[0] + all[1] * scale->unit[1] + all[2] * scale->unit[2];
  return kept + mote_lane_sum(dot);
}

// sum_j M_j grad W_ij, with matrices whose columns are scaled by the unit of their axis.
static inline void mote_pair_lanes_matrix_sum(const mote_fluid *f, const mote_pair_scale *scale, size_t i,
                                              const mote_columns *matrix, float out[3]) {
#ifdef MOTE_AVX2
  if (mote_pair_lanes_wide(f)) {
    mote_pair_avx2_matrix_sum(f, i, matrix, out);
    return;
  }
#endif
  const mote_fixed_position own = f->fixed_position[i], *fixed_position = f->fixed_position;
  mote_lane sum[2] = {{0}};
  for (size_t g = f->pairs.first[i], end = mote_pair_lanes_end(f, i); g < end; ++g) {
    const uint32_t *j = f->pairs.lanes[g].index;
    mote_lane c = mote_pair_lanes_factor(f, scale, i, g);
    for (int k = 0; k < MOTE_LANES; ++k) {
      mote_lane x = mote_fixed_offset(&own, &fixed_position[j[k]]) * c[k];
      const mote_columns *m = &matrix[j[k]];
      sum[k & 1] +=
          (mote_lane_load(m->c[0]) * x[0] + mote_lane_load(m->c[1]) * x[1]) + mote_lane_load(m->c[2]) * x[2];
    }
  }
  mote_lane all = sum[0] + sum[1];
  for (int a = 0; a < 3; ++a) out[a] = all[a];
}

// sum_j V_j u_j . L grad W_ij, with the columns of L scaled by the unit of their axis.
static inline float mote_pair_lanes_matrix_flow(const mote_fluid *f, const mote_pair_scale *scale, size_t i,
                                                const mote_flow *flow, const mote_columns *L) {
#ifdef MOTE_AVX2
  if (mote_pair_lanes_wide(f)) return mote_pair_avx2_matrix_flow(f, i, flow, L);
#endif
  const mote_fixed_position own = f->fixed_position[i], *fixed_position = f->fixed_position;
  mote_lane sum[2][3] = {{{0}}};
  for (size_t g = f->pairs.first[i], end = mote_pair_lanes_end(f, i); g < end; ++g) {
    const uint32_t *j = f->pairs.lanes[g].index;
    mote_lane c = mote_pair_lanes_factor(f, scale, i, g);
    for (int k = 0; k < MOTE_LANES; ++k) {
      mote_lane x = mote_fixed_offset(&own, &fixed_position[j[k]]) * c[k], u = mote_lane_load(flow[j[k]].u);
      for (int a = 0; a < 3; ++a) sum[k & 1][a] += u * x[a];
    }
  }
  mote_lane all = {0};
  for (int a = 0; a < 3; ++a) all += (sum[0][a] + sum[1][a]) * mote_lane_load(L->c[a]);
  return all[0] + all[1] + all[2];
}

#endif
