// Filling without a packing: a jittered packing whose points push each other apart, and are pushed by the
// wall as by a body of the same density behind it, until they are evenly spread. Each round moves all points
// at once.
#include "base/parallel.h"
#include "base/random.h"
#include "geom/crowd.h"
#include "geom/shape_fill.h"
#include "geom/tuning.inc"

#define RELAX_ROUNDS 24
#define NEAR_MOST 192
#define WALL_ENTRIES 64

typedef struct relaxing {
  const mote_shape *shape;
  double spacing, gain;
  uint64_t seed;
  mote_crowd crowd;
  double *position, *moved;
  size_t count;
  double wall[WALL_ENTRIES + 2];  // repulsion of the wall at distances of 0 to REPULSION_REACH
} relaxing;

// The repulsion by one point at distance r = q REPULSION_REACH.
static double repulsion_at(double q) {
  return q < 1.0 ? (1.0 - q) * (1.0 - q) : 0.0;
}

// The repulsion by all points behind a plane at distance s, one per spacing^dimensions, summed as an integral
// of 64 rings by their radii.
static double wall_repulsion(double s, int dimensions) {
  double sum = 0.0, width = (REPULSION_REACH - s) / 64.0;
  for (int k = 0; k < 64; ++k) {
    double r = s + (k + 0.5) * width, across = sqrt(r * r - s * s);
    sum += repulsion_at(r / REPULSION_REACH) * width *
           (dimensions == 2 ? 2.0 * across : MOTE_PI * across * across);
  }
  return sum;
}

static double wall_at(const relaxing *r, double depth) {
  double at = depth / r->spacing / REPULSION_REACH * WALL_ENTRIES;
  if (!(at > 0.0)) return r->wall[0];
  if (at >= WALL_ENTRIES) return 0.0;
  int k = (int)at;
  return r->wall[k] + (at - k) * (r->wall[k + 1] - r->wall[k]);
}

static void repulsion_of(const relaxing *r, size_t i, double repulsion[3]) {
  const double *x = r->position + 3 * i;
  double reach = REPULSION_REACH * r->spacing, apart[3];
  const double *near[NEAR_MOST];
  size_t count = mote_crowd_near(&r->crowd, x, reach, near, NEAR_MOST);
  set3(0.0, 0.0, 0.0, repulsion);
  for (size_t k = 0; k < count; ++k) {
    sub3(x, near[k], apart);
    double length = length3(apart);
    if (length > 0.0) step3(repulsion, repulsion_at(length / reach) / length, apart, repulsion);
  }
}

// Into the shape if it is not; false where that fails.
static bool bring_inside(const relaxing *r, double x[3]) {
  double n[3];
  for (int k = 0; k < 4; ++k) {
    double f = mote_shape_closest(r->shape, x, n), margin = f + WALL_DEPTH_MIN * r->spacing;
    if (margin <= 0.0) return true;
    step3(x, -margin, n, x);
  }
  return mote_shape_distance(r->shape, x) < 0.0;
}

static void move_points(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const relaxing *r = data;
  for (size_t i = begin; i < end; ++i) {
    const double *x = r->position + 3 * i;
    double *to = r->moved + 3 * i, repulsion[3], n[3];
    repulsion_of(r, i, repulsion);
    double depth = -mote_shape_closest(r->shape, x, n);
    step3(repulsion, -wall_at(r, depth), n, repulsion);
    double size = r->gain * length3(repulsion), step = size > ROUND_STEP_MAX ? ROUND_STEP_MAX / size : 1.0;
    step3(x, step * r->gain * r->spacing, repulsion, to);
    if (depth < (WALL_DEPTH_MIN + ROUND_STEP_MAX) * r->spacing && !bring_inside(r, to)) copy3(x, to);
  }
}

static void jitter_points(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const relaxing *r = data;
  for (size_t i = begin; i < end; ++i) {
    double *x = r->moved + 3 * i;
    copy3(r->position + 3 * i, x);
    for (int k = 0; k < r->shape->dimensions; ++k) {
      x[k] += r->spacing * mote_random_between(r->seed, (uint64_t)k, i, -PACKING_JITTER, PACKING_JITTER);
    }
    if (!bring_inside(r, x)) copy3(r->position + 3 * i, x);
  }
}

static void swap_points(relaxing *r) {
  double *moved = r->moved;
  r->moved = r->position;
  r->position = moved;
}

static void relax(relaxing *r, int threads) {
  for (int k = 0; k <= WALL_ENTRIES; ++k) {
    r->wall[k] = wall_repulsion(REPULSION_REACH * k / WALL_ENTRIES, r->shape->dimensions);
  }
  for (int round = 0; round < RELAX_ROUNDS; ++round) {
    r->gain = round < RELAX_ROUNDS / 2 ? REPULSION_GAIN : 0.5 * REPULSION_GAIN;
    mote_crowd_sort(&r->crowd, r->position);
    mote_parallel_for(threads, r->count, 256, move_points, r);
    swap_points(r);
  }
}

mote_result mote_fill_relaxed(const mote_shape *shape, double spacing, uint64_t seed, double volume,
                              size_t most, const mote_env *env, mote_samples *out, mote_error *error) {
  MOTE_ASSERT(spacing > 0.0 && volume >= 0.0);
  MOTE_ASSERT(out != NULL);
  mote_samples samples;
  double step[3];
  if (most >= UINT32_MAX) most = UINT32_MAX - 1;  // they are numbered
  MOTE_TRY(mote_fill_packing(shape, spacing, MOTE_FILL_RELAXED, volume, most, env, step, &samples, error));
  relaxing r = {.shape = shape, .spacing = spacing, .seed = seed, .count = samples.count};
  mote_result result =
      mote_crowd_create(env, r.count, REPULSION_REACH * spacing, shape->dimensions, &r.crowd, error);
  r.position = samples.position;
  r.moved = result ? NULL : mote_alloc(env, r.count, 3 * sizeof(double));
  if (!result && !r.moved) result = mote_fail_memory(error, r.count * 3 * sizeof(double));
  if (!result) {
    mote_parallel_for(env->threads, r.count, 256, jitter_points, &r);
    swap_points(&r);
    relax(&r, env->threads);
    samples.position = r.position;
  }
  mote_free(env, r.moved, r.count, 3 * sizeof(double));
  mote_crowd_destroy(&r.crowd);
  if (result) {
    mote_samples_free(&samples, env);
    return result;
  }
  *out = samples;
  return MOTE_OK;
}
