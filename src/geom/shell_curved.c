// Samples of curved and joined solids: layers at half a spacing, one and a half, ... below the surface, whose
// volumes add up to that of the solid between them.
#include "base/arena.h"
#include "geom/packing.h"
#include "geom/shape_fill.h"
#include "geom/shell_layer.h"

typedef struct collection {
  const mote_shell_task *task;
  size_t count, capacity, volume_capacity;
  double *position, *volume;
} collection;

static double layers_of(const mote_shell_task *task) {
  return max2(1.0, floor(task->depth / task->spacing + 0.5 + 1e-9));
}

// By a coarse count of the surface.
double mote_shell_curved_estimate(const mote_shell_task *task) {
  MOTE_ASSERT(task->spacing > 0.0 && task->depth > 0.0);
  double widest = 0.0;
  for (int k = 0; k < 3; ++k) widest = max2(widest, task->high[k] - task->low[k]);
  double step = max2(task->spacing, widest / 48.0), area;
  double basis[9], low[3], high[3];
  mote_packing_basis(task->shape, basis);
  mote_packing_region(basis, task->low, task->high, low, high);
  mote_packing_plan plan;
  mote_packing packing = mote_packing_over(basis, low, high, (const double[3]){step, step, step},
                                           (const double[3]){0}, task->shape->dimensions);
  area = 0.5 * (double)mote_packing_count(task->shape, &packing, -step, step, &plan);
  double ratio = step / task->spacing;
  for (int k = 1; k < task->shape->dimensions; ++k) area *= ratio;
  return area * layers_of(task);
}

// What the areas are multiplied by: the layer's volume over the sum of the areas where walls are thick.
static double thickness_of(const mote_shell_layer *layer, const double *area) {
  double sum = 0.0, d = layer->task->spacing;
  for (size_t i = 0; i < layer->count; ++i) {
    if (layer->weight[i] == 1.0 && mote_shell_holds(layer->task, layer->position + 3 * i, 0.0))
      sum += area[i];
  }
  return sum > 0.0 ? min2(2.0 * d, max2(0.5 * d, layer->filled / sum)) : d;
}

static mote_result collect(collection *c, const mote_shell_layer *layer, const double *area,
                           mote_error *error) {
  const mote_shell_task *task = c->task;
  double thickness = thickness_of(layer, area);
  MOTE_TRY(mote_reserve(&task->env, &c->position, &c->capacity, c->count + layer->count, 3 * sizeof(double),
                        error));
  MOTE_TRY(mote_reserve(&task->env, &c->volume, &c->volume_capacity, c->count + layer->count, sizeof(double),
                        error));
  for (size_t i = 0; i < layer->count; ++i) {
    if (!mote_shell_holds(task, layer->position + 3 * i, 0.0)) continue;
    copy3(layer->position + 3 * i, c->position + 3 * c->count);
    bool thick = layer->weight[i] == 1.0;
    c->volume[c->count++] = area[i] * (thick ? thickness : layer->weight[i] * task->spacing);
  }
  return mote_fill_check_count((double)c->count, task->most, error);
}

static mote_result add_layer(collection *c, mote_arena *arena, int index, mote_error *error) {
  double d = c->task->spacing;
  mote_shell_layer layer = {.task = c->task,
                            .arena = arena,
                            .outer = -d * index,
                            .level = -d * (index + 0.5),
                            .inner = -d * (index + 1),
                            .outermost = index == 0};
  MOTE_TRY(mote_shell_layer_place(&layer, error));
  if (layer.count == 0) return MOTE_OK;
  MOTE_TRY(mote_shell_layer_relax(&layer, error));
  MOTE_TAKE_NEW(double, area, arena, layer.count, error);
  MOTE_TRY(mote_shell_layer_areas(&layer, area, error));
  return collect(c, &layer, area, error);
}

static mote_result add_layers(collection *c, double layers, mote_error *error) {
  if (layers > 1000.0) return mote_fail_key(error, "depth", "is more than a thousand layers");
  mote_arena arena = mote_arena_make(&c->task->env);
  mote_result result = MOTE_OK;
  for (int index = 0; index < (int)layers && !result; ++index) {
    mote_arena_mark mark = mote_arena_here(&arena);
    result = add_layer(c, &arena, index, error);
    mote_arena_release(&arena, mark);
  }
  mote_arena_destroy(&arena);
  return result;
}

mote_result mote_shell_curved(const mote_shell_task *task, mote_samples *out, mote_error *error) {
  MOTE_ASSERT(task->spacing > 0.0 && task->depth > 0.0);
  MOTE_ASSERT(out != NULL);
  collection c = {.task = task};
  bool fits = false;
  // Too fine a spacing fails at once.
  MOTE_TRY(mote_fill_check_count(0.25 * mote_shell_curved_estimate(task), task->most, error));
  MOTE_TRY(mote_shell_fitted(task, &fits, out, error));
  if (fits) return MOTE_OK;
  mote_result result = add_layers(&c, layers_of(task), error);
  if (!result) result = mote_samples_alloc(&task->env, c.count, out, error);
  if (!result) {
    for (size_t i = 0; i < 3 * c.count; ++i) out->position[i] = c.position[i];
    for (size_t i = 0; i < c.count; ++i) out->volume[i] = c.volume[i];
  }
  mote_free(&task->env, c.position, c.capacity, 3 * sizeof(double));
  mote_free(&task->env, c.volume, c.volume_capacity, sizeof(double));
  return result;
}
