// Friction of walls on one particle.
//
// Samples lie behind the surface: with its velocity a fluid would slip by half a spacing. They get the
// velocity that a linear profile has there (Morris, Fox & Zhu 1997), so that with heights
// taken along the wall's normal v_i - v_b becomes (v_i - v_wall) h_ib / h_i. The first layer is d/2 deep.
#ifndef MOTE_WALL_FRICTION_ROW_H
#define MOTE_WALL_FRICTION_ROW_H

#include "rows/wall_pairs.h"

typedef struct mote_wall_friction_law {
  bool is_central;          // the form of viscosity
  float dimensions, reach;  // l^2 of viscous_row.h, m^2
} mote_wall_friction_law;

// Factor of the friction of a sample at distance^2 `square`, `height` of it along the normal. In the central
// form that of the force along the surface, the mean of its axes, used in all directions.
static inline float mote_wall_friction_factor(const mote_wall_friction_law *law, float height, float square) {
  if (!law->is_central) return 1.0f;
  float along = square - height * height, d = law->dimensions;
  return along > 0.0f ? (d + 2.0f) / (d - 1.0f) * along / law->reach : 0.0f;
}

typedef struct mote_wall_friction_view {
  mote_pair_scale scale;
  mote_wall_friction_law law;
  float spacing, support;                           // m
  MOTE_GLOBAL const mote_fixed_position *particle;  // of each particle
  MOTE_GLOBAL const float *friction, *belt;         // of each sample of the part; null: belt
  MOTE_GLOBAL const mote_flow *velocity;            // the same; null: at rest
  MOTE_GLOBAL float *wall_friction_sum;             // of each particle
} mote_wall_friction_view;

typedef struct mote_friction_pairs {
  mote_lane height;  // of the particle above the samples, along the normal
  mote_lane weight;  // V_b c, grad W = c x_ib
  mote_lane square;  // of the distance
} mote_friction_pairs;

// Of one group of row n, of particle i; G per_length is the unit vector into the wall.
static inline mote_friction_pairs mote_friction_pairs_of(const mote_wall_friction_view *v,
                                                         const mote_wall_pairs *w, size_t i, size_t group,
                                                         const float G[3], float per_length) {
  mote_fixed_position target = v->particle[i];
  mote_pairs p =
      mote_pairs_load(&v->scale, &target, w->fixed_position, w->sample_neighbours.group[group].index);
  return (mote_friction_pairs){-per_length * (p.x[0] * G[0] + p.x[1] * G[1] + p.x[2] * G[2]),
                               p.volume * mote_pairs_gradient_factor(&v->scale, &p),
                               p.x[0] * p.x[0] + p.x[1] * p.x[1] + p.x[2] * p.x[2]};
}

// The height of the lowest sample.
static inline float mote_friction_nearest(const mote_wall_friction_view *v, const mote_wall_pairs *w,
                                          size_t n, const float G[3], float per_length) {
  float nearest = v->support;
  for (mote_groups g = mote_wall_groups(&w->sample_neighbours, n); g.at < g.end; g.at += MOTE_GROUP_STRIDE) {
    mote_friction_pairs p = mote_friction_pairs_of(v, w, w->index[n], g.at, G, per_length);
    for (int k = 0; k < MOTE_LANES && w->sample_neighbours.group[g.at].index[k] < w->samples; ++k)
      nearest = p.height[k] < nearest ? p.height[k] : nearest;
  }
  return nearest;
}

// Adds f_b V_b c_ib (v_b, 1) of one sample b.
static inline void mote_friction_add(const mote_wall_friction_view *v, size_t i, size_t b, float weight) {
  MOTE_GLOBAL float *sum = v->wall_friction_sum + 4 * i;
  for (size_t a = 0; a < 3; ++a) {
    float u = v->velocity != NULL ? v->velocity[b].u[a] : 0.0f;
    sum[a] += weight * (v->belt != NULL ? u + v->belt[3 * b + a] : u);
  }
  sum[3] += weight;
}

// Adds the friction of the samples near row n to wall_friction_sum of its particle, after mote_near_row, of
// which G is. Where bodies float, keeps its wall plane.
static inline void mote_wall_friction_row(const mote_wall_friction_view *v, const mote_wall_pairs *w,
                                          size_t n, const float G[3]) {
  size_t i = w->index[n];
  float length = G[0] * G[0] + G[1] * G[1] + G[2] * G[2];
  if (length == 0.0f) return;
  float per_length = 1.0f / sqrtf(length), least = 0.25f * v->spacing;
  float own = mote_friction_nearest(v, w, n, G, per_length) - 0.5f * v->spacing;
  float height = own > least ? own : least;
  for (mote_groups g = mote_wall_groups(&w->sample_neighbours, n); g.at < g.end; g.at += MOTE_GROUP_STRIDE) {
    MOTE_GLOBAL const uint32_t *row = w->sample_neighbours.group[g.at].index;
    mote_friction_pairs p = mote_friction_pairs_of(v, w, i, g.at, G, per_length);
    for (int k = 0; k < MOTE_LANES && row[k] < w->samples; ++k) {
      size_t b = w->sample[row[k]];
      float weight = p.weight[k] * mote_wall_friction_factor(&v->law, p.height[k], p.square[k]);
      mote_friction_add(v, i, b,
                        v->friction[b] * weight * (p.height[k] > height ? p.height[k] / height : 1.0f));
    }
  }
  for (size_t a = 0; a < 3 && w->wall_plane != NULL; ++a) w->wall_plane[4 * i + a] = G[a] * per_length;
  if (w->wall_plane != NULL) w->wall_plane[4 * i + 3] = height;
}

#endif
