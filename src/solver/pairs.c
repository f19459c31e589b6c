// Neighbours, pair groups, densities and gradient sums of a fluid step: see pairs.h. EG09 (7), (55).
#include "solver/pairs.h"

#include "base/parallel.h"
#include "solver/pair_set.h"
#include "solver/places.h"
#include "solver/relaxation.h"
#include "solver/wcsph.h"

mote_grid_def mote_fluid_grid_def(const mote_fluid *fluid) {
  mote_grid_def def = mote_grid_def_default(fluid->support);
  def.domain = fluid->domain;
  return def;
}

static mote_result take_arrays(mote_fluid *fluid, mote_error *error) {
  size_t n = fluid->count;
  mote_arena *arena = fluid->scratch;
  fluid->volume = mote_arena_take(arena, n + 1, sizeof(float));
  fluid->relative = mote_arena_take(arena, n + 1, sizeof(float));
  bool solves = fluid->solver.pressure != MOTE_PRESSURE_WCSPH;
  fluid->diagonal = solves ? mote_arena_take(arena, n, sizeof(float)) : NULL;
  fluid->gradient = mote_arena_take(arena, 3 * n, sizeof(float));
  fluid->wall = mote_arena_take(arena, 3 * n, sizeof(float));
  fluid->wall_flow = mote_arena_take(arena, n, sizeof(float));
  fluid->place = mote_arena_take(arena, n + 1, sizeof(mote_place));
  fluid->mobility = mote_arena_take(arena, n + 1, sizeof(float));
  fluid->wall_drag = NULL;
  for (int p = 0; p < MOTE_BOUNDARY_PARTS; ++p) fluid->walls[p] = (mote_wall_pairs){.samples = 0};
  bool all = fluid->volume && fluid->relative && (fluid->diagonal || !solves) && fluid->gradient &&
             fluid->wall && fluid->wall_flow && fluid->place && fluid->mobility;
  return all ? MOTE_OK : mote_fail_memory(error, n * 16 * sizeof(float));
}

typedef struct pair_job {
  mote_fluid *fluid;
  mote_pair_scale scale;
  const mote_place *place;  // the fluid's
  const float *mobility;
} pair_job;

static void place_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const pair_job *job = data;
  mote_fluid *f = job->fluid;
  for (size_t i = begin; i < end; ++i) {
    f->volume[i] = f->mass[i] / f->rest_density[i];
    f->mobility[i] = f->volume[i] / f->rest_density[i];
    f->place[i] = mote_place_make(&job->scale, f->position + 3 * i, f->volume[i]);
    for (int a = 0; a < 3; ++a) f->wall[3 * i + a] = 0.0f;
    f->wall_flow[i] = 0.0f;
  }
}

// Coincident particles would never part, since their gradient vanishes: they are taken to lie side by side
// along x in the order of their rows. Antisymmetric, so that momentum is kept.
static inline void nudge(mote_pairs *p, const uint32_t *index, uint32_t i, float distance) {
  mote_lane_index j;
  memcpy(&j, index, sizeof j);
  mote_lane aside =
      mote_lane_choose((mote_lane_mask)(j > i), mote_lane_splat(-distance), mote_lane_splat(distance));
  p->x[0] = mote_lane_choose(p->q == mote_lane_splat(0.0f), aside, p->x[0]);
}

typedef struct pair_sums {
  mote_lane relative, gradient[3], diagonal;
} pair_sums;

static inline void add_group(const pair_job *job, size_t i, bool diagonal, mote_pair_group *group,
                             pair_sums *sum) {
  const uint32_t *index = group->index;
  mote_pairs p = mote_pairs_load(&job->scale, &job->place[i], job->place, index);
  nudge(&p, index, (uint32_t)i, job->scale.nudge);
  mote_lane pull = mote_pairs_pull(&job->scale, &p), square = mote_lane_splat(0.0f), gradient[3];
  sum->relative += p.volume * mote_pairs_value(&job->scale, &p);
  for (int a = 0; a < 3; ++a) {
    gradient[a] = pull * p.x[a];
    sum->gradient[a] += p.volume * gradient[a];
    square += gradient[a] * gradient[a];
  }
  if (diagonal) {
    const float *m = job->mobility;
    sum->diagonal += (mote_lane){m[index[0]], m[index[1]], m[index[2]], m[index[3]]} * square;
  }
  for (int a = 0; a < 3; ++a) mote_lane_store(group->gradient[a], gradient[a]);
}

static inline void sum_pairs(const pair_job *job, size_t i, bool diagonal) {
  mote_fluid *f = job->fluid;
  mote_lane origin = mote_lane_splat(0.0f);
  float self = job->scale.value * mote_shape_lane_value(job->scale.kind, origin)[0];
  pair_sums sum = {origin, {origin, origin, origin}, origin};
  mote_pair_group *group = f->pairs.group + f->pairs.first[i], *end = group + f->pairs.number[i];
  for (; group < end; ++group) add_group(job, i, diagonal, group, &sum);
  f->relative[i] = f->volume[i] * self + mote_lane_sum(sum.relative);
  for (int a = 0; a < 3; ++a) f->gradient[3 * i + a] = mote_lane_sum(sum.gradient[a]);
  if (diagonal) f->diagonal[i] = f->volume[i] * mote_lane_sum(sum.diagonal);
}

static void use_rows(const void *data, const uint32_t *target, size_t count) {
  const pair_job job = *(const pair_job *)data;  // its own, which no store of the loops can change
  bool diagonal = job.fluid->diagonal != NULL;
  for (size_t k = 0; k < count && diagonal; ++k) sum_pairs(&job, target[k], true);
  for (size_t k = 0; k < count && !diagonal; ++k) sum_pairs(&job, target[k], false);
}

static void density_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  mote_fluid *f = ((pair_job *)data)->fluid;
  for (size_t i = begin; i < end; ++i) f->density[i] = f->rest_density[i] * mote_fluid_relative(f, i);
}

static mote_result find_pairs(mote_fluid *fluid, mote_grid *grid, mote_error *error) {
  size_t n = fluid->count;
  pair_job job = {fluid, mote_pair_scale_make(fluid), fluid->place, fluid->mobility};
  fluid->volume[n] = fluid->relative[n] = fluid->mobility[n] = 0.0f;
  fluid->place[n] = (mote_place){.volume = 0.0f};
  mote_parallel_for(fluid->env.threads, n, 4 * MOTE_FLUID_GRAIN, place_chunk, &job);
  return mote_pair_set_find_own(&fluid->pairs, grid, use_rows, &job, fluid->scratch, error);
}

// Before the first step.
static void make_kernel(mote_fluid *fluid) {
  if (fluid->kernel.scale > 0.0) return;
  mote_kernel kernel = mote_kernel_make(fluid->solver.kernel, fluid->domain.dimensions, fluid->support);
  fluid->spectrum = mote_lattice_spectrum_of(&kernel, fluid->spacing);
  kernel.scale /= fluid->spectrum.density;
  fluid->kernel = kernel;
}

mote_result mote_fluid_prepare(mote_fluid *fluid, mote_boundary *boundary, mote_grid *grid,
                               mote_error *error) {
  make_kernel(fluid);
  fluid->shift = NULL;
  MOTE_TRY(mote_grid_build(grid, fluid->position, fluid->count, error));
  MOTE_TRY(take_arrays(fluid, error));
  MOTE_TRY(find_pairs(fluid, grid, error));
  mote_wcsph_state(fluid);
  if (boundary != NULL) MOTE_TRY(mote_boundary_gather(boundary, fluid, grid, error));
  pair_job job = {.fluid = fluid};
  mote_parallel_for(fluid->env.threads, fluid->count, 4 * MOTE_FLUID_GRAIN, density_chunk, &job);
  return MOTE_OK;
}
