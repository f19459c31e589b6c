// Bin by bin, as in anisotropy.c: the kernels around a bin that are not inside go into a tile, and are added
// up where the planes of the bin's points pass. See plane_values.h.
#include "surface/plane_values.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/lane.h"
#include "base/parallel.h"
#include "surface/bin_list.h"

void mote_ripple_place(const mote_ripple_set *on, size_t point, const double corner[3], double per,
                       float x[3]) {
  MOTE_ASSERT(point < on->set->count);
  MOTE_ASSERT(per > 0.0);
  const mote_surface_plane *plane = mote_ripple_plane(on, point);
  double depth = (double)plane->depth * on->set->spacing;
  for (int a = 0; a < 3; ++a) {
    double at = on->set->position[3 * point + a] - corner[a] + depth * (double)plane->normal[a];
    x[a] = (float)(at * per);
  }
}

#define BINS_PER_TASK 16
#define TARGETS_PER_ROUND 64  // of one round over the kernels
#define KERNELS_PER_TILE 512  // kernels

typedef struct kernel_tile {
  size_t count;
  float centre[3][KERNELS_PER_TILE], G[6][KERNELS_PER_TILE];  // from the bin's corner, in reaches
  float weight[KERNELS_PER_TILE];
  int32_t label[KERNELS_PER_TILE];
} kernel_tile;

typedef struct value_target {
  float place[3];
  int32_t label;
  uint32_t shape;
  mote_lane sum;
} value_target;

typedef struct value_worker {
  kernel_tile tile;
  mote_point_run *run;
  value_target target[TARGETS_PER_ROUND];
} value_worker;

typedef struct value_work {
  const mote_ripple_set *on;
  mote_bin_list shaped;  // points that are not inside
  double deepest;        // spacings
  size_t run_capacity;
  value_worker *workers;
  float *value;
} value_work;

static bool has_shape(const void *data, size_t point) {
  const mote_ripple_set *on = data;
  return on->shapes->of[point] != MOTE_SHAPE_INSIDE;
}

static void tile_add(const value_work *w, size_t point, const double corner[3], kernel_tile *tile) {
  const mote_kernel_shape *shape = &w->on->shapes->shape[w->on->shapes->of[point]];
  const double *at = w->on->set->position + 3 * point, reach = w->on->reach, per = 1.0 / reach;
  size_t n = tile->count++;
  for (int a = 0; a < 3; ++a)
    tile->centre[a][n] = (float)((at[a] - corner[a] + (double)shape->shift[a]) * per);
  for (int k = 0; k < 6; ++k) tile->G[k][n] = (float)((double)shape->G[k] * reach);
  tile->weight[n] = shape->weight;
  tile->label[n] = mote_ripple_label(w->on, point);
}

static void tile_close(kernel_tile *tile) {
  for (size_t n = tile->count; n % MOTE_LANES != 0; ++n) {
    for (int a = 0; a < 3; ++a) tile->centre[a][n] = 0.0f;
    for (int k = 0; k < 6; ++k) tile->G[k][n] = 0.0f;
    tile->weight[n] = 0.0f, tile->label[n] = 0;
  }
}

static mote_lane sum_tile(const kernel_tile *t, const value_target *target) {
  const float *place = target->place;
  mote_lane sum = mote_lane_splat(0.0f);
  for (size_t n = 0; n < t->count; n += MOTE_LANES) {
    mote_lane x = place[0] - mote_lane_load(t->centre[0] + n),
              y = place[1] - mote_lane_load(t->centre[1] + n),
              z = place[2] - mote_lane_load(t->centre[2] + n);
    mote_lane xy = mote_lane_load(t->G[1] + n), xz = mote_lane_load(t->G[2] + n),
              yz = mote_lane_load(t->G[4] + n);
    mote_lane u = mote_lane_load(t->G[0] + n) * x + xy * y + xz * z,
              v = xy * x + mote_lane_load(t->G[3] + n) * y + yz * z,
              q = xz * x + yz * y + mote_lane_load(t->G[5] + n) * z;
    mote_lane p = mote_lane_max(1.0f - (u * u + v * v + q * q), mote_lane_splat(0.0f));
    mote_lane_mask label;
    memcpy(&label, t->label + n, sizeof label);
    mote_lane weight = mote_lane_load(t->weight + n);
    weight = mote_lane_choose(label == target->label, weight, mote_lane_splat(0.0f));
    sum += weight * ((p * p) * (p * p));
  }
  return sum;
}

static void sum_targets(value_worker *on, size_t targets) {
  tile_close(&on->tile);
  for (size_t t = 0; t < targets; ++t) on->target[t].sum += sum_tile(&on->tile, &on->target[t]);
  on->tile.count = 0;
}

static void gather(const value_work *w, value_worker *on, const double corner[3], size_t targets) {
  const mote_point_set *set = w->on->set;
  double low[3], high[3], reach = w->on->reach;
  for (int a = 0; a < 3; ++a) low[a] = corner[a] - reach, high[a] = corner[a] + set->bin_edge + reach;
  size_t runs = mote_point_set_runs(set, low, high, on->run, w->run_capacity);
  MOTE_ASSERT(runs <= w->run_capacity);
  on->tile.count = 0;
  for (size_t r = 0; r < runs; ++r) {
    uint32_t end = w->shaped.first[on->run[r].end_bin];
    for (uint32_t k = w->shaped.first[on->run[r].first_bin]; k < end; ++k) {
      tile_add(w, w->shaped.point[k], corner, &on->tile);
      if (on->tile.count == KERNELS_PER_TILE) sum_targets(on, targets);
    }
  }
  sum_targets(on, targets);
  for (size_t t = 0; t < targets; ++t)
    w->value[on->target[t].shape] = sqrtf(sqrtf(mote_lane_sum(on->target[t].sum)));
}

static void set_target(const value_work *w, size_t point, const double corner[3], value_target *target) {
  target->shape = w->on->shapes->of[point];
  target->label = mote_ripple_label(w->on, point);
  target->sum = mote_lane_splat(0.0f);
  mote_ripple_place(w->on, point, corner, 1.0 / w->on->reach, target->place);
}

static void value_bins(void *data, size_t begin, size_t end, int thread) {
  const value_work *w = data;
  const mote_point_set *set = w->on->set;
  value_worker *on = &w->workers[thread];
  for (size_t bin = begin; bin < end; ++bin) {
    double corner[3];
    for (int a = 0; a < 3; ++a) corner[a] = set->bin_at[3 * bin + a] * set->bin_edge;
    size_t targets = 0;
    for (uint32_t i = set->first_point[bin]; i < set->first_point[bin + 1]; ++i) {
      bool high = mote_ripple_plane(w->on, i)->depth < (float)w->deepest;
      if (high && mote_ripple_is_owner(w->on, i)) set_target(w, i, corner, &on->target[targets++]);
      if (targets < TARGETS_PER_ROUND && i + 1 < set->first_point[bin + 1]) continue;
      if (targets > 0) gather(w, on, corner, targets);
      targets = 0;
    }
  }
}

mote_result mote_plane_values(const mote_ripple_set *on, double deepest, int threads, mote_arena *scratch,
                              float *value, mote_error *error) {
  MOTE_ASSERT(on->reach > 0.0 && on->set->bin_edge > 0.0);
  MOTE_ASSERT(scratch != NULL && (value != NULL || on->set->count == 0));
  value_work w = {.on = on, .deepest = deepest, .value = value};
  double rows = 2.0 * floor(on->reach / on->set->bin_edge) + 5.0;
  w.run_capacity = (size_t)(rows * rows);
  mote_arena_mark mark = mote_arena_here(scratch);
  w.workers = mote_arena_take(scratch, (size_t)threads, sizeof *w.workers);
  bool ok = w.workers != NULL;
  for (int k = 0; ok && k < threads; ++k) {
    w.workers[k].run = mote_arena_take(scratch, w.run_capacity, sizeof *w.workers[k].run);
    ok = w.workers[k].run != NULL;
  }
  mote_result result = ok ? mote_bin_list_make(on->set, has_shape, on, scratch, &w.shaped, error)
                          : mote_fail_memory(error, (size_t)threads * sizeof *w.workers);
  if (!result) mote_parallel_for(threads, on->set->bins, BINS_PER_TASK, value_bins, &w);
  mote_arena_release(scratch, mark);
  return result;
}
