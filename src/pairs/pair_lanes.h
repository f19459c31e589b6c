// Pairs of the fluid's particles, four at a time: gradients are made of places, grad W_ij = c x_ij, with the
// pull c that the step keeps, or one made anew. Both are the same bits, and the same but for the sign for i
// and j: so are sums of pressure and of flow each other's adjoint.
#ifndef MOTE_PAIR_LANES_H
#define MOTE_PAIR_LANES_H

#include "pairs/fixed_positions.h"
#include "pairs/pair_set.h"

// The pairs of four number g.
static inline mote_pairs mote_fours_load(const mote_fluid *f, const mote_pair_scale *scale, size_t i,
                                         size_t g) {
  return mote_pairs_load(scale, &f->place[i], f->place, f->pairs.four[g].index);
}

static inline mote_lane mote_fours_pull(const mote_fluid *f, const mote_pair_scale *scale, size_t g,
                                        const mote_pairs *p) {
  return f->pairs.pull != NULL ? mote_lane_load(f->pairs.pull + MOTE_LANES * g) : mote_pairs_pull(scale, p);
}

static inline size_t mote_fours_end(const mote_fluid *f, size_t i) {
  return (size_t)f->pairs.first[i] + f->pairs.number[i];
}

// x_ij of one pair in units of places, and a fourth number that means nothing.
static inline mote_lane mote_place_way(const mote_place *i, const mote_place *j) {
  mote_lane_index a, b;
  memcpy(&a, i, sizeof a);
  memcpy(&b, j, sizeof b);
  return __builtin_convertvector((mote_lane_mask)(a - b), mote_lane);
}

// sum_j push_j grad W_ij, push = V P. With pulls at hand pairs are taken one by one, x, y, z side by side:
// that needs the fewest instructions.
static inline void mote_fours_push(const mote_fluid *f, const mote_pair_scale *scale, size_t i,
                                   const float *push, float out[3]) {
  const mote_place own = f->place[i], *place = f->place;
  const float *pull = f->pairs.pull;
  mote_lane sum[MOTE_LANES] = {{0}};
  size_t g = f->pairs.first[i], end = mote_fours_end(f, i);
  for (; g < end && pull != NULL; ++g) {
    const uint32_t *j = f->pairs.four[g].index;
    for (int k = 0; k < MOTE_LANES; ++k) {
      sum[k] += mote_place_way(&own, &place[j[k]]) * (push[j[k]] * pull[MOTE_LANES * g + (size_t)k]);
    }
  }
  mote_lane all = (sum[0] + sum[2]) + (sum[1] + sum[3]), x[3] = {{0}};
  for (; g < end; ++g) {
    const uint32_t *j = f->pairs.four[g].index;
    mote_pairs p = mote_pairs_load(scale, &own, place, j);
    mote_lane w = (mote_lane){push[j[0]], push[j[1]], push[j[2]], push[j[3]]} * mote_pairs_pull(scale, &p);
    for (int a = 0; a < 3; ++a) x[a] += w * p.x[a];
  }
  for (int a = 0; a < 3; ++a) out[a] = all[a] * scale->unit[a] + mote_lane_sum(x[a]);
}

// sum_j V_j u_j . grad W_ij.
static inline float mote_fours_flow(const mote_fluid *f, const mote_pair_scale *scale, size_t i,
                                    const mote_flow *flow) {
  const mote_place own = f->place[i], *place = f->place;
  const float *pull = f->pairs.pull;
  mote_lane sum[MOTE_LANES] = {{0}}, dot = {0};
  size_t g = f->pairs.first[i], end = mote_fours_end(f, i);
  for (; g < end && pull != NULL; ++g) {
    const uint32_t *j = f->pairs.four[g].index;
    for (int k = 0; k < MOTE_LANES; ++k) {
      sum[k] += mote_place_way(&own, &place[j[k]]) * mote_lane_load(flow[j[k]].u) *
                pull[MOTE_LANES * g + (size_t)k];
    }
  }
  mote_lane all = (sum[0] + sum[2]) + (sum[1] + sum[3]);
  for (; g < end; ++g) {
    const uint32_t *j = f->pairs.four[g].index;
    mote_lane u[4];
    for (int k = 0; k < 4; ++k) u[k] = mote_lane_load(flow[j[k]].u);
    mote_lane_transpose(&u[0], &u[1], &u[2], &u[3]);
    mote_pairs p = mote_pairs_load(scale, &own, place, j);
    dot += mote_pairs_pull(scale, &p) * (u[0] * p.x[0] + u[1] * p.x[1] + u[2] * p.x[2]);
  }
  float kept = all[0] * scale->unit[0] + all[1] * scale->unit[1] + all[2] * scale->unit[2];
  return kept + mote_lane_sum(dot);
}

#endif
