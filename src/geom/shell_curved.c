// Samples of curved and joined solids: layers below the surface, thinner and with nearer points the nearer
// they are to it, whose volumes add up to that of the solid between them.
#include "base/arena.h"
#include "geom/packing.h"
#include "geom/shape_fill.h"
#include "geom/shell_layer.h"
#include "geom/tuning.inc"

typedef struct collection {
  const mote_shell_task *task;
  size_t count, capacity, volume_capacity;
  double *position, *volume;
} collection;

// Of the layers, from the surface inward, in spacings; the last goes on. Points stand in the middle of them.
// Midpoints of a weight that falls off have too little of it, the more so the thicker the layer: the
// outermost has more than its volume and the next as much less, such that from half a spacing and more away
// the wall has the weight of the solid for kernels of two to three spacings (docs/theory/shapes.md).
typedef struct layer_form {
  double thickness, apart, share;
} layer_form;

enum { FORM_LAST = 2 };

double mote_shell_apart(int dimensions) {
  return dimensions == 2 ? 0.5 : SHELL_APART;
}

static layer_form form_of(const mote_shell_task *task, int index) {
  if (index == 0) return (layer_form){0.5, mote_shell_apart(task->shape->dimensions), SHELL_SHARE};
  if (index == 1) return (layer_form){1.0, SHELL_APART_NEXT, SHELL_SHARE_NEXT};
  return (layer_form){1.0, 1.0, 1.0};
}

// Those whose points are within the depth asked for; at least one.
static double layers_of(const mote_shell_task *task) {
  double depth = task->depth / task->spacing + 1e-9, layers = 1.0, outer = 0.0;
  for (int index = 0; index < FORM_LAST; ++index) {
    outer += form_of(task, index).thickness;
    if (outer + 0.5 * form_of(task, index + 1).thickness > depth) return layers;
    layers += 1.0;
  }
  return layers + floor((depth - outer) / form_of(task, FORM_LAST).thickness - 0.5);
}

// Below a square of a spacing, in 2D a line, of the surface: of shapes of boxes as many as layers of a
// packing, which mostly fits them.
static double points_below(const mote_shell_task *task) {
  const mote_shape *shape = task->shape;
  double layers = layers_of(task), points = max2(0.0, layers - FORM_LAST);
  bool straight = true;
  for (size_t k = 0; k < shape->nodes; ++k) {
    const mote_shape_node *node = shape->node + k;
    straight = straight && (!mote_node_is_leaf(node) || node->kind == MOTE_SHAPE_BOX);
  }
  if (straight) return max2(1.0, floor(task->depth / task->spacing + 0.5));
  for (int index = 0; index < FORM_LAST && index < (int)min2(layers, 1e3); ++index) {
    double line = 1.0 / form_of(task, index).apart;
    points += shape->dimensions == 3 ? line * line : line;
  }
  return points;
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
  for (int k = 1; k < task->shape->dimensions; ++k) area *= step / task->spacing;
  return area * points_below(task);
}

// What the areas are multiplied by: the layer's volume over the sum of the areas where walls are thick.
static double thickness_of(const mote_shell_layer *layer, const double *area) {
  double sum = 0.0, d = layer->outer - layer->inner;
  for (size_t i = 0; i < layer->count; ++i) {
    if (layer->weight[i] == 1.0 && mote_shell_holds(layer->task, layer->position + 3 * i, 0.0))
      sum += area[i];
  }
  return sum > 0.0 ? min2(2.0 * d, max2(0.5 * d, layer->filled / sum)) : d;
}

static mote_result collect(collection *c, const mote_shell_layer *layer, const double *area,
                           mote_error *error) {
  const mote_shell_task *task = c->task;
  double thickness = thickness_of(layer, area) * form_of(task, layer->index).share;
  MOTE_TRY(mote_reserve(&task->env, &c->position, &c->capacity, c->count + layer->count, 3 * sizeof(double),
                        error));
  MOTE_TRY(mote_reserve(&task->env, &c->volume, &c->volume_capacity, c->count + layer->count, sizeof(double),
                        error));
  for (size_t i = 0; i < layer->count; ++i) {
    if (!mote_shell_holds(task, layer->position + 3 * i, 0.0)) continue;
    copy3(layer->position + 3 * i, c->position + 3 * c->count);
    bool thick = layer->weight[i] == 1.0;
    c->volume[c->count++] = area[i] * (thick ? thickness : layer->weight[i] * (layer->outer - layer->inner));
  }
  return mote_fill_check_count((double)c->count, task->most, error);
}

// From the depth *outer on; adds its thickness to that.
static mote_result add_layer(collection *c, mote_arena *arena, int index, double *outer, mote_error *error) {
  layer_form form = form_of(c->task, index);
  double d = c->task->spacing, inner = *outer + form.thickness;
  mote_shell_layer layer = {.task = c->task,
                            .arena = arena,
                            .index = index,
                            .apart = d * form.apart,
                            .outer = -d * *outer,
                            .level = -d * 0.5 * (*outer + inner),
                            .inner = -d * inner};
  *outer = inner;
  MOTE_TRY(mote_shell_layer_place(&layer, error));
  if (layer.count == 0) return MOTE_OK;
  MOTE_TAKE_NEW(double, area, arena, layer.count, error);
  MOTE_TRY(mote_shell_layer_spread(&layer, area, error));
  return collect(c, &layer, area, error);
}

static mote_result add_layers(collection *c, double layers, mote_error *error) {
  if (layers > 1000.0) return mote_fail_key(error, "depth", "is more than a thousand layers");
  mote_arena arena = mote_arena_make(&c->task->env);
  mote_result result = MOTE_OK;
  double outer = 0.0;
  for (int index = 0; index < (int)layers && !result; ++index) {
    mote_arena_mark mark = mote_arena_here(&arena);
    result = add_layer(c, &arena, index, &outer, error);
    mote_arena_release(&arena, mark);
  }
  mote_arena_destroy(&arena);
  return result;
}

mote_result mote_shell_curved(const mote_shell_task *task, mote_samples *out, mote_error *error) {
  MOTE_ASSERT(task->spacing > 0.0 && task->depth > 0.0 && out != NULL);
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
