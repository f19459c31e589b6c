// Neighbour rows of pair groups and of lanes (fluid.h): finding them by the grid, and the two sums over a
// row of groups that pressure solvers repeat. The sums over lanes are in pair_lanes.h.
#ifndef MOTE_PAIR_SET_H
#define MOTE_PAIR_SET_H

#include "pairs/fluid.h"

// Finds the neighbours of `count` points in the grid and writes the groups' indices; the caller writes
// gradients.
mote_result mote_pair_set_find(mote_pair_set *set, mote_grid *grid, const double *position, size_t count,
                               mote_arena *scratch, mote_error *error);
// Finds the neighbours of the grid's own points, or of those that are `wanted` (the rows of others are
// empty), and calls `use` with rows as soon as they are written. `gradient_factor`: allocates that array,
// which the caller fills.
mote_result mote_pair_lane_set_find(mote_pair_lane_set *set, mote_grid *grid, const uint8_t *wanted,
                                    bool gradient_factor, mote_list_use *use, const void *data,
                                    mote_arena *scratch, mote_error *error);

#ifdef MOTE_ASSERTS
// Invariants: rows lie within `groups` groups, and name particles or the dummy (number `rows`).
void mote_pair_lane_set_check(const mote_pair_lane_set *set, size_t groups);
#else
static inline void mote_pair_lane_set_check(const mote_pair_lane_set *set, size_t groups) {
  (void)set, (void)groups;
}
#endif

// V u of a vector u.
typedef struct mote_flow {
  float u[3], zero;
} mote_flow;

// sum_j value_j grad W_ij: one number is gathered per neighbour.
static inline void mote_pair_set_gradient_sum(const mote_pair_set *set, size_t i, const float *value,
                                              float sum[3]) {
  mote_lane x = mote_lane_splat(0.0f), y = x, z = x;
  const mote_pair_group *g = set->group + set->first[i], *end = g + set->number[i];
  for (; g < end; ++g) {
    mote_lane w = {value[g->index[0]], value[g->index[1]], value[g->index[2]], value[g->index[3]]};
    x += w * mote_lane_load(g->gradient[0]);
    y += w * mote_lane_load(g->gradient[1]);
    z += w * mote_lane_load(g->gradient[2]);
  }
  sum[0] = mote_lane_sum(x), sum[1] = mote_lane_sum(y), sum[2] = mote_lane_sum(z);
}

// sum_j V_j u_j . grad W_ij: four numbers per neighbour.
static inline float mote_pair_set_flow(const mote_pair_set *set, size_t i, const mote_flow *flow) {
  mote_lane x = mote_lane_splat(0.0f), y = x, z = x;
  const mote_pair_group *g = set->group + set->first[i], *end = g + set->number[i];
  for (; g < end; ++g) {
    mote_lane u[4];
    for (int k = 0; k < 4; ++k) u[k] = mote_lane_load(flow[g->index[k]].u);
    mote_lane_transpose(&u[0], &u[1], &u[2], &u[3]);
    x += u[0] * mote_lane_load(g->gradient[0]);
    y += u[1] * mote_lane_load(g->gradient[1]);
    z += u[2] * mote_lane_load(g->gradient[2]);
  }
  return mote_lane_sum(x + y + z);
}

#endif
