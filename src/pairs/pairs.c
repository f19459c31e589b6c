// Neighbours, densities and gradient sums of a fluid step: see pairs.h. EG09 (7), (55).
#include "pairs/pairs.h"

#include "base/parallel.h"
#include "pairs/fixed_positions.h"
#include "pairs/packing_spectrum.h"
#include "pairs/pair_set.h"
#include "pairs/surface_density.h"
#include "rows/density_row.h"
#include "scene/pressure_kinds.h"

mote_grid_def mote_fluid_grid_def(const mote_fluid *fluid) {
  MOTE_ASSERT(fluid->support > 0.0);
  mote_grid_def def = mote_grid_def_default(fluid->support);
  def.domain = fluid->domain;
  return def;
}

void mote_fluid_make_kernel(mote_fluid *fluid) {
  MOTE_ASSERT(fluid->support > 0.0 && fluid->spacing > 0.0);
  if (fluid->kernel.scale > 0.0) return;
  mote_kernel kernel = mote_kernel_make(fluid->solver.kernel, fluid->domain.dimensions, fluid->support);
  fluid->spectrum = mote_packing_spectrum_of(&kernel, fluid->spacing);
  kernel.scale /= fluid->spectrum.density;
  fluid->surface = mote_surface_density_of(&kernel, fluid->spacing);
  fluid->kernel = kernel;
}

static mote_result take_arrays(mote_fluid *fluid, mote_error *error) {
  size_t n = fluid->count;
  mote_arena *arena = fluid->scratch;
  bool solves = mote_pressure_properties_of(&fluid->solver)->needs_diagonal;
  fluid->diagonal = fluid->alone = fluid->wall_friction_sum = NULL;
  MOTE_TAKE(fluid->volume, arena, n + 1, error);
  MOTE_TAKE(fluid->relative, arena, n + 1, error);
  if (solves) MOTE_TAKE(fluid->diagonal, arena, n, error);
  MOTE_TAKE(fluid->gradient, arena, 3 * n, error);
  MOTE_TAKE(fluid->wall, arena, 3 * n, error);
  MOTE_TAKE(fluid->wall_flow, arena, n, error);
  MOTE_TAKE(fluid->fixed_position, arena, n + 1, error);
  MOTE_TAKE(fluid->mobility, arena, n + 1, error);
  if (solves && fluid->coupled_count > 0) MOTE_TAKE(fluid->alone, arena, n, error);
  for (int p = 0; p < MOTE_BOUNDARY_PARTS; ++p) fluid->walls[p] = (mote_wall_pairs){.samples = 0};
  return MOTE_OK;
}

typedef struct pair_job {
  mote_fluid *fluid;
  mote_position_scale scale;
  bool *together;  // some are coincident
  uint32_t *rank;  // of each particle among those at its position
  uint32_t apart;  // distance between coincident particles, in fixed-point units
} pair_job;

static void fixed_position_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const pair_job *job = data;
  mote_fluid *f = job->fluid;
  float self = mote_pairs_self(&f->pairs.scale);
  for (size_t i = begin; i < end; ++i) {
    f->volume[i] = f->mass[i] / f->rest_density[i];
    f->mobility[i] = f->volume[i] / f->rest_density[i];
    f->fixed_position[i] = mote_fixed_position_make(&job->scale, f->position + 3 * i, f->volume[i]);
    for (int a = 0; a < 3; ++a) f->wall[3 * i + a] = 0.0f;
    f->wall_flow[i] = 0.0f;
    if (f->alone != NULL) f->alone[i] = f->volume[i] * self;
  }
}

static void use_rows(const void *data, const uint32_t *target, size_t count) {
  const pair_job *job = data;
  const mote_fluid *f = job->fluid;
  mote_density_view v = {f->pairs, f->mobility, f->relative, f->gradient, f->diagonal};
  bool diagonal = f->diagonal != NULL, together = false;
  for (size_t k = 0; k < count && diagonal; ++k) together |= mote_density_row(&v, target[k], true);
  for (size_t k = 0; k < count && !diagonal; ++k) together |= mote_density_row(&v, target[k], false);
  if (together) __atomic_store_n(job->together, true, __ATOMIC_RELAXED);
}

// --- Coincident particles ---

// Number of neighbours with a lower row at the position of particle i.
static uint32_t rank_of(const pair_job *job, size_t i) {
  const mote_fixed_position *x = job->fluid->fixed_position;
  const mote_pair_view *pairs = &job->fluid->pairs;
  uint32_t rank = 0;
  for (mote_groups g = mote_pair_groups(pairs, i); g.at < g.end; g.at += MOTE_GROUP_STRIDE) {
    for (int k = 0; k < MOTE_LANES; ++k) {
      size_t j = pairs->lanes[g.at].index[k];
      rank += j < i && memcmp(x[j].x, x[i].x, sizeof x[i].x) == 0;
    }
  }
  return rank;
}

static void rank_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const pair_job *job = data;
  for (size_t k = begin; k < end; ++k) {
    size_t i = mote_fluid_row(job->fluid, k);
    job->rank[k] = rank_of(job, i);
  }
}

static void part_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const pair_job *job = data;
  for (size_t k = begin; k < end; ++k) {
    job->fluid->fixed_position[mote_fluid_row(job->fluid, k)].x[0] += job->rank[k] * job->apart;
  }
}

static void again_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  for (size_t k = begin; k < end; ++k) {
    uint32_t target = (uint32_t)mote_fluid_row(((const pair_job *)data)->fluid, k);
    use_rows(data, &target, 1);
  }
}

// The gradient between coincident particles vanishes, so they would never separate: they are placed side by
// side along x, in the order of their rows.
static mote_result part_coincident(pair_job *job, mote_error *error) {
  mote_fluid *f = job->fluid;
  mote_arena_mark mark = mote_arena_here(f->scratch);
  size_t rows = mote_fluid_rows(f);
  MOTE_TAKE(job->rank, f->scratch, rows, error);
  mote_parallel_for(f->env.threads, rows, MOTE_FLUID_GRAIN, rank_chunk, job);
  mote_parallel_for(f->env.threads, rows, MOTE_FLUID_LIGHT_GRAIN, part_chunk, job);
  mote_parallel_for(f->env.threads, rows, MOTE_FLUID_GRAIN, again_chunk, job);
  mote_arena_release(f->scratch, mark);
  return MOTE_OK;
}

mote_result mote_pairs_find(mote_fluid *fluid, mote_grid *grid, const float *last_relative,
                            mote_error *error) {
  MOTE_ASSERT(fluid->scratch != NULL && grid != NULL);
  MOTE_ASSERT(fluid->position != NULL || fluid->count == 0);
  MOTE_ASSERT(fluid->kernel.scale > 0.0);
  size_t n = fluid->count;
  MOTE_TRY(mote_domain_bounds(&fluid->domain, fluid->position, n, fluid->env.threads, fluid->low, fluid->high,
                              error));
  MOTE_TRY(mote_grid_build_within(grid, fluid->position, n, fluid->low, fluid->high, error));
  MOTE_TRY(take_arrays(fluid, error));
  bool together = false, keeps = mote_pressure_properties_of(&fluid->solver)->keeps_gradient_factors;
  pair_job job = {fluid, mote_position_scale_make(fluid), .together = &together};
  fluid->pairs.scale = mote_pair_scale_make(fluid), fluid->pairs.fixed_position = fluid->fixed_position;
  job.apart = (uint32_t)(fluid->support * 0x1p-10 / (double)fluid->pairs.scale.unit[0]);
  fluid->volume[n] = fluid->relative[n] = fluid->mobility[n] = 0.0f;
  fluid->fixed_position[n] = (mote_fixed_position){.volume = 0.0f};
  mote_parallel_for(fluid->env.threads, n, MOTE_FLUID_LIGHT_GRAIN, fixed_position_chunk, &job);
  if (fluid->active != NULL) memcpy(fluid->relative, last_relative, n * sizeof *fluid->relative);
  MOTE_TRY(mote_pair_lane_set_find(&fluid->pairs, grid, fluid->is_active, keeps, use_rows, &job,
                                   fluid->scratch, error));
  return together ? part_coincident(&job, error) : MOTE_OK;
}
