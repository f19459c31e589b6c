// Surface tension of one particle: tension.h.
#ifndef MOTE_TENSION_ROW_H
#define MOTE_TENSION_ROW_H

#include "rows/wall_pairs.h"

// Interaction of a pair of materials.
typedef struct mote_tension_bond {
  float tension_factor;  // of pairs: the force over V_i V_j is tension_factor q (1 - q)^2
  float blend;           // b of the other in the normal
} mote_tension_bond;

// Gathered per neighbour: its normal n, later 2 sigma n / |n|, and its material.
typedef struct mote_tension_normal {
  float n[3], kind;
} mote_tension_normal;

typedef struct mote_tension_view {
  mote_pair_view pairs;
  size_t kinds;
  MOTE_GLOBAL const mote_tension_bond *bond, *wall;  // kinds x kinds; each with walls
  MOTE_GLOBAL const float *curve;                    // 2 sigma of the normals' part, of each kind
  MOTE_GLOBAL const uint32_t *kind;                  // of each particle, and the dummy
  MOTE_GLOBAL const float *gradient, *rest_density;
  MOTE_GLOBAL mote_tension_normal *normal;  // one more, the dummy's
  MOTE_GLOBAL float *acceleration;
  float noise;  // e^2
} mote_tension_view;

static inline MOTE_GLOBAL const mote_tension_bond *mote_tension_bonds(const mote_tension_view *v, size_t i) {
  return v->bond + v->kind[i] * v->kinds;
}

// --- Normals ---

static inline void mote_mixed_normal(const mote_tension_view *v, size_t i, float n[3]) {
  MOTE_GLOBAL const mote_tension_bond *bond = mote_tension_bonds(v, i);
  mote_lane zero = mote_lane_splat(0.0f), sum[3] = {zero, zero, zero};
  for (mote_groups g = mote_pair_groups(&v->pairs, i); g.at < g.end; g.at += MOTE_GROUP_STRIDE) {
    mote_pairs p = mote_pair_lanes_load(&v->pairs, i, g.at);
    mote_lane w = p.volume * mote_pair_lanes_gradient_factor(&v->pairs, g.at, &p);
    for (int k = 0; k < MOTE_LANES; ++k) w[k] *= bond[v->kind[v->pairs.lanes[g.at].index[k]]].blend;
    for (int a = 0; a < 3; ++a) sum[a] += w * p.x[a];
  }
  for (int a = 0; a < 3; ++a) n[a] = mote_lane_sum(sum[a]);
}

// Of one fluid it is g of the step.
static inline void mote_normal_row(const mote_tension_view *v, size_t i) {
  float n[3];
  if (v->kinds > 1) mote_mixed_normal(v, i, n);
  for (size_t a = 0; a < 3; ++a) v->normal[i].n[a] = v->kinds > 1 ? n[a] : v->gradient[3 * i + a];
  v->normal[i].kind = (float)v->kind[i];
}

// Adds that of samples, to the particle of row n.
static inline void mote_wall_normal_row(const mote_tension_view *v, const mote_wall_pairs *w, size_t n) {
  float sum[3];
  size_t i = w->index[n];
  float blend = v->wall[v->kind[i]].blend;
  mote_pair_set_gradient_sum(&w->sample_neighbours, n, w->volume, sum);
  for (int a = 0; a < 3; ++a) v->normal[i].n[a] += blend * sum[a];
}

static inline void mote_scale_normal_row(const mote_tension_view *v, size_t i) {
  MOTE_GLOBAL float *n = v->normal[i].n;
  float scale = v->curve[v->kind[i]] / sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] + v->noise);
  for (int a = 0; a < 3; ++a) n[a] *= scale;
}

// --- Forces ---

// Adds the forces of four pairs over V_i: -b V_j (grad grad W)(m_i - m_j), and the attraction.
static inline void mote_tension_pairs_add(const mote_pair_scale *scale, const mote_pairs *p,
                                          mote_lane tension_factor, mote_lane blend, const mote_lane m[3],
                                          mote_lane sum[3]) {
  mote_lane slope = mote_pairs_gradient_factor(scale, p), second = mote_pairs_second(scale, p);
  mote_lane t = mote_lane_max(1.0f - p->q, mote_lane_splat(0.0f)), along = mote_lane_splat(0.0f);
  mote_lane square = p->x[0] * p->x[0] + p->x[1] * p->x[1] + p->x[2] * p->x[2];
  for (int a = 0; a < 3; ++a) along += m[a] * p->x[a];
  along *= (second - slope) / mote_lane_max(square, mote_lane_splat(0x1p-100f));
  mote_lane attract = tension_factor * (t * t) * scale->inverse;
  for (int a = 0; a < 3; ++a) {
    sum[a] -= p->volume * (attract * p->x[a] + blend * (slope * m[a] + along * p->x[a]));
  }
}

static inline void mote_tension_give(const mote_tension_view *v, size_t i, const mote_lane sum[3]) {
  for (int a = 0; a < 3; ++a)
    v->acceleration[3 * i + (size_t)a] += mote_lane_sum(sum[a]) / v->rest_density[i];
}

static inline void mote_tension_row(const mote_tension_view *v, size_t i) {
  MOTE_GLOBAL const mote_tension_bond *bond = mote_tension_bonds(v, i);
  MOTE_GLOBAL const float *own = v->normal[i].n;
  mote_lane zero = mote_lane_splat(0.0f), sum[3] = {zero, zero, zero};
  for (mote_groups g = mote_pair_groups(&v->pairs, i); g.at < g.end; g.at += MOTE_GROUP_STRIDE) {
    MOTE_GLOBAL const uint32_t *j = v->pairs.lanes[g.at].index;
    mote_pairs p = mote_pair_lanes_load(&v->pairs, i, g.at);
    mote_lane u[4], tension_factor, blend;
    for (int k = 0; k < MOTE_LANES; ++k) {
      u[k] = mote_lane_load(v->normal + j[k]);
      MOTE_GLOBAL const mote_tension_bond *b = &bond[(size_t)u[k][3]];
      tension_factor[k] = b->tension_factor, blend[k] = b->blend;
    }
    mote_lane_transpose(&u[0], &u[1], &u[2], &u[3]);
    mote_lane m[3] = {own[0] - u[0], own[1] - u[1], own[2] - u[2]};
    mote_tension_pairs_add(&v->pairs.scale, &p, tension_factor, blend, m, sum);
  }
  mote_tension_give(v, i, sum);
}

// The forces of samples, on the particle of row n.
static inline void mote_wall_tension_row(const mote_tension_view *v, const mote_wall_pairs *w, size_t n) {
  size_t i = w->index[n];
  mote_fixed_position target = v->pairs.fixed_position[i];
  MOTE_GLOBAL const mote_tension_bond *wall = &v->wall[v->kind[i]];
  MOTE_GLOBAL const float *own = v->normal[i].n;
  mote_lane tension_factor = mote_lane_splat(wall->tension_factor), blend = mote_lane_splat(wall->blend);
  mote_lane zero = mote_lane_splat(0.0f), sum[3] = {zero, zero, zero};
  mote_lane m[3] = {mote_lane_splat(own[0]), mote_lane_splat(own[1]), mote_lane_splat(own[2])};
  for (mote_groups g = mote_wall_groups(&w->sample_neighbours, n); g.at < g.end; g.at += MOTE_GROUP_STRIDE) {
    mote_pairs p =
        mote_pairs_load(&v->pairs.scale, &target, w->fixed_position, w->sample_neighbours.group[g.at].index);
    mote_tension_pairs_add(&v->pairs.scale, &p, tension_factor, blend, m, sum);
  }
  mote_tension_give(v, i, sum);
}

#endif
