// What one wall sample sums over the particles near it, and one particle over the samples: boundary.h.
#ifndef MOTE_WALL_SUM_ROW_H
#define MOTE_WALL_SUM_ROW_H

#include "rows/target_row.h"
#include "rows/wall_pairs.h"

typedef struct mote_wall_sum_view {
  mote_pair_scale scale;
  // Particles, and the dummy; null: stiffness.
  size_t count;
  MOTE_GLOBAL const mote_fixed_position *particle;
  MOTE_GLOBAL const float *mobility, *pressure, *divergence_pressure, *rest_density, *stiffness;
  // Samples of the part, and the dummy; null: velocity, friction, belt, owner.
  MOTE_GLOBAL const mote_fixed_position *sample;
  MOTE_GLOBAL const mote_flow *velocity;
  MOTE_GLOBAL const float *friction, *belt, *own;
  MOTE_GLOBAL const uint32_t *owner;
  MOTE_GLOBAL const uint32_t *slot;  // the row of each in walls
  mote_surface_density surface;
  float capacity_min;
  // Sums of each particle; null: alone.
  MOTE_GLOBAL float *relative, *alone, *wall, *wall_flow;
} mote_wall_sum_view;

// Weight of a wall sample in the density of fluid near it, which adds S to the sample's sum of the F that it
// can, at least `least` (docs/theory/fluids.md, "Walls"; wall_pressure.h).
static inline float mote_wall_filled(float least, float F, float S, float *slope) {
  float f = F > least ? F : least;
  *slope = S < f ? 1.0f / f : f / (S * S);
  return S < f ? 1.0f + (S - F) / f : 3.0f - F / f - f / S;
}

// --- Particles near a sample ---

typedef struct mote_sample_sums {
  mote_lane value, gradient[3], square, pressure, density, stiffness, lever[3];
} mote_sample_sums;

static inline void mote_sample_add(const mote_wall_sum_view *v, const mote_fixed_position *target,
                                   MOTE_GLOBAL mote_pair_group *group, MOTE_GLOBAL float *value,
                                   mote_sample_sums *sum) {
  MOTE_GLOBAL const uint32_t *index = group->index;
  mote_pairs p = mote_pairs_load(&v->scale, target, v->particle, index);
  mote_lane gradient_factor = mote_pairs_gradient_factor(&v->scale, &p), mobility, pressure, density,
            square = mote_lane_splat(0.0f), gradient[3];
  for (int k = 0; k < MOTE_LANES; ++k) {
    size_t j = index[k] < v->count ? index[k] : v->count - 1;  // the dummy has no weight
    mobility[k] = v->mobility[index[k]];
    pressure[k] = v->pressure[j] - v->divergence_pressure[j];
    density[k] = v->rest_density[j];
  }
  mote_lane W = mote_pairs_value(&v->scale, &p), weight = p.volume * W;
  for (int a = 0; a < 3; ++a) {
    gradient[a] = gradient_factor * p.x[a];
    sum->gradient[a] += p.volume * gradient[a];
    sum->lever[a] += weight * density * p.x[a];
    square += gradient[a] * gradient[a];
  }
  for (int a = 0; a < 3; ++a) mote_lane_store(group->gradient[a], gradient[a]);
  if (value != NULL) mote_lane_store(value, W);
  sum->value += weight;
  sum->square += mobility * square;
  sum->pressure += weight * pressure;
  sum->density += weight * density;
  if (v->stiffness == NULL) return;
  for (int k = 0; k < MOTE_LANES; ++k)
    density[k] = v->stiffness[index[k] < v->count ? index[k] : v->count - 1];
  sum->stiffness += weight * density;
}

// What fluid can add to the sum of a body's sample: not what lies above a free surface, where that is not
// filled as yet (surface_density.h).
static inline float mote_sample_capacity(const mote_wall_sum_view *v, const mote_wall_pairs *w, size_t n,
                                         float filled) {
  float F = 1.0f - w->own[n], square = 0.0f;
  if (w->outward == NULL || v->owner[w->sample[n]] == 0 || filled >= F) return F;
  for (size_t k = 3 * n; k < 3 * n + 3; ++k)
    square += (w->outward[k] + w->gradient[k]) * (w->outward[k] + w->gradient[k]);
  return fmaxf(filled, mote_surface_density_at(&v->surface, sqrtf(square)) - w->own[n]);
}

// Velocities and friction of sample b, in row n.
static inline void mote_sample_motion(const mote_wall_sum_view *v, const mote_wall_pairs *w, size_t n,
                                      size_t b) {
  w->flow[n] = 0.0f;
  for (size_t a = 0; a < 3; ++a) {
    float u = v->velocity != NULL ? v->velocity[b].u[a] : 0.0f;
    w->velocity[3 * n + a] = u;
    w->flow[n] += u * w->gradient[3 * n + a];
    if (w->friction != NULL) w->posed[3 * n + a] = u;
    if (w->smoothing != NULL) w->smoothing[4 * n + a] = v->belt != NULL ? v->belt[3 * b + a] : 0.0f;
  }
  if (w->friction != NULL) w->friction[n] = v->friction[b];
  if (w->smoothing != NULL) w->smoothing[4 * n + 3] = v->friction[b] * v->sample[b].volume;
}

// Writes row n of the samples and the pairs of its particle_neighbours.
static inline void mote_sample_row(const mote_wall_sum_view *v, const mote_wall_pairs *w, size_t n) {
  size_t b = w->sample[n];
  mote_fixed_position target = v->sample[b];
  mote_lane zero = mote_lane_splat(0.0f);
  mote_sample_sums sum = {zero, {zero, zero, zero}, zero, zero, zero, zero, {zero, zero, zero}};
  MOTE_GLOBAL float *W = w->particle_neighbour_value;
  mote_groups g = mote_wall_groups(&w->particle_neighbours, n);
  for (; g.at < g.end; g.at += MOTE_GROUP_STRIDE) {
    mote_sample_add(v, &target, w->particle_neighbours.group + g.at, W != NULL ? W + MOTE_LANES * g.at : NULL,
                    &sum);
  }
  float value = mote_lane_sum(sum.value), per_value = value > 0.0f ? 1.0f / value : 0.0f;
  w->volume[n] = w->weight[n] = target.volume;
  w->fixed_position[n] = target;
  w->own[n] = v->own[b];
  w->relative[n] = w->own[n] + value;
  w->diagonal[n] = target.volume * mote_lane_sum(sum.square);
  w->pressure[n] = mote_lane_sum(sum.pressure) * per_value;
  w->rest_density[n] = mote_lane_sum(sum.density) * per_value;
  if (w->stiffness != NULL) w->stiffness[n] = mote_lane_sum(sum.stiffness) * per_value;
  for (size_t a = 0; a < 3; ++a) {
    w->gradient[3 * n + a] = mote_lane_sum(sum.gradient[a]);
    if (w->lever != NULL) w->lever[3 * n + a] = mote_lane_sum(sum.lever[a]) * per_value;
  }
  mote_sample_motion(v, w, n, b);
  if (w->share == NULL) return;
  float slope;
  w->capacity[n] = mote_sample_capacity(v, w, n, value);
  w->weight[n] *= mote_wall_filled(v->capacity_min, w->capacity[n], value, &slope);
  w->share[n] = slope * target.volume;
}

// --- Samples near a particle ---

typedef struct mote_near_sums {
  mote_lane value, gradient[3], flow;
} mote_near_sums;

// Replaces the indices of the group, samples of the part, by their rows in walls.
static inline void mote_near_add(const mote_wall_sum_view *v, const mote_wall_pairs *w,
                                 const mote_fixed_position *target, MOTE_GLOBAL mote_pair_group *group,
                                 MOTE_GLOBAL float *value, mote_near_sums *sum) {
  mote_pairs p = mote_pairs_load(&v->scale, target, v->sample, group->index);
  mote_lane u[4], gradient[3], weight;
  if (v->velocity != NULL) {
    for (int k = 0; k < 4; ++k) u[k] = mote_lane_load(v->velocity + group->index[k]);
    mote_lane_transpose(&u[0], &u[1], &u[2], &u[3]);
  }
  mote_lane gradient_factor = mote_pairs_gradient_factor(&v->scale, &p), W = mote_pairs_value(&v->scale, &p);
  for (int k = 0; k < MOTE_LANES; ++k) {
    group->index[k] = v->slot[group->index[k]];
    weight[k] = w->weight[group->index[k]];
  }
  sum->value += weight * W;
  for (int a = 0; a < 3; ++a) {
    gradient[a] = gradient_factor * p.x[a];
    sum->gradient[a] += weight * gradient[a];
    if (v->velocity != NULL) sum->flow += u[a] * (weight * gradient[a]);
  }
  for (int a = 0; a < 3; ++a) mote_lane_store(group->gradient[a], gradient[a]);
  if (value != NULL) mote_lane_store(value, W);
}

// Adds to the sums of the particle of row n; G is that of gradients.
static inline void mote_near_row(const mote_wall_sum_view *v, const mote_wall_pairs *w, size_t n,
                                 float G[3]) {
  size_t i = w->index[n];
  mote_fixed_position target = v->particle[i];
  mote_lane zero = mote_lane_splat(0.0f);
  mote_near_sums sum = {zero, {zero, zero, zero}, zero};
  MOTE_GLOBAL float *W = w->sample_neighbour_value;
  for (mote_groups g = mote_wall_groups(&w->sample_neighbours, n); g.at < g.end; g.at += MOTE_GROUP_STRIDE) {
    mote_near_add(v, w, &target, w->sample_neighbours.group + g.at, W != NULL ? W + MOTE_LANES * g.at : NULL,
                  &sum);
  }
  float value = mote_lane_sum(sum.value);
  v->relative[i] += value;
  if (v->alone != NULL) v->alone[i] += value;
  for (size_t a = 0; a < 3; ++a) {
    G[a] = mote_lane_sum(sum.gradient[a]);
    v->wall[3 * i + a] += G[a];
  }
  v->wall_flow[i] += mote_lane_sum(sum.flow);
}

#endif
