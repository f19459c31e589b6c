// What walls do to fluid particles and these to walls: see boundary.h. Akinci et al. 2012 and EG09 (55), with
// volumes in place of masses, and with pressures on the walls (docs/theory/fluids.md, "Walls").
#include <string.h>

#include "base/parallel.h"
#include "solver/pair_set.h"
#include "solver/pairs.h"
#include "solver/places.h"
#include "solver/samples.h"
#include "solver/wall_means.h"

typedef struct wall_job {
  mote_fluid *fluid;
  mote_sample_part *part;
  mote_wall_pairs *walls;
  mote_pair_scale scale;
  uint8_t *flag;     // of each particle: whether walls may be near
  size_t *before;    // of each chunk: flagged particles, or samples, in those before it
  double *position;  // of the flagged particles; then of the samples in use
  mote_lists lists;  // of samples among themselves
  uint32_t *slot;    // of each sample of the part: its row in walls; one more, the dummy's
  uint32_t *sample;  // of each row
} wall_job;

// --- Samples among themselves ---

static void own_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const wall_job *job = data;
  mote_sample_part *part = job->part;
  mote_lane origin = mote_lane_splat(0.0f);
  float self = job->scale.value * mote_shape_lane_value(job->scale.kind, origin)[0];
  for (size_t b = begin; b < end; ++b) {
    const uint32_t *index = job->lists.index + job->lists.first[b];
    mote_lane sum = origin;
    for (uint32_t k = 0; k < job->lists.number[b]; k += MOTE_LANES) {
      mote_pairs p = mote_pairs_load(&job->scale, &part->place[b], part->place, index + k);
      sum += p.volume * mote_pairs_value(&job->scale, &p);
    }
    float own = part->place[b].volume * self + mote_lane_sum(sum);
    part->own[b] = own < 1.0f ? own : 1.0f;
  }
}

// The sums of samples over their own part. Their lists are long and needed once: the grid that makes them
// goes with them.
static mote_result sum_own(const mote_boundary *boundary, wall_job *job, mote_error *error) {
  mote_grid_def def = mote_grid_def_default(boundary->support);
  def.domain = boundary->domain;
  mote_grid *grid = NULL;
  MOTE_TRY(mote_grid_create(&def, &boundary->env, &grid, error));
  mote_result result = mote_grid_build(grid, job->part->position, job->part->count, error);
  if (result == MOTE_OK) result = mote_grid_neighbours(grid, &job->lists, error);
  if (result == MOTE_OK) {
    mote_parallel_for(boundary->env.threads, job->part->count, MOTE_FLUID_GRAIN, own_chunk, job);
  }
  mote_grid_destroy(grid);
  return result;
}

static void place_sample_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const wall_job *job = data;
  mote_sample_part *part = job->part;
  for (size_t b = begin; b < end; ++b) {
    part->place[b] = mote_place_make(&job->scale, part->position + 3 * b, part->place[b].volume);
  }
}

static mote_result refresh(mote_boundary *boundary, wall_job *job, mote_error *error) {
  mote_sample_part *part = job->part;
  if (!part->stale) return MOTE_OK;
  MOTE_TRY(mote_near_map_build(&part->map, &boundary->env, &boundary->domain, boundary->support,
                               part->position, part->count, error));
  MOTE_TRY(mote_grid_build(part->grid, part->position, part->count, error));
  mote_parallel_for(boundary->env.threads, part->count, 4 * MOTE_FLUID_GRAIN, place_sample_chunk, job);
  if (part->grown) MOTE_TRY(sum_own(boundary, job, error));
  if (part->velocity == NULL) mote_grid_trim(part->grid);  // at rest: it is not built again
  part->stale = part->grown = false;
  return MOTE_OK;
}

// --- Particles that walls may be near ---

#define CHUNK 1024

static void flag_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const wall_job *job = data;
  size_t flagged = 0;
  for (size_t i = begin; i < end; ++i) {
    job->flag[i] = mote_fluid_is_target(job->fluid, i) &&
                   mote_near_map_has(&job->part->map, job->fluid->position + 3 * i);
    flagged += job->flag[i];
  }
  job->before[begin / CHUNK] = flagged;
}

static void copy_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const wall_job *job = data;
  size_t to = job->before[begin / CHUNK];
  for (size_t i = begin; i < end; ++i) {
    if (!job->flag[i]) continue;
    job->walls->index[to] = (uint32_t)i;
    memcpy(job->position + 3 * to, job->fluid->position + 3 * i, 3 * sizeof(double));
    ++to;
  }
}

// Turns counts of chunks into the counts before them; returns that of all.
static size_t sum_before(size_t *before, size_t count) {
  size_t sum = 0;
  for (size_t c = 0; c < (count + CHUNK - 1) / CHUNK; ++c) {
    size_t own = before[c];
    before[c] = sum;
    sum += own;
  }
  return sum;
}

// Their rows are those of walls->index and job->position; *near of them.
static mote_result find_near(wall_job *job, size_t *near, mote_error *error) {
  mote_arena *arena = job->fluid->scratch;
  size_t n = job->fluid->count;
  int threads = job->fluid->env.threads;
  job->flag = mote_arena_take(arena, n, 1);
  job->before = mote_arena_take(arena, n / CHUNK + 1, sizeof *job->before);
  if (job->flag == NULL || job->before == NULL) return mote_fail_memory(error, n);
  mote_parallel_for(threads, n, CHUNK, flag_chunk, job);
  size_t sum = sum_before(job->before, n);
  job->walls->index = mote_arena_take(arena, sum, sizeof *job->walls->index);
  job->position = mote_arena_take(arena, 3 * sum, sizeof *job->position);
  if (job->walls->index == NULL || job->position == NULL) return mote_fail_memory(error, 28 * sum);
  mote_parallel_for(threads, n, CHUNK, copy_chunk, job);
  *near = sum;
  return MOTE_OK;
}

// --- Samples near particles ---

// All write the same, in any order.
static void mark_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const wall_job *job = data;
  const mote_pair_set *near = &job->walls->near;
  for (size_t n = begin; n < end; ++n) {
    const mote_pair_group *g = near->group + near->first[n], *last = g + near->number[n];
    for (; g < last; ++g) {
      for (int k = 0; k < MOTE_LANES; ++k) __atomic_store_n(&job->slot[g->index[k]], 1, __ATOMIC_RELAXED);
    }
  }
}

static void count_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const wall_job *job = data;
  size_t rows = 0;
  for (size_t b = begin; b < end; ++b) rows += job->slot[b];
  job->before[begin / CHUNK] = rows;
}

static void number_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const wall_job *job = data;
  size_t row = job->before[begin / CHUNK];
  for (size_t b = begin; b < end; ++b) {
    if (job->slot[b] == 0) continue;
    job->sample[row] = (uint32_t)b;
    job->slot[b] = (uint32_t)row++;
  }
}

// Gives a row to every sample near particles, in the order of the samples.
static mote_result find_samples(wall_job *job, mote_error *error) {
  mote_arena *arena = job->fluid->scratch;
  int threads = job->fluid->env.threads;
  size_t count = job->part->count;
  job->slot = mote_arena_take(arena, count + 1, sizeof *job->slot);
  job->before = mote_arena_take(arena, count / CHUNK + 1, sizeof *job->before);
  if (job->slot == NULL || job->before == NULL) {
    return mote_fail_memory(error, (count + 1) * sizeof *job->slot);
  }
  memset(job->slot, 0, (count + 1) * sizeof *job->slot);
  mote_parallel_for(threads, job->walls->near.rows, CHUNK, mark_chunk, job);
  mote_parallel_for(threads, count, CHUNK, count_chunk, job);
  size_t rows = sum_before(job->before, count);
  job->sample = mote_arena_take(arena, rows, sizeof *job->sample);
  if (job->sample == NULL) return mote_fail_memory(error, rows * sizeof *job->sample);
  job->walls->samples = rows;
  job->slot[count] = (uint32_t)rows;
  mote_parallel_for(threads, count, CHUNK, number_chunk, job);
  return MOTE_OK;
}

// Where the values of W of a set go: incompressible fluids read them.
static mote_result take_values(const wall_job *job, const mote_pair_set *set, float **value,
                               mote_error *error) {
  *value = NULL;
  if (job->fluid->diagonal == NULL) return MOTE_OK;
  *value = mote_arena_take(job->fluid->scratch, MOTE_LANES * set->groups, sizeof(float));
  return *value != NULL ? MOTE_OK : mote_fail_memory(error, MOTE_LANES * set->groups * sizeof(float));
}

static inline float *value_at(float *value, size_t group) {
  return value != NULL ? value + MOTE_LANES * group : NULL;
}

// --- Particles near samples ---

static void position_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const wall_job *job = data;
  for (size_t b = begin; b < end; ++b) {
    memcpy(job->position + 3 * b, job->part->position + 3 * job->sample[b], 3 * sizeof(double));
  }
}

static mote_result take_samples(wall_job *job, mote_error *error) {
  mote_wall_pairs *w = job->walls;
  mote_arena *arena = job->fluid->scratch;
  size_t n = w->samples;
  w->volume = mote_arena_take(arena, n + 1, sizeof(float));
  w->weight = mote_arena_take(arena, n + 1, sizeof(float));
  w->place = mote_arena_take(arena, n + 1, sizeof(mote_place));
  w->velocity = mote_arena_take(arena, 3 * n, sizeof(float));
  w->own = mote_arena_take(arena, n, sizeof(float));
  w->relative = mote_arena_take(arena, n, sizeof(float));
  w->diagonal = mote_arena_take(arena, n, sizeof(float));
  w->flow = mote_arena_take(arena, n, sizeof(float));
  w->pressure = mote_arena_take(arena, n, sizeof(float));
  w->rest_density = mote_arena_take(arena, n, sizeof(float));
  job->position = mote_arena_take(arena, 3 * n, sizeof(double));
  bool all = w->volume && w->weight && w->place && w->velocity && w->own && w->relative && w->diagonal &&
             w->flow && w->pressure && w->rest_density && job->position;
  if (!all) return mote_fail_memory(error, 80 * n);
  w->volume[n] = w->weight[n] = 0.0f;
  w->place[n] = (mote_place){.volume = 0.0f};
  mote_parallel_for(job->fluid->env.threads, n, CHUNK, position_chunk, job);
  return MOTE_OK;
}

// What only incompressible fluids read.
static mote_result take_share(wall_job *job, mote_error *error) {
  mote_wall_pairs *w = job->walls;
  if (job->fluid->diagonal == NULL) return MOTE_OK;
  w->share = mote_arena_take(job->fluid->scratch, w->samples + 1, sizeof(float));
  if (w->share == NULL) return mote_fail_memory(error, w->samples * sizeof(float));
  w->share[w->samples] = 0.0f;
  return MOTE_OK;
}

// What only followed densities read.
static mote_result take_lever(wall_job *job, mote_error *error) {
  mote_wall_pairs *w = job->walls;
  if (job->fluid->compression == NULL) return MOTE_OK;
  w->lever = mote_arena_take(job->fluid->scratch, 3 * w->samples, sizeof(float));
  return w->lever != NULL ? MOTE_OK : mote_fail_memory(error, 12 * w->samples);
}

typedef struct back_sums {
  mote_lane value, gradient[3], square, pressure, density, lever[3];
} back_sums;

static inline void add_particles(const wall_job *job, const mote_place *target, mote_pair_group *group,
                                 float *value, back_sums *sum) {
  const mote_fluid *f = job->fluid;
  const uint32_t *index = group->index;
  mote_pairs p = mote_pairs_load(&job->scale, target, f->place, index);
  mote_lane pull = mote_pairs_pull(&job->scale, &p), mobility, pressure, density, square = {0}, gradient[3];
  for (int k = 0; k < MOTE_LANES; ++k) {
    size_t j = index[k] < f->count ? index[k] : f->count - 1;  // the dummy has no weight
    mobility[k] = f->mobility[index[k]];
    pressure[k] = f->pressure[j] - f->divergence_pressure[j];
    density[k] = f->rest_density[j];
  }
  mote_lane W = mote_pairs_value(&job->scale, &p), weight = p.volume * W;
  for (int a = 0; a < 3; ++a) {
    gradient[a] = pull * p.x[a];
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
}

static void back_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const wall_job *job = data;
  mote_wall_pairs *w = job->walls;
  for (size_t n = begin; n < end; ++n) {
    size_t b = job->sample[n];
    const mote_place *place = &job->part->place[b];
    mote_flow still = {.zero = 0.0f}, *velocity = job->part->velocity;
    const float *v = velocity != NULL ? velocity[b].u : still.u;
    back_sums sum;
    memset(&sum, 0, sizeof sum);
    for (size_t g = w->back.first[n], last = g + w->back.number[n]; g < last; ++g) {
      add_particles(job, place, w->back.group + g, value_at(w->back_value, g), &sum);
    }
    float value = mote_lane_sum(sum.value), per_value = value > 0.0f ? 1.0f / value : 0.0f;
    w->volume[n] = w->weight[n] = place->volume;
    w->place[n] = *place;
    w->own[n] = job->part->own[b];
    w->relative[n] = w->own[n] + value;
    if (w->share != NULL) {
      w->weight[n] = place->volume * mote_wall_filled(w->own[n], value, &w->share[n]);
      w->share[n] *= place->volume;
    }
    w->diagonal[n] = place->volume * mote_lane_sum(sum.square);
    w->pressure[n] = mote_lane_sum(sum.pressure) * per_value;
    w->rest_density[n] = mote_lane_sum(sum.density) * per_value;
    w->flow[n] = 0.0f;
    for (int a = 0; a < 3; ++a) {
      w->velocity[3 * n + a] = v[a];
      w->flow[n] += v[a] * mote_lane_sum(sum.gradient[a]);
      if (w->lever != NULL) w->lever[3 * n + (size_t)a] = mote_lane_sum(sum.lever[a]) * per_value;
    }
  }
}

// --- Samples near particles, summed ---

typedef struct wall_sums {
  mote_lane value, gradient[3], flow;
} wall_sums;

// From here on the group has the samples' rows.
static inline void add_samples(const wall_job *job, const mote_place *target, mote_pair_group *group,
                               float *value, wall_sums *sum) {
  const mote_flow *velocity = job->part->velocity;
  mote_pairs p = mote_pairs_load(&job->scale, target, job->part->place, group->index);
  mote_lane v[4], gradient[3], weight;
  if (velocity != NULL) {
    for (int k = 0; k < 4; ++k) v[k] = mote_lane_at(velocity + group->index[k]);
    mote_lane_transpose(&v[0], &v[1], &v[2], &v[3]);
  }
  mote_lane pull = mote_pairs_pull(&job->scale, &p), W = mote_pairs_value(&job->scale, &p);
  for (int k = 0; k < MOTE_LANES; ++k) {
    group->index[k] = job->slot[group->index[k]];
    weight[k] = job->walls->weight[group->index[k]];
  }
  sum->value += weight * W;
  for (int a = 0; a < 3; ++a) {
    gradient[a] = pull * p.x[a];
    sum->gradient[a] += weight * gradient[a];
    if (velocity != NULL) sum->flow += v[a] * (weight * gradient[a]);
  }
  for (int a = 0; a < 3; ++a) mote_lane_store(group->gradient[a], gradient[a]);
  if (value != NULL) mote_lane_store(value, W);
}

typedef struct drag_pair {
  float height;  // of the particle above the sample, along the normal
  float weight;  // V_b c, grad W = c x_ib
} drag_pair;

static drag_pair drag_pair_of(const wall_job *job, size_t i, size_t b, const float G[3], float per_length) {
  const mote_place *place = job->part->place;
  uint32_t dummy = (uint32_t)job->part->count, index[4] = {(uint32_t)b, dummy, dummy, dummy};
  mote_pairs p = mote_pairs_load(&job->scale, &job->fluid->place[i], place, index);
  float along = p.x[0][0] * G[0] + p.x[1][0] * G[1] + p.x[2][0] * G[2];
  return (drag_pair){-along * per_length, p.volume[0] * mote_pairs_pull(&job->scale, &p)[0]};
}

// Friction. Samples lie behind the surface: were they to move as it does, a fluid would slip by half a
// spacing. They are given the velocity that a straight profile has there (Morris, Fox & Zhu 1997), so that
// with heights taken along the wall's normal v_i - v_b becomes (v_i - v_wall) h_ib / h_i. The first layer is
// d/2 deep.
static void add_drag(const wall_job *job, size_t n, const wall_sums *sums) {
  mote_fluid *f = job->fluid;
  const mote_sample_part *part = job->part;
  const mote_pair_set *near = &job->walls->near;
  size_t i = job->walls->index[n];
  float G[3], length = 0.0f, d = (float)f->spacing, nearest = (float)f->support;
  for (int a = 0; a < 3; ++a) {
    G[a] = mote_lane_sum(sums->gradient[a]);
    length += G[a] * G[a];
  }
  if (length == 0.0f) return;
  float per_length = 1.0f / sqrtf(length);
  for (int pass = 0; pass < 2; ++pass) {
    float own = nearest - 0.5f * d, height = own > 0.25f * d ? own : 0.25f * d;
    for (size_t k = 0; k < MOTE_LANES * near->number[n]; ++k) {
      size_t row = near->group[near->first[n] + k / MOTE_LANES].index[k % MOTE_LANES];
      if (row == job->walls->samples) break;
      size_t b = job->sample[row];
      drag_pair p = drag_pair_of(job, i, b, G, per_length);
      if (pass == 0) {
        nearest = p.height < nearest ? p.height : nearest;
        continue;
      }
      float w = part->friction[b] * p.weight * (p.height > height ? p.height / height : 1.0f);
      for (size_t a = 0; a < 3; ++a) {
        float v = part->velocity != NULL ? part->velocity[b].u[a] : 0.0f;
        f->wall_drag[4 * i + a] += w * (part->belt != NULL ? v + part->belt[3 * b + a] : v);
      }
      f->wall_drag[4 * i + 3] += w;
    }
  }
}

static void near_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const wall_job *job = data;
  const mote_pair_set *set = &job->walls->near;
  mote_fluid *f = job->fluid;
  for (size_t n = begin; n < end; ++n) {
    if (set->number[n] == 0) continue;
    size_t i = job->walls->index[n];
    mote_lane o = mote_lane_splat(0.0f);
    wall_sums sum = {o, {o, o, o}, o};
    for (size_t g = set->first[n], last = g + set->number[n]; g < last; ++g) {
      add_samples(job, &f->place[i], set->group + g, value_at(job->walls->near_value, g), &sum);
    }
    f->relative[i] += mote_lane_sum(sum.value);
    for (int a = 0; a < 3; ++a) f->wall[3 * i + a] += mote_lane_sum(sum.gradient[a]);
    f->wall_flow[i] += mote_lane_sum(sum.flow);
    if (f->wall_drag != NULL) add_drag(job, n, &sum);
  }
}

// --- All ---

typedef struct near_job {
  const mote_fluid *fluid;
  const mote_near_map *map;
  uint8_t *near;
} near_job;

static void near_moving_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const near_job *job = data;
  for (size_t i = begin; i < end; ++i)
    job->near[i] = mote_near_map_has(job->map, job->fluid->position + 3 * i);
}

mote_result mote_boundary_near_moving(mote_boundary *boundary, mote_fluid *fluid, uint8_t *near,
                                      mote_error *error) {
  mote_sample_part *part = &boundary->part[MOVING];
  memset(near, 0, fluid->count);
  if (part->count == 0) return MOTE_OK;
  mote_fluid_make_kernel(fluid);
  wall_job job = {.fluid = fluid, .part = part, .scale = mote_pair_scale_make(fluid)};
  MOTE_TRY(refresh(boundary, &job, error));
  near_job look = {fluid, &part->map, near};
  mote_parallel_for(fluid->env.threads, fluid->count, CHUNK, near_moving_chunk, &look);
  return MOTE_OK;
}

static mote_result gather_part(wall_job *job, mote_grid *grid, mote_error *error) {
  mote_fluid *fluid = job->fluid;
  mote_wall_pairs *w = job->walls;
  int threads = fluid->env.threads;
  size_t near = 0;
  MOTE_TRY(find_near(job, &near, error));
  if (near == 0) return MOTE_OK;
  MOTE_TRY(mote_pair_set_find(&w->near, job->part->grid, job->position, near, fluid->scratch, error));
  MOTE_TRY(find_samples(job, error));
  MOTE_TRY(take_samples(job, error));
  MOTE_TRY(take_share(job, error));
  MOTE_TRY(take_lever(job, error));
  MOTE_TRY(mote_pair_set_find(&w->back, grid, job->position, w->samples, fluid->scratch, error));
  MOTE_TRY(take_values(job, &w->back, &w->back_value, error));
  mote_parallel_for(threads, w->samples, MOTE_FLUID_GRAIN, back_chunk, job);
  MOTE_TRY(take_values(job, &w->near, &w->near_value, error));
  mote_parallel_for(threads, near, MOTE_FLUID_GRAIN, near_chunk, job);
  return MOTE_OK;
}

mote_result mote_boundary_gather(mote_boundary *boundary, mote_fluid *fluid, mote_grid *grid,
                                 mote_error *error) {
  if (boundary->rough) {
    fluid->wall_drag = mote_arena_take(fluid->scratch, 4 * fluid->count, sizeof(float));
    if (fluid->wall_drag == NULL) return mote_fail_memory(error, 16 * fluid->count);
    memset(fluid->wall_drag, 0, 16 * fluid->count);
  }
  for (int p = 0; p < MOTE_BOUNDARY_PARTS; ++p) {
    wall_job job = {.fluid = fluid, .part = &boundary->part[p], .walls = &fluid->walls[p]};
    if (job.part->count == 0 || fluid->count == 0) continue;
    job.scale = mote_pair_scale_make(fluid);
    MOTE_TRY(refresh(boundary, &job, error));
    MOTE_TRY(gather_part(&job, grid, error));
  }
  return MOTE_OK;
}
