// The two sums over fluid neighbours that pressure solvers repeat: the acceleration of pressures, which
// gathers one number per neighbour, and the rate of compression of a flow, which gathers four. Walls are in
// the sums of the target.
#ifndef MOTE_PASSES_H
#define MOTE_PASSES_H

#include "solver/fluid.h"

// V u of a particle's vector u.
typedef struct mote_flow {
  float u[3], zero;
} mote_flow;

// a_i of the pressures P = p / D^2; push = V P, with 0 for the dummy.
static inline void mote_pass_pressure(const mote_fluid *f, float P, const float *push, size_t i, float a[3]) {
  mote_lane x = mote_lane_splat(0.0f), y = x, z = x;
  mote_group_range range = mote_fluid_groups(f, i);
  for (const mote_pair_group *g = range.first; g < range.end; ++g) {
    mote_lane w = {push[g->index[0]], push[g->index[1]], push[g->index[2]], push[g->index[3]]};
    x += w * mote_lane_load(g->gradient[0]);
    y += w * mote_lane_load(g->gradient[1]);
    z += w * mote_lane_load(g->gradient[2]);
  }
  float inverse = -1.0f / f->rest_density[i], sum[3] = {mote_lane_sum(x), mote_lane_sum(y), mote_lane_sum(z)};
  for (int k = 0; k < 3; ++k) {
    float own = f->gradient[3 * i + k] + MOTE_WALL_FACTOR * f->wall[3 * i + k];
    a[k] = inverse * (P * own + sum[k]);
  }
}

// dD_i/dt = sum_j V_j (u_i - u_j) . grad W_ij + sum_b V_b u_i . grad W_ib; walls are at rest.
static inline float mote_pass_compression(const mote_fluid *f, const mote_flow *flow, size_t i) {
  mote_lane x = mote_lane_splat(0.0f), y = x, z = x;
  mote_group_range range = mote_fluid_groups(f, i);
  for (const mote_pair_group *g = range.first; g < range.end; ++g) {
    mote_lane u[4];
    for (int k = 0; k < 4; ++k) u[k] = mote_lane_load(flow[g->index[k]].u);
    mote_lane_transpose(&u[0], &u[1], &u[2], &u[3]);
    x += u[0] * mote_lane_load(g->gradient[0]);
    y += u[1] * mote_lane_load(g->gradient[1]);
    z += u[2] * mote_lane_load(g->gradient[2]);
  }
  float own = 0.0f;
  for (int k = 0; k < 3; ++k) own += flow[i].u[k] * (f->gradient[3 * i + k] + f->wall[3 * i + k]);
  return own / f->volume[i] - mote_lane_sum(x + y + z);
}

#endif
