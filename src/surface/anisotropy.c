// Bin by bin: the candidates of a bin's points go into a tile, and all its points count and weigh them.
// Nothing is stored per pair. Reads the point set, writes shapes and tags. Workers list the shapes that they
// find; when all are known they are put in the order of the points.
#include "surface/anisotropy.h"

#include <math.h>

#include "base/check.h"
#include "base/parallel.h"
#include "surface/kernel_field.h"
#include "surface/kernel_rule.h"
#include "surface/tuning.inc"

#define TARGETS_PER_ROUND 64  // of one round over the candidates
#define BINS_PER_TASK 16      // of one task
#define SHAPES_PER_LIST 1024  // shapes that are listed together

// The shape of a point that is not inside.
typedef struct found_shape {
  uint32_t point;
  mote_kernel_shape shape;
  mote_surface_plane plane;
} found_shape;

// Shapes are listed in blocks: arrays that grow would be moved, and hold twice the memory.
typedef struct found_block {
  struct found_block *next;
  size_t count;
  found_shape shape[SHAPES_PER_LIST];
} found_block;

typedef struct worker {
  mote_candidates candidates;
  bool whole;  // they are all there are
  mote_point_run *run;
  size_t runs;
  double corner[3], per_reach;  // of the bin, m; 1/r of its largest point
  mote_kernel_rule rule;        // of the target at hand, in sets of different sizes
  mote_neighbour_sums sums[TARGETS_PER_ROUND];
  mote_target target[TARGETS_PER_ROUND];
  found_block *found;  // the last, which is not full, first
  bool failed;         // memory was out
} worker;

typedef struct work {
  const mote_point_set *set;
  const uint32_t *label;
  const uint32_t *owner;  // of each row: the point that is its particle; null: all are
  mote_kernel_rule rule;
  double cell, reach;  // m; in spacings
  size_t run_capacity;
  const mote_env *env;
  worker *workers;
  uint32_t *shape_of;  // at first 1 for those that are found
  uint8_t *near;
} work;

static int32_t label_of(const work *w, size_t point) {
  return w->label == NULL ? 0 : (int32_t)w->label[point];
}

static void place(const work *w, const worker *on, size_t point, float x[3]) {
  const double *at = w->set->position + 3 * point;
  for (int a = 0; a < 3; ++a) x[a] = (float)((at[a] - on->corner[a]) * on->per_reach);
}

static double reach_of_bin(const work *w, size_t bin) {
  const mote_point_set *set = w->set;
  double largest = 0.0;
  if (set->size == NULL) return w->rule.reach;
  for (uint32_t i = set->first_point[bin]; i < set->first_point[bin + 1]; ++i)
    largest = fmax(largest, (double)set->size[i]);
  return w->reach * largest;
}

static void find_candidates(const work *w, worker *on, size_t bin) {
  double low[3], high[3], edge = w->set->bin_edge, reach = reach_of_bin(w, bin);
  for (int a = 0; a < 3; ++a) {
    on->corner[a] = w->set->bin_at[3 * bin + a] * edge;
    low[a] = on->corner[a] - reach;
    high[a] = on->corner[a] + edge + reach * (1.0 - 1e-9);  // not the bin that begins there
  }
  on->per_reach = 1.0 / reach;
  on->runs = mote_point_set_runs(w->set, low, high, on->run, w->run_capacity);
  MOTE_ASSERT(on->runs <= w->run_capacity);
  on->whole = false;
}

typedef struct cursor {
  size_t run, point;  // the next candidate
} cursor;

// Of the candidates that were added last, in d^3.
static void add_volumes(const work *w, worker *on, size_t first, size_t count) {
  double d = w->set->spacing;
  float *volume = on->candidates.volume + on->candidates.count - count, per = (float)(1.0 / (d * d * d));
  for (size_t k = 0; k < count; ++k) volume[k] = w->set->volume[first + k] * per;
}

// The next tile of candidates.
static void fill(const work *w, worker *on, cursor *at) {
  mote_candidates *c = &on->candidates;
  c->count = 0;
  while (at->run < on->runs && c->count < MOTE_CANDIDATES) {
    const mote_point_run *run = &on->run[at->run];
    if (at->point < run->begin) at->point = run->begin;
    size_t vacant = MOTE_CANDIDATES - c->count, left = run->end - at->point,
           some = left < vacant ? left : vacant;
    mote_candidates_add(c, w->set->position + 3 * at->point, w->label == NULL ? NULL : w->label + at->point,
                        some, on->corner, on->per_reach);
    if (w->set->size != NULL) add_volumes(w, on, at->point, some);
    at->point += some;
    if (at->point == run->end) ++at->run, at->point = 0;
  }
  mote_candidates_close(c);
}

// Sums of the targets over all candidates of the bin.
static void gather(const work *w, worker *on, size_t targets) {
  for (size_t t = 0; t < targets; ++t) on->sums[t] = (mote_neighbour_sums){0};
  size_t tiles = 0;
  for (cursor at = {0}; on->whole ? tiles == 0 : at.run < on->runs; ++tiles) {
    if (!on->whole) fill(w, on, &at);
    for (size_t t = 0; t < targets; ++t) {
      if (w->set->size != NULL)
        mote_neighbours_add_own(&on->candidates, &on->target[t], &on->sums[t]);
      else
        mote_neighbours_add(&on->candidates, &on->target[t], &on->sums[t]);
    }
  }
  on->whole = tiles == 1;
}

// Where the next shape goes; null when memory is out.
static found_shape *next_found(const work *w, worker *on) {
  if (on->found == NULL || on->found->count == SHAPES_PER_LIST) {
    found_block *block = mote_alloc(w->env, 1, sizeof *block);
    if (block == NULL) return NULL;
    block->next = on->found, block->count = 0;
    on->found = block;
  }
  return &on->found->shape[on->found->count++];
}

// The rule for a point.
static const mote_kernel_rule *rule_of(const work *w, worker *on, uint32_t point) {
  if (w->set->size == NULL) return &w->rule;
  mote_kernel_rule_resize(&on->rule, (double)w->set->size[point], w->cell);
  return &on->rule;
}

// In sets of different sizes points inside have kernels of their own, too.
static void shape_one(const work *w, worker *on, uint32_t point, const mote_neighbour_sums *sums) {
  const mote_kernel_rule *rule = rule_of(w, on, point);
  mote_near_moments moments = mote_near_moments_of(sums);
  bool touches = mote_kernel_rule_touches(rule, &moments), own = w->set->size != NULL;
  bool near = mote_kernel_rule_near_surface(rule, sums) || (touches && rule->keep_volume);
  w->near[point] = !near ? MOTE_NEAR_INSIDE : touches ? MOTE_NEAR_TOUCHES : MOTE_NEAR_SURFACE;
  w->shape_of[point] = near || own;
  found_shape *found = near || own ? next_found(w, on) : NULL;
  on->failed = on->failed || ((near || own) && found == NULL);
  if (found == NULL) return;
  *found = (found_shape){.point = point, .plane = {.depth = HUGE_VALF}};
  found->shape = near ? mote_kernel_rule_shape(rule, &moments, &found->plane) : mote_kernel_rule_inside(rule);
}

static void shape_targets(const work *w, worker *on, const uint32_t *point, size_t targets) {
  for (size_t t = 0; t < targets; ++t) {
    mote_target *target = &on->target[t];
    place(w, on, point[t], target->x);
    target->label = label_of(w, point[t]);
    if (w->set->size == NULL) continue;
    double size = (double)w->set->size[point[t]], ratio = w->set->spacing / size;
    target->scale = (float)(1.0 / (on->per_reach * w->reach * size));
    target->bulk = (float)(ratio * ratio * ratio);
  }
  gather(w, on, targets);
  for (size_t t = 0; t < targets; ++t) shape_one(w, on, point[t], &on->sums[t]);
}

static void shape_bin(const work *w, worker *on, size_t bin) {
  find_candidates(w, on, bin);
  const mote_point_set *set = w->set;
  uint32_t point[TARGETS_PER_ROUND];
  size_t targets = 0;
  for (uint32_t i = set->first_point[bin]; i < set->first_point[bin + 1]; ++i) {
    if (w->owner == NULL || w->owner[set->row[i]] == i) point[targets++] = i;
    if (targets == TARGETS_PER_ROUND) {
      shape_targets(w, on, point, targets);
      targets = 0;
    }
  }
  if (targets > 0) shape_targets(w, on, point, targets);
}

static void shape_bins(void *data, size_t begin, size_t end, int thread) {
  const work *w = data;
  for (size_t bin = begin; bin < end; ++bin) shape_bin(w, &w->workers[thread], bin);
}

// Images have part of a neighbourhood only. The particle itself is the point nearest to the domain.
static double outside(const mote_point_set *set, const mote_domain *domain, size_t point) {
  double most = 0.0;
  for (int a = 0; a < 3; ++a) {
    if (!domain->periodic[a]) continue;
    double x = set->position[3 * point + a] + set->origin[a];
    double over = x < domain->low[a] ? domain->low[a] - x : x - domain->high[a];
    if (over > most) most = over;
  }
  return most;
}

static mote_result find_owners(work *w, const mote_domain *domain, mote_arena *scratch, mote_error *error) {
  const mote_point_set *set = w->set;
  if (set->count == set->particles) return MOTE_OK;
  MOTE_TAKE_NEW(uint32_t, owner, scratch, set->particles, error);
  for (size_t k = 0; k < set->particles; ++k) owner[k] = UINT32_MAX;
  for (size_t i = 0; i < set->count; ++i) {
    uint32_t *o = &owner[set->row[i]];
    if (*o == UINT32_MAX || outside(set, domain, i) < outside(set, domain, *o)) *o = (uint32_t)i;
  }
  w->owner = owner;
  return MOTE_OK;
}

// Numbers the shapes in the order of their points; images have their particle's. Returns how many there are.
static size_t number_shapes(const work *w) {
  size_t count = MOTE_SHAPE_INSIDE + 1;
  for (size_t i = 0; i < w->set->count; ++i) {
    bool own = w->owner == NULL || w->owner[w->set->row[i]] == i;
    if (own) w->shape_of[i] = w->shape_of[i] ? (uint32_t)count++ : MOTE_SHAPE_INSIDE;
  }
  for (size_t i = 0; w->owner != NULL && i < w->set->count; ++i) {
    uint32_t owner = w->owner[w->set->row[i]];
    w->shape_of[i] = w->shape_of[owner], w->near[i] = w->near[owner];
  }
  return count;
}

static mote_result take_workers(work *w, mote_arena *scratch, mote_error *error) {
  double most = w->set->size != NULL ? w->reach * w->set->largest : w->rule.reach;
  double rows = 2.0 * floor(most / w->set->bin_edge) + 5.0;
  size_t threads = (size_t)w->env->threads;
  w->run_capacity = (size_t)(rows * rows);
  MOTE_TAKE(w->workers, scratch, threads, error);
  for (size_t k = 0; k < threads; ++k) {
    worker *on = &w->workers[k];
    on->run = mote_arena_take(scratch, w->run_capacity, sizeof *on->run);
    on->found = NULL, on->failed = on->run == NULL;
    on->rule = w->rule;
  }
  return MOTE_OK;
}

static bool any_failed(const work *w) {
  bool failed = false;
  for (int k = 0; k < w->env->threads; ++k) failed = failed || w->workers[k].failed;
  return failed;
}

static double determinant(const float G[6]) {
  double a = (double)G[0], b = (double)G[1], c = (double)G[2], d = (double)G[3], e = (double)G[4],
         f = (double)G[5];
  return a * (d * f - e * e) - b * (b * f - c * e) + c * (b * e - c * d);
}

// So that a kernel's integral is the volume, times what its rule says.
static void weigh(mote_kernel_shape *shape, double volume) {
  double scale = 1.0 / mote_bump_volume(MOTE_BUMP_SMOOTH);
  shape->weight = (float)(volume * scale * determinant(shape->G) * (double)shape->weight);
}

// Puts shapes and planes (one for each shape) where they belong, and frees what the worker has listed; shape
// null: only that.
static void place_found(const work *w, worker *on, mote_kernel_shape *shape, mote_surface_plane *plane) {
  for (found_block *block = on->found, *next; block != NULL; block = next) {
    for (size_t n = 0; shape != NULL && n < block->count; ++n) {
      uint32_t number = w->shape_of[block->shape[n].point];
      shape[number] = block->shape[n].shape, plane[number] = block->shape[n].plane;
      weigh(&shape[number], (double)mote_point_volume(w->set, block->shape[n].point));
    }
    next = block->next;
    mote_free(w->env, block, 1, sizeof *block);
  }
}

static mote_result make_shapes(work *w, const mote_surface_def *def, mote_arena *arena, mote_arena *scratch,
                               mote_kernel_shapes *out, mote_error *error) {
  const mote_point_set *set = w->set;
  MOTE_TRY(find_owners(w, &def->domain, scratch, error));
  MOTE_TRY(take_workers(w, scratch, error));
  if (!any_failed(w)) mote_parallel_for(w->env->threads, set->bins, BINS_PER_TASK, shape_bins, w);
  size_t count = any_failed(w) ? 0 : number_shapes(w);
  mote_kernel_shape *shape = mote_arena_take(arena, count, sizeof *shape);
  mote_surface_plane *plane = mote_arena_take(scratch, count, sizeof *plane);
  bool ok = count > 0 && shape != NULL && plane != NULL;
  for (int k = 0; k < w->env->threads; ++k) place_found(w, &w->workers[k], ok ? shape : NULL, plane);
  if (!ok) return mote_fail_memory(error, set->count * sizeof *shape);
  shape[MOTE_SHAPE_INSIDE] = mote_kernel_rule_inside(&w->rule);
  weigh(&shape[MOTE_SHAPE_INSIDE], set->volume == NULL ? (double)mote_point_volume(set, 0) : 1.0);
  plane[MOTE_SHAPE_INSIDE] = (mote_surface_plane){.depth = HUGE_VALF};
  *out = (mote_kernel_shapes){.count = count, .shape = shape, .of = w->shape_of};
  // Windows and depths of ripples are in spacings of the set.
  if (!def->keep_volume || !(def->ripple > 0.0) || set->size != NULL) return MOTE_OK;
  mote_ripple_set on = {.set = set,
                        .plane = plane,
                        .label = w->label,
                        .owner = w->owner,
                        .shapes = out,
                        .reach = KERNEL_AXIS_MAX * w->rule.support};
  return mote_ripple_even(&on, def->ripple, w->env->threads, scratch, error);
}

mote_result mote_anisotropy(const mote_point_set *set, const mote_surface_def *def, const uint32_t *label,
                            const mote_env *env, mote_arena *arena, mote_arena *scratch,
                            mote_kernel_shapes *out, uint8_t *near, mote_error *error) {
  MOTE_ASSERT(set->spacing > 0.0);
  MOTE_ASSERT(out != NULL && (near != NULL || set->count == 0));
  MOTE_ASSERT(arena != NULL && scratch != NULL && arena != scratch);
  work w = {.set = set,
            .label = label,
            .rule = mote_kernel_rule_make(def, set->spacing),
            .cell = def->cell * set->spacing,
            .reach = def->reach,
            .env = env,
            .shape_of = mote_arena_take(arena, set->count, sizeof *w.shape_of),
            .near = near};
  if (w.shape_of == NULL) return mote_fail_memory(error, set->count * sizeof *w.shape_of);
  mote_arena_mark mark = mote_arena_here(scratch);
  mote_result result = make_shapes(&w, def, arena, scratch, out, error);
  mote_arena_release(scratch, mark);
  return result;
}
