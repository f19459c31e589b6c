// Tracked distances: see adams.h.
#include "surface/adams.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "search/radix.h"
#include "surface/half_space.h"
#include "surface/surface_depth.h"
#include "surface/tuning.inc"

#define PARTICLES_PER_TASK 4096
#define FIRST_PASSES 2  // of a first frame: each goes on smoothing as a frame would
// So far beyond the clip box the plain surface is made: its kernels, and their neighbours
#define CLIP_SUPPORTS 2

// --- Memory -----------------------------------------------------------------------------------------------

mote_adams mote_adams_make(const mote_env *env) {
  MOTE_ASSERT(env != NULL);
  return (mote_adams){.env = *env};
}

void mote_adams_free(mote_adams *adams) {
  MOTE_ASSERT(adams->count <= adams->id_capacity || adams->id == NULL);
  mote_free(&adams->env, adams->id, adams->id_capacity, sizeof *adams->id);
  mote_free(&adams->env, adams->distance, adams->distance_capacity, sizeof *adams->distance);
  *adams = (mote_adams){.env = adams->env};
}

void mote_adams_forget(mote_adams *adams) {
  MOTE_ASSERT(adams != NULL);
  adams->count = 0;
}

static mote_result reserve(mote_adams *adams, size_t count, mote_error *error) {
  MOTE_TRY(mote_reserve(&adams->env, &adams->id, &adams->id_capacity, count, sizeof *adams->id, error));
  return mote_reserve(&adams->env, &adams->distance, &adams->distance_capacity, count,
                      sizeof *adams->distance, error);
}

mote_result mote_adams_take(mote_adams *adams, const uint64_t *id, const float *distance, size_t count,
                            mote_error *error) {
  MOTE_TRY(reserve(adams, count, error));
  for (size_t k = 0; k < count; ++k) {
    MOTE_ASSERT(k == 0 || id[k - 1] <= id[k]);
    adams->id[k] = id[k];
    adams->distance[k] = distance[k];
  }
  adams->count = count;
  return MOTE_OK;
}

static uint64_t id_of(const mote_surface_particles *particles, size_t row) {
  return particles->id ? particles->id[row] : row;
}

// Where an id stands; count: nowhere. Ids mostly follow each other, so that the place after the last is
// tried first.
static size_t find_id(const mote_adams *adams, uint64_t id, size_t guess) {
  if (guess < adams->count && adams->id[guess] == id) return guess;
  size_t low = 0, high = adams->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (adams->id[middle] < id)
      low = middle + 1;
    else
      high = middle;
  }
  return low < adams->count && adams->id[low] == id ? low : adams->count;
}

typedef struct recall_work {
  const mote_adams *adams;
  const mote_surface_particles *particles;
  float *distance;
} recall_work;

static void recall_task(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  recall_work *w = data;
  size_t at = w->adams->count;
  for (size_t r = begin; r < end; ++r) {
    at = find_id(w->adams, id_of(w->particles, r), at + 1);
    w->distance[r] = at < w->adams->count ? w->adams->distance[at] : (float)NAN;
  }
}

void mote_adams_recall(const mote_adams *adams, const mote_surface_particles *particles, float *distance) {
  MOTE_ASSERT(distance != NULL || particles->count == 0);
  MOTE_ASSERT(adams->count == 0 || (adams->id != NULL && adams->distance != NULL));
  recall_work w = {adams, particles, distance};
  mote_parallel_for(adams->env.threads, particles->count, PARTICLES_PER_TASK, recall_task, &w);
}

// Rows sorted by id, and the ids; particles of one id stay in the order of their rows.
static mote_result sort_ids(const mote_env *env, const mote_surface_particles *particles, mote_arena *scratch,
                            mote_radix *radix, mote_error *error) {
  size_t n = particles->count;
  *radix = (mote_radix){.threads = env->threads, .count = n};
  radix->key = mote_arena_take(scratch, n, sizeof *radix->key);
  radix->spare_key = mote_arena_take(scratch, n, sizeof *radix->key);
  radix->value = mote_arena_take(scratch, n, sizeof *radix->value);
  radix->spare_value = mote_arena_take(scratch, n, sizeof *radix->value);
  radix->histogram = mote_arena_take(scratch, MOTE_RADIX_HISTOGRAM, sizeof *radix->histogram);
  if (!radix->key || !radix->spare_key || !radix->value || !radix->spare_value || !radix->histogram) {
    return mote_fail_memory(error, n * 24);
  }
  uint64_t all = 0;
  bool sorted = true;
  for (size_t r = 0; r < n; ++r) {
    radix->key[r] = id_of(particles, r);
    radix->value[r] = (uint32_t)r;
    all |= radix->key[r];
    if (r > 0 && radix->key[r] < radix->key[r - 1]) sorted = false;
  }
  int bits = 0;
  while (bits < 64 && all >> bits != 0) ++bits;
  if (!sorted) mote_radix_sort(radix, bits);
  return MOTE_OK;
}

mote_result mote_adams_remember(mote_adams *adams, const mote_surface_particles *particles,
                                const float *distance, mote_arena *scratch, mote_error *error) {
  MOTE_ASSERT(distance != NULL || particles->count == 0);
  const mote_env *env = &adams->env;
  mote_radix radix;
  size_t n = particles->count;
  mote_arena_mark mark = mote_arena_here(scratch);
  mote_result result = sort_ids(env, particles, scratch, &radix, error);
  if (!result) result = reserve(adams, n, error);
  for (size_t k = 0; !result && k < n; ++k) {
    adams->id[k] = radix.key[k];
    adams->distance[k] = distance[radix.value[k]];
  }
  if (!result) adams->count = n;
  mote_arena_release(scratch, mark);
  return result;
}

// --- Frames -----------------------------------------------------------------------------------------------

// How deep each particle lies below the zero set of `field`: by the grid and, near it, by the field itself,
// of which neither is ever too deep.
static mote_result depths_below(const mote_adams *adams, const mote_adams_frame *frame,
                                const mote_kernel_field *field, const mote_sparse_field *grid, float *depth,
                                mote_error *error) {
  const mote_point_set *set = field->set;
  mote_depth_opts opts = {.unit = set->spacing,
                          .farthest = KERNEL_AXIS_MAX * field->support,
                          .point = frame->point,
                          .env = &adams->env,
                          .scratch = frame->scratch};
  MOTE_TRY(mote_surface_depth(grid, set, &opts, depth, error));
  MOTE_TRY(mote_values_at_points(field, grid->cell, frame->kernels->near, frame->blocks->list, &adams->env,
                                 frame->value, error));
  float d = (float)set->spacing;
  for (size_t r = 0; r < set->particles; ++r) {
    uint32_t p = frame->point[r];
    if (frame->kernels->near[p] && d * frame->value[p] > depth[r]) depth[r] = d * frame->value[p];
  }
  return MOTE_OK;
}

// Depths below the surface of Zhu and Bridson, which needs no memory. Not cut by the clip box, because
// liquid goes on behind its sides.
static mote_result plain_depths(const mote_adams *adams, const mote_field_opts *opts,
                                const mote_adams_frame *frame, float *depth, mote_error *error) {
  mote_kernel_field field = frame->kernels->field;
  for (int a = 0; a < 3; ++a) {
    field.clip_low[a] -= CLIP_SUPPORTS * field.support;
    field.clip_high[a] += CLIP_SUPPORTS * field.support;
  }
  mote_sparse_field grid;
  MOTE_TRY(mote_field_blocks_evaluate(frame->blocks, &field, opts, &grid, error));
  return depths_below(adams, frame, &field, &grid, depth, error);
}

// Depth that averaging loses in thin liquid, to be added back: halfway through a film, thread or drop the
// depth has a kink, and the averaged field is less deep at the particles than their own depths. Below a
// smooth surface both agree, and their difference is noise to be removed.
static mote_result find_lost(const mote_adams *adams, const mote_field_opts *opts, mote_adams_frame *frame,
                             mote_error *error) {
  const mote_kernel_field *field = &frame->kernels->field;
  const mote_point_set *set = field->set;
  MOTE_TRY(mote_values_at_points(field, opts->cell, frame->kernels->near, frame->blocks->list, &adams->env,
                                 frame->value, error));
  double d = set->spacing;
  for (size_t r = 0; r < set->particles; ++r) {
    uint32_t p = frame->point[r];
    double lost = frame->kernels->near[p] ? (double)frame->plain[r] - d * (double)frame->value[p] : 0.0;
    frame->lost[r] = (float)lost;
  }
  return MOTE_OK;
}

static float between(float low, float x, float high) {
  return x < low ? low : x > high ? high : x;
}

// Limits distances by those from the current positions of the particles, so that errors do not accumulate
// when matter appears, disappears, splits or jumps, and over many updates.
static void limit_distances(const mote_adams_frame *frame) {
  const mote_point_set *set = frame->kernels->field.set;
  for (size_t r = 0; r < frame->particles->count; ++r) {
    float d = (float)mote_point_size(set, frame->point[r]), band = (float)KEPT_DIFFERENCE_MAX * d,
          least = (float)DISTANCE_MIN * d;
    float past = (float)KEPT_DIFFERENCE * (frame->distance[r] - frame->plain[r]);
    float thin = (float)mote_rise((double)(frame->lost[r] / d), BUMP_DIFFERENCE, THINNESS_DIFFERENCE);
    float x = frame->plain[r] + thin * frame->lost[r];
    if (!isnan(past)) x += (1.0f - thin) * between(-band, past, band);
    frame->distance[r] = x > least ? x : least;
  }
}

// Takes over the depths but where the sides of the clip box cut them short.
static void accept_depths(const mote_adams_frame *frame) {
  const mote_kernel_field *field = &frame->kernels->field;
  const mote_point_set *set = field->set;
  for (size_t p = 0; p < set->count; ++p) {
    double margin = KEPT_DIFFERENCE_MAX * mote_point_size(set, p), side = HUGE_VAL;
    const double *x = set->position + 3 * p;
    for (int a = 0; a < 3; ++a) {
      double low = x[a] - field->clip_low[a], high = field->clip_high[a] - x[a];
      if (low < side) side = low;
      if (high < side) side = high;
    }
    uint32_t r = set->row[p];
    if ((double)frame->depth[r] + margin < side) frame->distance[r] = frame->depth[r];
  }
}

static void set_weights(const mote_point_set *set, const float *distance, float *weight) {
  for (size_t p = 0; p < set->count; ++p) weight[p] = distance[set->row[p]];
}

// A first frame has no past: it is given some by making the surface several times.
static mote_result settle(const mote_adams *adams, const mote_field_opts *opts, const mote_adams_frame *frame,
                          float *weight, mote_error *error) {
  for (int pass = 0; pass < FIRST_PASSES; ++pass) {
    mote_sparse_field grid;
    MOTE_TRY(mote_field_blocks_evaluate(frame->blocks, &frame->kernels->field, opts, &grid, error));
    MOTE_TRY(depths_below(adams, frame, &frame->kernels->field, &grid, frame->depth, error));
    accept_depths(frame);
    limit_distances(frame);
    set_weights(frame->kernels->field.set, frame->distance, weight);
  }
  return MOTE_OK;
}

mote_result mote_adams_begin(const mote_adams *adams, const mote_field_opts *opts, mote_adams_frame *frame,
                             mote_error *error) {
  MOTE_ASSERT(frame->kernels != NULL && frame->particles != NULL);
  MOTE_ASSERT(frame->arena != NULL && frame->scratch != NULL);
  MOTE_ASSERT(opts->cell > 0.0);
  const mote_point_set *set = frame->kernels->field.set;
  MOTE_TAKE_NEW(float, weight, frame->arena, set->count, error);
  MOTE_TAKE(frame->plain, frame->arena, set->particles, error);
  MOTE_TAKE(frame->lost, frame->arena, set->particles, error);
  MOTE_TAKE(frame->distance, frame->arena, set->particles, error);
  MOTE_TAKE(frame->depth, frame->arena, set->particles, error);
  MOTE_TAKE(frame->point, frame->arena, set->particles, error);
  MOTE_TAKE(frame->value, frame->arena, set->count, error);
  mote_points_of_particles(set, &frame->def->domain, frame->point);
  MOTE_TRY(plain_depths(adams, opts, frame, frame->plain, error));
  set_weights(set, frame->plain, weight);
  frame->kernels->field.weight = weight;
  MOTE_TRY(find_lost(adams, opts, frame, error));
  mote_adams_recall(adams, frame->particles, frame->distance);
  limit_distances(frame);
  set_weights(set, frame->distance, weight);
  return adams->count > 0 ? MOTE_OK : settle(adams, opts, frame, weight, error);
}

mote_result mote_adams_end(mote_adams *adams, mote_adams_frame *frame, const mote_sparse_field *grid,
                           mote_error *error) {
  MOTE_ASSERT(frame->distance != NULL && frame->depth != NULL);
  MOTE_ASSERT(grid != NULL);
  MOTE_TRY(depths_below(adams, frame, &frame->kernels->field, grid, frame->depth, error));
  accept_depths(frame);
  return mote_adams_remember(adams, frame->particles, frame->distance, frame->scratch, error);
}
