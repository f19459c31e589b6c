// New or moved samples of walls: see wall_task.h.
#include <string.h>

#include "base/parallel.h"
#include "material/fluid_law.h"
#include "pairs/wall_task.h"

// Samples of other owners get no volume.
static void keep_own(const mote_sample_part *part, size_t b, const uint32_t *index, mote_lane *volume) {
  for (int k = 0; k < MOTE_LANES; ++k) {
    bool own = index[k] < part->count && part->owner[index[k]] == part->owner[b];
    if (!own) (*volume)[k] = 0.0f;
  }
}

// The sum of sample b over `number` neighbours of its part, and of the gradients.
static float own_of(const mote_wall_task *job, size_t b, const uint32_t *index, uint32_t number,
                    float gradient[3]) {
  const mote_sample_part *part = job->part;
  mote_lane sum = mote_lane_splat(0.0f), g[3] = {sum, sum, sum};
  float self = mote_pairs_self(&job->scale);
  for (uint32_t k = 0; k < number; k += MOTE_LANES) {
    mote_pairs p = mote_pairs_load(&job->scale, &part->fixed_position[b], part->fixed_position, index + k);
    if (part->owner != NULL) keep_own(part, b, index + k, &p.volume);
    sum += p.volume * mote_pairs_value(&job->scale, &p);
    mote_lane factor = p.volume * mote_pairs_gradient_factor(&job->scale, &p);
    for (int a = 0; a < 3; ++a) g[a] += factor * p.x[a];
  }
  for (int a = 0; a < 3; ++a) gradient[a] = mote_lane_sum(g[a]);
  float own = part->fixed_position[b].volume * self + mote_lane_sum(sum);
  return own < 1.0f ? own : 1.0f;
}

static void own_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const mote_wall_task *job = data;
  for (size_t b = begin; b < end; ++b) {
    float gradient[3];
    job->part->own[b] =
        own_of(job, b, job->lists.index + job->lists.first[b], job->lists.number[b], gradient);
  }
}

// The sums of samples over their own part. Their lists are long and needed once: they are freed with their
// grid.
static mote_result sum_own(const mote_boundary *boundary, mote_wall_task *job, mote_error *error) {
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

static void use_rows(const void *data, const uint32_t *target, size_t count) {
  const mote_wall_task *job = data;
  for (size_t k = 0; k < count; ++k) {
    size_t b = target[k];
    float gradient[3], own = own_of(job, b, job->rows.lanes[job->rows.first[b]].index,
                                    MOTE_LANES * job->rows.number[b], gradient);
    if (!job->part->summed) job->part->own[b] = own;
    if (job->walls->outward != NULL)
      memcpy(job->walls->outward + 3 * job->slot[b], gradient, sizeof gradient);
  }
}

mote_result mote_wall_sum_used(mote_wall_task *job, mote_error *error) {
  MOTE_ASSERT(job->walls->sample != NULL || job->walls->samples == 0);
  mote_arena *arena = job->fluid->scratch;
  size_t count = job->part->count;
  const uint32_t *owner = job->fluid->alone != NULL ? job->part->owner : NULL;
  bool all = !job->part->summed;
  if (owner != NULL && mote_pressure_has_consistent_rates(&job->fluid->solver)) {
    MOTE_TAKE(job->walls->outward, arena, 3 * job->walls->samples, error);
  } else if (!all) {
    return MOTE_OK;
  }
  mote_arena_mark mark = mote_arena_here(arena);
  MOTE_TAKE_NEW(uint8_t, wanted, arena, count, error);
  memset(wanted, 0, count);
  for (size_t n = 0; n < job->walls->samples; ++n) {
    size_t b = job->walls->sample[n];
    wanted[b] = all || owner[b] != 0;
  }
  mote_result result =
      mote_pair_lane_set_find(&job->rows, job->part->grid, wanted, false, use_rows, job, arena, error);
  mote_arena_release(arena, mark);
  return result;
}

static void fixed_position_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const mote_wall_task *job = data;
  mote_sample_part *part = job->part;
  for (size_t b = begin; b < end; ++b) {
    part->fixed_position[b] =
        mote_fixed_position_make(&job->positions, part->position + 3 * b, part->fixed_position[b].volume);
  }
}

mote_result mote_wall_refresh(mote_boundary *boundary, mote_wall_task *job, mote_error *error) {
  MOTE_ASSERT(job->part == &boundary->part[STANDING] || job->part == &boundary->part[MOVING]);
  mote_sample_part *part = job->part;
  if (!part->stale) return MOTE_OK;
  job->positions = mote_position_scale_make(job->fluid);
  MOTE_TRY(mote_near_map_build(&part->map, &boundary->env, &boundary->domain, boundary->support,
                               part->position, part->count, error));
  MOTE_TRY(mote_grid_build(part->grid, part->position, part->count, error));
  mote_parallel_for(boundary->env.threads, part->count, MOTE_FLUID_LIGHT_GRAIN, fixed_position_chunk, job);
  if (!part->summed && !part->loose) {
    MOTE_TRY(sum_own(boundary, job, error));
    part->summed = true;
  }
  if (part->velocity == NULL) mote_grid_trim(part->grid);  // at rest: it is not built again
  part->stale = part->loose = false;
  return MOTE_OK;
}
