// Sums of wall samples at particles and of particles at wall samples: see boundary.h. Akinci et al. 2012 and
// EG09 (55), with volumes in place of masses, and with pressures on the walls (docs/theory/fluids.md,
// "Walls").
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "pairs/pairs.h"
#include "pairs/surface_density.h"
#include "pairs/wall_filled.h"
#include "pairs/wall_task.h"

// Memory for W of each pair of a set, which iterative pressure solvers read.
static mote_result take_values(const mote_wall_task *job, const mote_pair_set *set, float **value,
                               mote_error *error) {
  *value = NULL;
  if (job->fluid->diagonal == NULL) return MOTE_OK;
  MOTE_TAKE(*value, job->fluid->scratch, MOTE_LANES * set->groups, error);
  return MOTE_OK;
}

static inline float *value_at(float *value, size_t group) {
  return value != NULL ? value + MOTE_LANES * group : NULL;
}

// --- Particles near samples ---

static void position_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const mote_wall_task *job = data;
  for (size_t b = begin; b < end; ++b) {
    memcpy(job->position + 3 * b, job->part->position + 3 * job->walls->sample[b], 3 * sizeof(double));
  }
}

static mote_result take_samples(mote_wall_task *job, mote_error *error) {
  mote_wall_pairs *w = job->walls;
  const mote_fluid *f = job->fluid;
  const mote_sample_part *part = job->part;
  mote_arena *arena = f->scratch;
  size_t n = w->samples;
  float **one[] = {&w->volume,   &w->weight, &w->own,      &w->relative,
                   &w->diagonal, &w->flow,   &w->pressure, &w->rest_density};
  for (size_t k = 0; k < sizeof one / sizeof *one; ++k) MOTE_TAKE(*one[k], arena, n + 1, error);
  MOTE_TAKE(w->fixed_position, arena, n + 1, error);
  MOTE_TAKE(w->velocity, arena, 3 * n, error);
  MOTE_TAKE(w->gradient, arena, 3 * n, error);
  if (f->stiffness != NULL) MOTE_TAKE(w->stiffness, arena, n, error);
  MOTE_TAKE(job->position, arena, 3 * n, error);
  w->position = job->position;
  w->volume[n] = w->weight[n] = 0.0f;
  w->fixed_position[n] = (mote_fixed_position){.volume = 0.0f};
  mote_parallel_for(f->env.threads, n, MOTE_WALL_CHUNK, position_chunk, job);
  if (f->diagonal != NULL) {  // read by iterative pressure solvers only
    MOTE_TAKE(w->share, arena, n + 1, error);
    MOTE_TAKE(w->capacity, arena, n, error);
    w->share[n] = 0.0f;
  }
  bool floats = f->coupled_count > 0 && part->velocity != NULL;  // of an incompressible fluid
  if (f->compression != NULL || (floats && w->share != NULL)) MOTE_TAKE(w->lever, arena, 3 * n, error);
  if (floats && f->wall_friction_sum != NULL) {  // read by the friction of coupled bodies only
    MOTE_TAKE(w->friction, arena, n, error);
    MOTE_TAKE(w->posed, arena, 3 * n, error);
    MOTE_TAKE(w->wall_plane, arena, 4 * f->count, error);
    memset(w->wall_plane, 0, 4 * f->count * sizeof(float));
  }
  if (f->xsph != NULL && part->friction != NULL) MOTE_TAKE(w->smoothing, arena, 4 * n, error);
  return MOTE_OK;
}

typedef struct sample_sums {
  mote_lane value, gradient[3], square, pressure, density, stiffness, lever[3];
} sample_sums;

static inline void add_particles(const mote_wall_task *job, const mote_fixed_position *target,
                                 mote_pair_group *group, float *value, sample_sums *sum) {
  const mote_fluid *f = job->fluid;
  const uint32_t *index = group->index;
  mote_pairs p = mote_pairs_load(&job->scale, target, f->fixed_position, index);
  mote_lane gradient_factor = mote_pairs_gradient_factor(&job->scale, &p), mobility, pressure, density,
            square = {0}, gradient[3];
  for (int k = 0; k < MOTE_LANES; ++k) {
    size_t j = index[k] < f->count ? index[k] : f->count - 1;  // the dummy has no weight
    mobility[k] = f->mobility[index[k]];
    pressure[k] = f->pressure[j] - f->divergence_pressure[j];
    density[k] = f->rest_density[j];
  }
  mote_lane W = mote_pairs_value(&job->scale, &p), weight = p.volume * W;
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
  if (f->stiffness == NULL) return;
  for (int k = 0; k < MOTE_LANES; ++k)
    density[k] = f->stiffness[index[k] < f->count ? index[k] : f->count - 1];
  sum->stiffness += weight * density;
}

// What fluid can add to the sum of a body's sample: not what lies above a free surface, where that is not
// filled as yet (surface_density.h).
static float capacity_at(const mote_wall_task *job, size_t n, float filled) {
  const mote_wall_pairs *w = job->walls;
  float F = 1.0f - w->own[n], square = 0.0f;
  if (w->outward == NULL || job->part->owner[w->sample[n]] == 0 || filled >= F) return F;
  for (size_t k = 3 * n; k < 3 * n + 3; ++k)
    square += (w->outward[k] + w->gradient[k]) * (w->outward[k] + w->gradient[k]);
  return fmaxf(filled, mote_surface_density_at(&job->fluid->surface, sqrtf(square)) - w->own[n]);
}

static void sample_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const mote_wall_task *job = data;
  mote_wall_pairs *w = job->walls;
  for (size_t n = begin; n < end; ++n) {
    size_t b = job->walls->sample[n];
    const mote_fixed_position *fixed_position = &job->part->fixed_position[b];
    mote_flow still = {.zero = 0.0f}, *velocity = job->part->velocity;
    const float *v = velocity != NULL ? velocity[b].u : still.u;
    sample_sums sum;
    memset(&sum, 0, sizeof sum);
    for (size_t g = w->particle_neighbours.first[n], last = g + w->particle_neighbours.number[n]; g < last;
         ++g) {
      add_particles(job, fixed_position, w->particle_neighbours.group + g,
                    value_at(w->particle_neighbour_value, g), &sum);
    }
    float value = mote_lane_sum(sum.value), per_value = value > 0.0f ? 1.0f / value : 0.0f;
    w->volume[n] = w->weight[n] = fixed_position->volume;
    w->fixed_position[n] = *fixed_position;
    w->own[n] = job->part->own[b];
    w->relative[n] = w->own[n] + value;
    w->diagonal[n] = fixed_position->volume * mote_lane_sum(sum.square);
    w->pressure[n] = mote_lane_sum(sum.pressure) * per_value;
    w->rest_density[n] = mote_lane_sum(sum.density) * per_value;
    if (w->stiffness != NULL) w->stiffness[n] = mote_lane_sum(sum.stiffness) * per_value;
    w->flow[n] = 0.0f;
    for (int a = 0; a < 3; ++a) {
      w->velocity[3 * n + a] = v[a];
      w->gradient[3 * n + (size_t)a] = mote_lane_sum(sum.gradient[a]);
      w->flow[n] += v[a] * w->gradient[3 * n + (size_t)a];
      if (w->lever != NULL) w->lever[3 * n + (size_t)a] = mote_lane_sum(sum.lever[a]) * per_value;
    }
    if (w->friction != NULL) {
      w->friction[n] = job->part->friction[b];
      memcpy(w->posed + 3 * n, v, 3 * sizeof *v);
    }
    if (w->smoothing != NULL) {
      for (size_t a = 0; a < 3; ++a)
        w->smoothing[4 * n + a] = job->part->belt != NULL ? job->part->belt[3 * b + a] : 0.0f;
      w->smoothing[4 * n + 3] = job->part->friction[b] * fixed_position->volume;
    }
    if (w->share != NULL) {
      w->capacity[n] = capacity_at(job, n, value);
      w->weight[n] *= mote_wall_filled(w->capacity[n], value, &w->share[n]);
      w->share[n] *= fixed_position->volume;
    }
  }
}

// --- Samples near particles, summed ---

typedef struct particle_sums {
  mote_lane value, gradient[3], flow;
} particle_sums;

// Replaces the indices of the group, samples of the part, by their rows in walls.
static inline void add_samples(const mote_wall_task *job, const mote_fixed_position *target,
                               mote_pair_group *group, float *value, particle_sums *sum) {
  const mote_flow *velocity = job->part->velocity;
  mote_pairs p = mote_pairs_load(&job->scale, target, job->part->fixed_position, group->index);
  mote_lane v[4], gradient[3], weight;
  if (velocity != NULL) {
    for (int k = 0; k < 4; ++k) v[k] = mote_lane_load(velocity + group->index[k]);
    mote_lane_transpose(&v[0], &v[1], &v[2], &v[3]);
  }
  mote_lane gradient_factor = mote_pairs_gradient_factor(&job->scale, &p),
            W = mote_pairs_value(&job->scale, &p);
  for (int k = 0; k < MOTE_LANES; ++k) {
    group->index[k] = job->slot[group->index[k]];
    weight[k] = job->walls->weight[group->index[k]];
  }
  sum->value += weight * W;
  for (int a = 0; a < 3; ++a) {
    gradient[a] = gradient_factor * p.x[a];
    sum->gradient[a] += weight * gradient[a];
    if (velocity != NULL) sum->flow += v[a] * (weight * gradient[a]);
  }
  for (int a = 0; a < 3; ++a) mote_lane_store(group->gradient[a], gradient[a]);
  if (value != NULL) mote_lane_store(value, W);
}

static void particle_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const mote_wall_task *job = data;
  const mote_pair_set *set = &job->walls->sample_neighbours;
  mote_fluid *f = job->fluid;
  for (size_t n = begin; n < end; ++n) {
    if (set->number[n] == 0) continue;
    size_t i = job->walls->index[n];
    mote_lane o = mote_lane_splat(0.0f);
    particle_sums sum = {o, {o, o, o}, o};
    for (size_t g = set->first[n], last = g + set->number[n]; g < last; ++g) {
      add_samples(job, &f->fixed_position[i], set->group + g, value_at(job->walls->sample_neighbour_value, g),
                  &sum);
    }
    float value = mote_lane_sum(sum.value);
    f->relative[i] += value;
    if (f->alone != NULL) f->alone[i] += value;
    float G[3];
    for (int a = 0; a < 3; ++a) {
      G[a] = mote_lane_sum(sum.gradient[a]);
      f->wall[3 * i + a] += G[a];
    }
    f->wall_flow[i] += mote_lane_sum(sum.flow);
    if (f->wall_friction_sum != NULL) mote_wall_add_friction(job, n, G);
  }
}

// --- All ---

typedef struct near_moving_job {
  const mote_fluid *fluid;
  const mote_near_map *map;
  uint8_t *near;
} near_moving_job;

static void near_moving_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const near_moving_job *job = data;
  for (size_t i = begin; i < end; ++i)
    job->near[i] = mote_near_map_has(job->map, job->fluid->position + 3 * i);
}

mote_result mote_boundary_near_moving(mote_boundary *boundary, mote_fluid *fluid, uint8_t *near,
                                      mote_error *error) {
  MOTE_ASSERT(near != NULL || fluid->count == 0);
  mote_sample_part *part = &boundary->part[MOVING];
  memset(near, 0, fluid->count);
  if (part->count == 0) return MOTE_OK;
  mote_fluid_make_kernel(fluid);
  mote_wall_task job = {.fluid = fluid, .part = part, .scale = mote_pair_scale_make(fluid)};
  MOTE_TRY(mote_wall_refresh(boundary, &job, error));
  near_moving_job query = {fluid, &part->map, near};
  mote_parallel_for(fluid->env.threads, fluid->count, MOTE_WALL_CHUNK, near_moving_chunk, &query);
  return MOTE_OK;
}

static mote_result gather_part(mote_wall_task *job, mote_grid *grid, mote_error *error) {
  mote_fluid *fluid = job->fluid;
  mote_wall_pairs *w = job->walls;
  int threads = fluid->env.threads;
  size_t particles = 0;
  MOTE_TRY(mote_wall_find_particles(job, &particles, error));
  if (particles == 0) return MOTE_OK;
  MOTE_TRY(mote_pair_set_find(&w->sample_neighbours, job->part->grid, job->position, particles,
                              fluid->scratch, error));
  MOTE_TRY(mote_wall_find_samples(job, error));
  MOTE_TRY(mote_wall_sum_used(job, error));
  MOTE_TRY(take_samples(job, error));
  MOTE_TRY(
      mote_pair_set_find(&w->particle_neighbours, grid, job->position, w->samples, fluid->scratch, error));
  MOTE_TRY(take_values(job, &w->particle_neighbours, &w->particle_neighbour_value, error));
  mote_parallel_for(threads, w->samples, MOTE_FLUID_GRAIN, sample_chunk, job);
  MOTE_TRY(take_values(job, &w->sample_neighbours, &w->sample_neighbour_value, error));
  mote_parallel_for(threads, particles, MOTE_FLUID_GRAIN, particle_chunk, job);
  return MOTE_OK;
}

mote_result mote_boundary_gather(mote_boundary *boundary, mote_fluid *fluid, mote_grid *grid,
                                 mote_error *error) {
  MOTE_ASSERT(grid != NULL && fluid->scratch != NULL);
  MOTE_ASSERT(fluid->relative != NULL && fluid->wall != NULL);
  if (boundary->rough) {
    MOTE_TAKE(fluid->wall_friction_sum, fluid->scratch, 4 * fluid->count, error);
    memset(fluid->wall_friction_sum, 0, 16 * fluid->count);
  }
  for (int p = 0; p < MOTE_BOUNDARY_PARTS; ++p) {
    mote_wall_task job = {.fluid = fluid, .part = &boundary->part[p], .walls = &fluid->walls[p]};
    if (job.part->count == 0 || fluid->count == 0) continue;
    job.scale = mote_pair_scale_make(fluid);
    MOTE_TRY(mote_wall_refresh(boundary, &job, error));
    MOTE_TRY(gather_part(&job, grid, error));
  }
  return MOTE_OK;
}
