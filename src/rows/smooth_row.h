// XSPH of one particle: xsph.h.
#ifndef MOTE_SMOOTH_ROW_H
#define MOTE_SMOOTH_ROW_H

#include "rows/wall_pairs.h"

// Gathered per neighbour: its velocity without the shift, and xi; per sample: its velocity, including
// tangential motion of the surface, and f_b V_b.
typedef struct mote_smooth_record {
  float velocity[3], weight;
} mote_smooth_record;

typedef struct mote_smooth_view {
  mote_pair_view pairs;
  MOTE_GLOBAL const float *xsph, *mass, *density, *velocity;
  MOTE_GLOBAL const float *shift;          // null: none
  MOTE_GLOBAL mote_smooth_record *record;  // one more, the dummy's
  MOTE_GLOBAL const float *wall;           // sums of mote_wall_smooth_row; null: no wall has friction
  MOTE_GLOBAL float *out;                  // three each: velocity, which changes, or the motion to be added
  bool adds;                               // to what `out` has
} mote_smooth_view;

static inline void mote_smooth_record_row(const mote_smooth_view *v, size_t i) {
  for (size_t a = 0; a < 3; ++a) {
    float shift = v->shift != NULL ? v->shift[3 * i + a] : 0.0f;
    v->record[i].velocity[a] = v->velocity[3 * i + a] - shift;
  }
  v->record[i].weight = v->xsph[i];
}

static inline mote_lane mote_smooth_load(MOTE_GLOBAL const mote_smooth_record *record,
                                         MOTE_GLOBAL const uint32_t *index, mote_lane u[4]) {
  for (int k = 0; k < MOTE_LANES; ++k) u[k] = mote_lane_load(record + index[k]);
  mote_lane_transpose(&u[0], &u[1], &u[2], &u[3]);
  return u[3];
}

// xi_ij m_j / rho_ij W_ij with arithmetic means.
static inline mote_lane mote_smooth_weight(const mote_smooth_view *v, size_t i,
                                           MOTE_GLOBAL const uint32_t *index, const mote_pairs *p,
                                           mote_lane xi) {
  mote_lane mass = mote_lane_splat(0.0f), density = mass;
  for (int k = 0; k < MOTE_LANES; ++k) {
    if (index[k] >= v->pairs.rows) continue;  // the dummy
    mass[k] = v->mass[index[k]], density[k] = v->density[index[k]];
  }
  return (v->xsph[i] + xi) * mass / (v->density[i] + density) * mote_pairs_value(&v->pairs.scale, p);
}

// After mote_smooth_record_row and mote_wall_smooth_row of all.
static inline void mote_smooth_row(const mote_smooth_view *v, size_t i) {
  MOTE_GLOBAL const float *own = v->record[i].velocity;
  mote_lane zero = mote_lane_splat(0.0f), sum[3] = {zero, zero, zero}, u[4];
  for (mote_groups g = mote_pair_groups(&v->pairs, i); g.at < g.end; g.at += MOTE_GROUP_STRIDE) {
    MOTE_GLOBAL const uint32_t *index = v->pairs.lanes[g.at].index;
    mote_pairs p = mote_pair_lanes_load(&v->pairs, i, g.at);
    mote_lane w = mote_smooth_weight(v, i, index, &p, mote_smooth_load(v->record, index, u));
    for (int a = 0; a < 3; ++a) sum[a] += w * (own[a] - u[a]);
  }
  for (size_t a = 0; a < 3; ++a) {
    float change = mote_lane_sum(sum[a]);
    if (v->wall != NULL) change += v->xsph[i] * (v->wall[4 * i + 3] * own[a] - v->wall[4 * i + a]);
    v->out[3 * i + a] = v->adds ? v->out[3 * i + a] - change : -change;
  }
}

// Adds f_b V_b W_ib (v_b, 1) of the samples near row n to `out`, four of each particle.
static inline void mote_wall_smooth_row(const mote_pair_view *pairs, const mote_wall_pairs *w,
                                        MOTE_GLOBAL const mote_smooth_record *record, size_t n,
                                        MOTE_GLOBAL float *out) {
  size_t i = w->index[n];
  mote_lane zero = mote_lane_splat(0.0f), sum[4] = {zero, zero, zero, zero}, u[4];
  mote_fixed_position own = pairs->fixed_position[i];
  for (mote_groups g = mote_wall_groups(&w->sample_neighbours, n); g.at < g.end; g.at += MOTE_GROUP_STRIDE) {
    MOTE_GLOBAL const uint32_t *index = w->sample_neighbours.group[g.at].index;
    mote_pairs p = mote_pairs_load(&pairs->scale, &own, w->fixed_position, index);
    mote_lane weight = mote_smooth_load(record, index, u) * mote_pairs_value(&pairs->scale, &p);
    for (int a = 0; a < 3; ++a) sum[a] += weight * u[a];
    sum[3] += weight;
  }
  for (size_t a = 0; a < 4; ++a) out[4 * i + a] += mote_lane_sum(sum[a]);
}

#endif
