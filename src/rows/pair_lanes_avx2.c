// The sums of pair_lanes.h with stored gradient factors, for AVX2: two pairs side by side in eight lanes.
// Each of the partial sums of four lanes is one half of a register, so the operations, their order and the
// bits are those of pair_lanes.h; only the instructions are half as many.
#include "rows/pair_lanes.h"

#ifdef MOTE_AVX2
#include <immintrin.h>

typedef float wide __attribute__((vector_size(32)));
typedef uint32_t wide_index __attribute__((vector_size(32)));
typedef int32_t wide_int __attribute__((vector_size(32)));

// With GCC a shuffle does not read its upper half from memory, and waits for the one unit that shuffles.
MOTE_AVX2 static inline wide join(mote_lane low, mote_lane high) {
  return _mm256_insertf128_ps(_mm256_castps128_ps256(low), high, 1);
}

MOTE_AVX2 static inline wide two_lanes(const float *low, const float *high) {
  return join(mote_lane_load(low), mote_lane_load(high));
}

MOTE_AVX2 static inline wide_index two_positions(const mote_fixed_position *low,
                                                 const mote_fixed_position *high) {
  return (wide_index)join(mote_lane_load(low), mote_lane_load(high));
}

MOTE_AVX2 static inline wide two_offsets(wide_index own, const mote_fixed_position *low,
                                         const mote_fixed_position *high) {
  return __builtin_convertvector((wide_int)(own - two_positions(low, high)), wide);
}

// Lanes 0 and 1, or 2 and 3, each over one half.
MOTE_AVX2 static inline wide spread_01(mote_lane x) {
  return __builtin_shufflevector(x, x, 0, 0, 0, 0, 1, 1, 1, 1);
}

MOTE_AVX2 static inline wide spread_23(mote_lane x) {
  return __builtin_shufflevector(x, x, 2, 2, 2, 2, 3, 3, 3, 3);
}

MOTE_AVX2 static inline mote_lane add_halves(wide x) {
  return __builtin_shufflevector(x, x, 0, 1, 2, 3) + __builtin_shufflevector(x, x, 4, 5, 6, 7);
}

// Component a of both offsets, over its half.
#define SPREAD(x, a) __builtin_shufflevector((x), (x), (a), (a), (a), (a), (a) + 4, (a) + 4, (a) + 4, (a) + 4)

MOTE_AVX2 void mote_pair_avx2_gradient_sum(const mote_pair_view *v, size_t i, const float *value,
                                           float out[3]) {
  const mote_fixed_position *x = v->fixed_position;
  wide_index own = two_positions(&x[i], &x[i]);
  wide even = {0}, odd = {0};
  for (mote_groups g = mote_pair_groups(v, i); g.at < g.end; g.at += MOTE_GROUP_STRIDE) {
    const uint32_t *j = v->lanes[g.at].index;
    mote_lane w = (mote_lane){value[j[0]], value[j[1]], value[j[2]], value[j[3]]} *
                  mote_lane_load(v->gradient_factor + MOTE_LANES * g.at);
    even += two_offsets(own, &x[j[0]], &x[j[1]]) * spread_01(w);
    odd += two_offsets(own, &x[j[2]], &x[j[3]]) * spread_23(w);
  }
  mote_lane all = add_halves(even + odd);
  for (int a = 0; a < 3; ++a) out[a] = all[a] * v->scale.unit[a] + 0.0f;
}

MOTE_AVX2 float mote_pair_avx2_flow(const mote_pair_view *v, size_t i, const mote_flow *flow) {
  const mote_fixed_position *x = v->fixed_position;
  wide_index own = two_positions(&x[i], &x[i]);
  wide even = {0}, odd = {0};
  for (mote_groups g = mote_pair_groups(v, i); g.at < g.end; g.at += MOTE_GROUP_STRIDE) {
    const uint32_t *j = v->lanes[g.at].index;
    mote_lane c = mote_lane_load(v->gradient_factor + MOTE_LANES * g.at);
    even += two_offsets(own, &x[j[0]], &x[j[1]]) * two_lanes(flow[j[0]].u, flow[j[1]].u) * spread_01(c);
    odd += two_offsets(own, &x[j[2]], &x[j[3]]) * two_lanes(flow[j[2]].u, flow[j[3]].u) * spread_23(c);
  }
  mote_lane all = add_halves(even + odd);
  return (all[0] * v->scale.unit[0] + all[1] * v->scale.unit[1] + all[2] * v->scale.unit[2]) + 0.0f;
}

MOTE_AVX2 static inline wide two_products(const mote_columns *low, const mote_columns *high, wide x) {
  return (join(low->c[0], high->c[0]) * SPREAD(x, 0) + join(low->c[1], high->c[1]) * SPREAD(x, 1)) +
         join(low->c[2], high->c[2]) * SPREAD(x, 2);
}

MOTE_AVX2 void mote_pair_avx2_matrix_sum(const mote_pair_view *v, size_t i, const mote_columns *matrix,
                                         float out[3]) {
  const mote_fixed_position *x = v->fixed_position;
  wide_index own = two_positions(&x[i], &x[i]);
  wide sum = {0};
  for (mote_groups g = mote_pair_groups(v, i); g.at < g.end; g.at += MOTE_GROUP_STRIDE) {
    const uint32_t *j = v->lanes[g.at].index;
    mote_lane c = mote_lane_load(v->gradient_factor + MOTE_LANES * g.at);
    sum += two_products(&matrix[j[0]], &matrix[j[1]], two_offsets(own, &x[j[0]], &x[j[1]]) * spread_01(c));
    sum += two_products(&matrix[j[2]], &matrix[j[3]], two_offsets(own, &x[j[2]], &x[j[3]]) * spread_23(c));
  }
  mote_lane all = add_halves(sum);
  for (int a = 0; a < 3; ++a) out[a] = all[a];
}

MOTE_AVX2 float mote_pair_avx2_matrix_flow(const mote_pair_view *v, size_t i, const mote_flow *flow,
                                           const mote_columns *L) {
  const mote_fixed_position *x = v->fixed_position;
  wide_index own = two_positions(&x[i], &x[i]);
  wide sum[3] = {{0}};
  for (mote_groups g = mote_pair_groups(v, i); g.at < g.end; g.at += MOTE_GROUP_STRIDE) {
    const uint32_t *j = v->lanes[g.at].index;
    mote_lane c = mote_lane_load(v->gradient_factor + MOTE_LANES * g.at);
    wide r = two_offsets(own, &x[j[0]], &x[j[1]]) * spread_01(c);
    wide s = two_offsets(own, &x[j[2]], &x[j[3]]) * spread_23(c);
    wide u = two_lanes(flow[j[0]].u, flow[j[1]].u), w = two_lanes(flow[j[2]].u, flow[j[3]].u);
    sum[0] += u * SPREAD(r, 0), sum[1] += u * SPREAD(r, 1), sum[2] += u * SPREAD(r, 2);
    sum[0] += w * SPREAD(s, 0), sum[1] += w * SPREAD(s, 1), sum[2] += w * SPREAD(s, 2);
  }
  mote_lane all = {0};
  for (int a = 0; a < 3; ++a) all += add_halves(sum[a]) * L->c[a];
  return all[0] + all[1] + all[2];
}

#endif
