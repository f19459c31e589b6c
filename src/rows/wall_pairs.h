// Pairs of particles and wall samples as rows read them, and the sums over them that pressure solvers
// repeat.
#ifndef MOTE_WALL_PAIRS_H
#define MOTE_WALL_PAIRS_H

#include "rows/pair_lanes.h"

// Four pairs of a wall: a cache line, with indices as those of mote_pair_lanes.
typedef struct mote_pair_group {
  uint32_t index[MOTE_LANES];
  float gradient[3][MOTE_LANES];  // of W_ij at i: x, y, z
} mote_pair_group;

// Rows of groups.
typedef struct mote_pair_set {
  size_t rows, groups;
  MOTE_GLOBAL uint32_t *first, *number;
  MOTE_GLOBAL mote_pair_group *group;
} mote_pair_set;

// Wall samples with fluid neighbours and the particles with wall neighbours, of one part of a boundary.
typedef struct mote_wall_pairs {
  MOTE_GLOBAL uint32_t *index;        // the particle of each row of sample_neighbours
  mote_pair_set sample_neighbours;    // rows are particles, neighbours are samples
  size_t samples;                     // rows below; those marked + have one more, the dummy's, which is 0
  mote_pair_set particle_neighbours;  // rows are samples, neighbours are particles
  MOTE_GLOBAL float *sample_neighbour_value,
      *particle_neighbour_value;  // W of each pair, four a group; WCSPH: null, as is share
  MOTE_GLOBAL float *volume;      // + V_b
  MOTE_GLOBAL float *share;       // + weight of the neighbouring particles in P_b (wall_pressure.h)
  MOTE_GLOBAL float *capacity;    // what fluid can add to `own` (wall_gather.c)
  MOTE_GLOBAL float *weight;      // + effective volume: V_b, or V_b r_b (wall_pressure.h)
  MOTE_GLOBAL mote_fixed_position *fixed_position;  // +
  MOTE_GLOBAL float *velocity;                      // v_b
  MOTE_GLOBAL float *own;                           // the samples' part of D_b
  MOTE_GLOBAL float *relative;                      // D_b
  MOTE_GLOBAL float *diagonal;                      // V_b sum_j V_j / rho0_j |grad W_bj|^2
  MOTE_GLOBAL float *flow;                          // sum_j V_j v_b . grad W_bj
  MOTE_GLOBAL float *pressure;      // Pa: mean of the neighbouring particles, by the density solve
  MOTE_GLOBAL float *rest_density;  // mean of the neighbouring particles
  MOTE_GLOBAL float *gradient;      // three: sum_j V_j grad W_bj
  MOTE_GLOBAL uint32_t *sample;     // their numbers in the part, ascending
  MOTE_GLOBAL double *position;     // present positions
  // With floating bodies that have friction: friction and, three each, the velocities used in
  // wall_friction_sum; and four per particle, the unit vector into the wall and the height above it, 0: none.
  // Else null.
  MOTE_GLOBAL float *friction, *posed, *wall_plane;
  MOTE_GLOBAL float *smoothing;  // four: tangential velocity of the surface and f_b V_b, f the friction, for
                                 // XSPH; null: none, or no friction
  MOTE_GLOBAL float *stiffness;  // K of a law of its own, 0: the solver's law; null: all have that
  MOTE_GLOBAL float *outward;    // three: as gradient, of the samples of the same body; null: no body floats
  MOTE_GLOBAL float *lever;  // three: mean of rho (x_b - x_j) over the neighbouring particles; times gravity,
                             // the hydrostatic part of p_b. Null: not used (wall_gather.c)
} mote_wall_pairs;

static inline mote_groups mote_wall_groups(const mote_pair_set *set, size_t i) {
  return mote_groups_of(set->first, set->number, i);
}

// sum_j value_j grad W_ij: one number is gathered per neighbour.
static inline void mote_pair_set_gradient_sum(const mote_pair_set *set, size_t i,
                                              MOTE_GLOBAL const float *value, float sum[3]) {
  mote_lane x = mote_lane_splat(0.0f), y = x, z = x;
  for (mote_groups g = mote_wall_groups(set, i); g.at < g.end; g.at += MOTE_GROUP_STRIDE) {
    MOTE_GLOBAL const mote_pair_group *group = set->group + g.at;
    mote_lane w = {value[group->index[0]], value[group->index[1]], value[group->index[2]],
                   value[group->index[3]]};
    x += w * mote_lane_load(group->gradient[0]);
    y += w * mote_lane_load(group->gradient[1]);
    z += w * mote_lane_load(group->gradient[2]);
  }
  sum[0] = mote_lane_sum(x), sum[1] = mote_lane_sum(y), sum[2] = mote_lane_sum(z);
}

// sum_j V_j u_j . grad W_ij: four numbers per neighbour.
static inline float mote_pair_set_flow(const mote_pair_set *set, size_t i,
                                       MOTE_GLOBAL const mote_flow *flow) {
  mote_lane x = mote_lane_splat(0.0f), y = x, z = x;
  for (mote_groups g = mote_wall_groups(set, i); g.at < g.end; g.at += MOTE_GROUP_STRIDE) {
    MOTE_GLOBAL const mote_pair_group *group = set->group + g.at;
    mote_lane u[4];
    for (int k = 0; k < 4; ++k) u[k] = mote_lane_load(flow[group->index[k]].u);
    mote_lane_transpose(&u[0], &u[1], &u[2], &u[3]);
    x += u[0] * mote_lane_load(group->gradient[0]);
    y += u[1] * mote_lane_load(group->gradient[1]);
    z += u[2] * mote_lane_load(group->gradient[2]);
  }
  return mote_lane_sum(x + y + z);
}

// sum_j value_j W_ij.
static inline float mote_pair_set_weigh(const mote_pair_set *set, MOTE_GLOBAL const float *W, size_t i,
                                        MOTE_GLOBAL const float *value) {
  mote_lane sum = mote_lane_splat(0.0f);
  for (mote_groups g = mote_wall_groups(set, i); g.at < g.end; g.at += MOTE_GROUP_STRIDE) {
    MOTE_GLOBAL const uint32_t *j = set->group[g.at].index;
    mote_lane v = {value[j[0]], value[j[1]], value[j[2]], value[j[3]]};
    sum += v * mote_lane_load(W + MOTE_LANES * g.at);
  }
  return mote_lane_sum(sum);
}

// P_b V_b r_b: share times the sum of the neighbouring particles' V P (wall_pressure.h).
static inline float mote_wall_pressure_row(const mote_wall_pairs *w, MOTE_GLOBAL const float *value,
                                           size_t b) {
  return w->share[b] * mote_pair_set_weigh(&w->particle_neighbours, w->particle_neighbour_value, b, value);
}

// Adds to sum of the particle of row n those of the samples near it.
static inline void mote_wall_sum_row(const mote_wall_pairs *w, MOTE_GLOBAL const float *value,
                                     MOTE_GLOBAL float *sum, size_t n) {
  sum[w->index[n]] += mote_pair_set_weigh(&w->sample_neighbours, w->sample_neighbour_value, n, value);
}

#endif
