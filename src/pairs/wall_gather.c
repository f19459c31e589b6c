// Sums of wall samples at particles and of particles at wall samples: see boundary.h. Akinci et al. 2012 and
// EG09 (55), with volumes in place of masses, and with pressures on the walls (docs/theory/fluids.md,
// "Walls").
#include <string.h>

#include "base/parallel.h"
#include "pairs/pairs.h"
#include "pairs/tuning.inc"
#include "pairs/wall_task.h"

// Memory for W of each pair of a set, which iterative pressure solvers read.
static mote_result take_values(const mote_wall_task *job, const mote_pair_set *set, float **value,
                               mote_error *error) {
  *value = NULL;
  if (job->fluid->diagonal == NULL) return MOTE_OK;
  MOTE_TAKE(*value, job->fluid->scratch, MOTE_LANES * set->groups, error);
  return MOTE_OK;
}

static void make_views(mote_wall_task *job) {
  const mote_fluid *f = job->fluid;
  const mote_sample_part *part = job->part;
  job->sums = (mote_wall_sum_view){.scale = job->scale,
                                   .count = f->count,
                                   .particle = f->fixed_position,
                                   .mobility = f->mobility,
                                   .pressure = f->pressure,
                                   .divergence_pressure = f->divergence_pressure,
                                   .rest_density = f->rest_density,
                                   .stiffness = f->stiffness,
                                   .sample = part->fixed_position,
                                   .velocity = part->velocity,
                                   .friction = part->friction,
                                   .belt = part->belt,
                                   .own = part->own,
                                   .owner = part->owner,
                                   .slot = job->slot,
                                   .surface = f->surface,
                                   .capacity_min = MOTE_WALL_CAPACITY_MIN,
                                   .relative = f->relative,
                                   .alone = f->alone,
                                   .wall = f->wall,
                                   .wall_flow = f->wall_flow};
  job->friction = (mote_wall_friction_view){.scale = job->scale,
                                            .law = mote_wall_friction_law_of(f),
                                            .spacing = (float)f->spacing,
                                            .support = (float)f->support,
                                            .particle = f->fixed_position,
                                            .friction = part->friction,
                                            .belt = part->belt,
                                            .velocity = part->velocity,
                                            .wall_friction_sum = f->wall_friction_sum};
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

static void sample_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const mote_wall_task *job = data;
  mote_wall_sum_view v = job->sums;
  mote_wall_pairs w = *job->walls;
  for (size_t n = begin; n < end; ++n) mote_sample_row(&v, &w, n);
}

// --- Samples near particles, summed ---

static void particle_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const mote_wall_task *job = data;
  mote_wall_sum_view v = job->sums;
  mote_wall_friction_view friction = job->friction;
  mote_wall_pairs w = *job->walls;
  for (size_t n = begin; n < end; ++n) {
    float G[3];
    if (w.sample_neighbours.number[n] == 0) continue;
    mote_near_row(&v, &w, n, G);
    if (friction.wall_friction_sum != NULL) mote_wall_friction_row(&friction, &w, n, G);
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
  make_views(job);
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
