// Bin by bin, as in anisotropy.c: the planes of the upper particles around a bin are collected in a tile, and
// each point of the bin computes their height above its own. See ripple.h.
#include "surface/ripple.h"

#include <math.h>

#include "base/check.h"
#include "base/lane.h"
#include "base/parallel.h"
#include "surface/bin_list.h"
#include "surface/half_space.h"
#include "surface/plane_values.h"
#include "surface/tuning.inc"

#define BINS_PER_TASK 16
#define TARGETS_PER_ROUND 64  // of one round over the planes
#define PLANES_PER_TILE 512   // planes

typedef struct plane_tile {
  size_t count;
  float place[3][PLANES_PER_TILE],
      normal[3][PLANES_PER_TILE];  // where the planes pass, in windows from the bin's corner
  float weight[PLANES_PER_TILE], value[PLANES_PER_TILE];
  int32_t label[PLANES_PER_TILE];
} plane_tile;

typedef struct plane_sums {
  mote_lane weight, height, value, place[3];
} plane_sums;

typedef struct ripple_target {
  float place[3], normal[3];
  int32_t label;
} ripple_target;

typedef struct ripple_worker {
  plane_tile tile;
  mote_point_run *run;
  ripple_target target[TARGETS_PER_ROUND];
  plane_sums sums[TARGETS_PER_ROUND];
} ripple_worker;

typedef struct ripple_work {
  const mote_ripple_set *on;
  const mote_point_set *set;
  double window, ripple;  // m, spacings
  float *value;           // of each shape's plane
  mote_bin_list upper;    // points whose planes count
  size_t run_capacity;
  ripple_worker *workers;
} ripple_work;

static bool knows_plane(const void *data, size_t point) {
  return mote_ripple_plane(data, point)->depth < (float)EVENED_DEPTH;
}

static void tile_add(const ripple_work *w, size_t point, const double corner[3], plane_tile *tile) {
  const mote_surface_plane *plane = mote_ripple_plane(w->on, point);
  float x[3];
  mote_ripple_place(w->on, point, corner, 1.0 / w->window, x);
  for (int a = 0; a < 3; ++a) {
    tile->place[a][tile->count] = x[a];
    tile->normal[a][tile->count] = plane->normal[a];
  }
  tile->weight[tile->count] = (float)(1.0 - mote_rise((double)plane->depth, PLANE_FULL_DEPTH, EVENED_DEPTH));
  tile->value[tile->count] = w->value[w->on->shapes->of[point]];
  tile->label[tile->count++] = mote_ripple_label(w->on, point);
}

// Whole groups of four.
static void tile_close(plane_tile *tile) {
  for (size_t k = tile->count; k % MOTE_LANES != 0; ++k) {
    for (int a = 0; a < 3; ++a) tile->place[a][k] = tile->normal[a][k] = 0.0f;
    tile->weight[k] = tile->value[k] = 0.0f, tile->label[k] = 0;
  }
}

// Planes count by (1 - q^2)^2 of their distance and by how far their normals agree, up to 60 degrees.
static void sum_tile(const plane_tile *tile, const ripple_target *t, plane_sums *s) {
  for (size_t k = 0; k < tile->count; k += MOTE_LANES) {
    mote_lane x = mote_lane_load(tile->place[0] + k) - t->place[0],
              y = mote_lane_load(tile->place[1] + k) - t->place[1],
              z = mote_lane_load(tile->place[2] + k) - t->place[2];
    mote_lane agree = t->normal[0] * mote_lane_load(tile->normal[0] + k) +
                      t->normal[1] * mote_lane_load(tile->normal[1] + k) +
                      t->normal[2] * mote_lane_load(tile->normal[2] + k);
    mote_lane_mask label;
    memcpy(&label, tile->label + k, sizeof label);
    mote_lane near = mote_lane_max(1.0f - (x * x + y * y + z * z), mote_lane_splat(0.0f));
    mote_lane w = near * near * mote_lane_max(2.0f * agree - 1.0f, mote_lane_splat(0.0f));
    w = mote_lane_choose(label == t->label, w * mote_lane_load(tile->weight + k), mote_lane_splat(0.0f));
    s->weight += w;
    s->value += w * mote_lane_load(tile->value + k);
    s->height += w * (t->normal[0] * x + t->normal[1] * y + t->normal[2] * z);
    s->place[0] += w * x, s->place[1] += w * y, s->place[2] += w * z;
  }
}

// Mean of the planes around a point.
typedef struct plane_means {
  double height;   // over its own, windows
  double centred;  // 1: they lie all around it, 0: at one side
  double value;
} plane_means;

static plane_means means_of(const plane_sums *s) {
  double weight = (double)mote_lane_sum(s->weight), aside = 0.0;
  if (!(weight > 0.0)) return (plane_means){0};
  plane_means m = {.height = (double)mote_lane_sum(s->height) / weight,
                   .value = (double)mote_lane_sum(s->value) / weight};
  for (int a = 0; a < 3; ++a) {
    double mean = (double)mote_lane_sum(s->place[a]) / weight;
    aside += mean * mean;
  }
  aside = sqrt(fmax(aside - m.height * m.height, 0.0));
  m.centred = 1.0 - mote_rise(aside, OFFSET_FULL, OFFSET_NONE);
  return m;
}

// Displacement of the point's kernel outward, m.
static double step_of(const ripple_work *w, const plane_means *m) {
  double size = fabs(m->height) * w->window / w->set->spacing;
  double shape = mote_rise(size, 0.5 * w->ripple, w->ripple), part = 1.0 - shape;
  part -= shape * (m->height < 0.0 ? CONVEX_RETURN : CONCAVE_RETURN) *
          (size > HEIGHT_MAX ? HEIGHT_MAX / size : 1.0);
  return m->height * w->window * part * m->centred;
}

// Factor of the kernel's weight by which the sum at its plane becomes the mean: values are fourth roots.
static double weight_of(double value, const plane_means *m) {
  double ratio = value > 0.0 ? m->value / value : 1.0, factor = (ratio * ratio) * (ratio * ratio);
  factor = factor > WEIGHT_FACTOR_MAX         ? WEIGHT_FACTOR_MAX
           : factor < 1.0 / WEIGHT_FACTOR_MAX ? 1.0 / WEIGHT_FACTOR_MAX
                                              : factor;
  return 1.0 + m->centred * (factor - 1.0);
}

static void even_kernel(const ripple_work *w, uint32_t shape, const ripple_target *target,
                        const plane_sums *sums) {
  mote_kernel_shape *kernel = &w->on->shapes->shape[shape];
  double still = mote_rise((double)w->on->plane[shape].depth, EVENED_DEPTH, UNMOVED_DEPTH);
  plane_means means = means_of(sums);
  double step = step_of(w, &means) * (1.0 - still);
  double factor = still + (1.0 - still) * weight_of((double)w->value[shape], &means);
  for (int a = 0; a < 3; ++a) kernel->shift[a] += (float)(step * (double)target->normal[a]);
  kernel->weight *= (float)factor;
}

// Sums of the targets over all planes around the bin.
static void gather(const ripple_work *w, ripple_worker *on, const double corner[3], size_t runs,
                   size_t targets) {
  plane_tile *tile = &on->tile;
  tile->count = 0;
  for (size_t t = 0; t < targets; ++t) on->sums[t] = (plane_sums){0};
  for (size_t r = 0; r < runs; ++r) {
    uint32_t end = w->upper.first[on->run[r].end_bin];
    for (uint32_t k = w->upper.first[on->run[r].first_bin]; k < end; ++k) {
      tile_add(w, w->upper.point[k], corner, tile);
      if (tile->count < PLANES_PER_TILE) continue;
      for (size_t t = 0; t < targets; ++t) sum_tile(tile, &on->target[t], &on->sums[t]);
      tile->count = 0;
    }
  }
  tile_close(tile);
  for (size_t t = 0; t < targets; ++t) sum_tile(tile, &on->target[t], &on->sums[t]);
}

static void even_targets(const ripple_work *w, ripple_worker *on, const double corner[3],
                         const uint32_t *point, size_t targets) {
  double low[3], high[3];
  for (int a = 0; a < 3; ++a) {
    low[a] = corner[a] - w->window, high[a] = corner[a] + w->set->bin_edge + w->window;
  }
  size_t runs = mote_point_set_runs(w->set, low, high, on->run, w->run_capacity);
  MOTE_ASSERT(runs <= w->run_capacity);
  for (size_t t = 0; t < targets; ++t) {
    ripple_target *target = &on->target[t];
    mote_ripple_place(w->on, point[t], corner, 1.0 / w->window, target->place);
    memcpy(target->normal, mote_ripple_plane(w->on, point[t])->normal, sizeof target->normal);
    target->label = mote_ripple_label(w->on, point[t]);
  }
  gather(w, on, corner, runs, targets);
  for (size_t t = 0; t < targets; ++t) {
    even_kernel(w, w->on->shapes->of[point[t]], &on->target[t], &on->sums[t]);
  }
}

static void even_bins(void *data, size_t begin, size_t end, int thread) {
  const ripple_work *w = data;
  const mote_point_set *set = w->set;
  for (size_t bin = begin; bin < end; ++bin) {
    double corner[3];
    for (int a = 0; a < 3; ++a) corner[a] = set->bin_at[3 * bin + a] * set->bin_edge;
    uint32_t point[TARGETS_PER_ROUND];
    size_t targets = 0;
    for (uint32_t i = set->first_point[bin]; i < set->first_point[bin + 1]; ++i) {
      bool evened =
          mote_ripple_is_owner(w->on, i) && mote_ripple_plane(w->on, i)->depth < (float)UNMOVED_DEPTH;
      if (evened) point[targets++] = i;
      if (targets < TARGETS_PER_ROUND && i + 1 < set->first_point[bin + 1]) continue;
      if (targets > 0) even_targets(w, &w->workers[thread], corner, point, targets);
      targets = 0;
    }
  }
}

mote_result mote_ripple_even(const mote_ripple_set *on, double ripple, int threads, mote_arena *scratch,
                             mote_error *error) {
  MOTE_ASSERT(ripple >= 0.0);
  MOTE_ASSERT(on->plane != NULL && on->shapes != NULL);
  const mote_point_set *set = on->set;
  ripple_work w = {.on = on, .set = set, .window = MOTE_RIPPLE_WINDOW * set->spacing, .ripple = ripple};
  double rows = 2.0 * floor(w.window / set->bin_edge) + 5.0;
  w.run_capacity = (size_t)(rows * rows);
  mote_arena_mark mark = mote_arena_here(scratch);
  w.workers = mote_arena_take(scratch, (size_t)threads, sizeof *w.workers);
  w.value = mote_arena_take(scratch, on->shapes->count, sizeof *w.value);
  bool ok = w.workers != NULL && w.value != NULL;
  for (int k = 0; ok && k < threads; ++k) {
    w.workers[k].run = mote_arena_take(scratch, w.run_capacity, sizeof *w.workers[k].run);
    ok = w.workers[k].run != NULL;
  }
  mote_result result = ok ? mote_plane_values(on, UNMOVED_DEPTH, threads, scratch, w.value, error)
                          : mote_fail_memory(error, (size_t)threads * sizeof *w.workers);
  if (!result) result = mote_bin_list_make(set, knows_plane, on, scratch, &w.upper, error);
  if (!result) mote_parallel_for(threads, set->bins, BINS_PER_TASK, even_bins, &w);
  mote_arena_release(scratch, mark);
  return result;
}
