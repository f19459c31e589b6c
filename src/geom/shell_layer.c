// Placing the points of a layer: packing points near it are moved onto it along gradients, then thinned to a
// least distance.
#include "geom/shell_layer.h"

#include "base/parallel.h"
#include "geom/packing.h"
#include "geom/point_cells.h"
#include "geom/shape_fill.h"
#include "geom/tuning.inc"

// The cubic spline of support 2, integrated over planes at distance z: what a full layer at z weighs.
static double layer_weight(double z) {
  double rest = 2.0 - z;
  if (z >= 2.0) return 0.0;
  if (z >= 1.0) return (0.25 - 0.1 * rest) * (rest * rest) * (rest * rest);
  return 0.7 - z * z * (1.0 - z * z * (0.75 - 0.3 * z));
}

double mote_shell_thin_weight(double thickness, double spacing) {
  MOTE_ASSERT(thickness >= 0.0 && spacing > 0.0);
  return layer_weight(1.0) / layer_weight(0.5 + 0.5 * thickness / spacing);
}

bool mote_shell_holds(const mote_shell_task *task, const double x[3], double margin) {
  MOTE_ASSERT(task->shape != NULL);
  for (int k = 0; k < task->shape->dimensions; ++k) {
    if (!(x[k] >= task->low[k] - margin && x[k] <= task->high[k] + margin)) return false;
  }
  return true;
}

// From the surface straight inward, to `deepest` or half-way through the wall, where the depth begins to
// fall. The wall's thickness, or twice `deepest`.
static double settle_halfway(const mote_shape *shape, double deepest, double x[3]) {
  double n[3], inside[3], low = 0.0, high = deepest;
  for (int k = 0; k < 4; ++k) {
    double f = mote_shape_closest(shape, x, n);
    step3(x, -f, n, x);
  }
  for (int k = 0; k < 24; ++k) {
    double depth = 0.5 * (low + high);
    step3(x, -depth, n, inside);
    if (-mote_shape_distance(shape, inside) >= 0.999 * depth) {
      low = depth;
    } else {
      high = depth;
    }
  }
  step3(x, -low, n, x);
  return 2.0 * low;
}

// Moves x along gradients to where the distance is `level`; n: the gradient there.
static bool settle_at(const mote_shell_task *task, double level, double x[3], double n[3]) {
  for (int k = 0; k < 12; ++k) {
    double off = mote_shape_closest(task->shape, x, n) - level;
    if (fabs(off) <= 1e-4 * task->spacing) return true;
    step3(x, -off, n, x);
  }
  return false;
}

// Whether the wall is half a spacing deep below x, a point of the outermost level with this normal.
static bool is_thick(const mote_shell_layer *layer, const double x[3], const double n[3]) {
  const mote_shell_task *task = layer->task;
  double below[3], deep = -0.5 * task->spacing, slope[3];
  step3(x, deep - layer->level, n, below);
  if (mote_shape_distance(task->shape, below) <= deep + 1e-3 * task->spacing) return true;
  copy3(x, below);  // beside an edge not straight inward
  return settle_at(task, deep, below, slope);
}

// Half-way through the wall: where it is thin all that it weighs is in the outermost layer, and where it is
// a little thicker the second one stands for what is between the outermost ones of both sides.
static double weight_halfway(const mote_shell_layer *layer, double x[3]) {
  double d = layer->task->spacing, own = layer->outer - layer->inner;
  if (layer->index > 1) return 0.0;
  double deepest = layer->index == 0 ? 0.5 * d : -layer->level;
  double thickness = settle_halfway(layer->task->shape, deepest, x);
  if (layer->index == 0) return mote_shell_thin_weight(thickness, d) * d / own;
  return thickness < d ? 0.0 : (thickness + 2.0 * layer->outer) / own;
}

bool mote_shell_layer_settle(const mote_shell_layer *layer, double x[3], double *weight) {
  MOTE_ASSERT(layer->task != NULL && x != NULL && weight != NULL);
  double start[3], n[3];
  copy3(x, start);
  *weight = 1.0;
  if (!settle_at(layer->task, layer->level, x, n) || (layer->index == 0 && !is_thick(layer, x, n))) {
    copy3(start, x);
    *weight = weight_halfway(layer, x);
  }
  return *weight > 0.0 && distance3(x, start) <= CANDIDATE_TRAVEL_MAX * layer->task->spacing;
}

// --- Candidates --------------------------------------------------------------------------------------------

typedef struct candidates {
  const mote_shell_layer *layer;
  double *position, *weight, *share;  // weight 0: not settled; share: of the layer's volume
} candidates;

// How much of the cell of edge h around a point at distance f lies below the level.
static double part_below(double f, double level, const double n[3], double h) {
  double width = h * (fabs(n[0]) + fabs(n[1]) + fabs(n[2]));
  return min2(1.0, max2(0.0, 0.5 + (level - f) / width));
}

static void settle_candidates(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const candidates *c = data;
  const mote_shell_task *task = c->layer->task;
  double h = CANDIDATE_STEP * c->layer->apart, cell = task->shape->dimensions == 2 ? h * h : h * h * h;
  for (size_t i = begin; i < end; ++i) {
    double *x = c->position + 3 * i, n[3], f = mote_shape_closest(task->shape, x, n);
    double below = part_below(f, c->layer->outer, n, h) - part_below(f, c->layer->inner, n, h);
    c->share[i] = mote_shell_holds(task, x, 0.0) ? cell * below : 0.0;
    bool near =
        fabs(f - c->layer->level) <= 0.6 * c->layer->apart || (c->layer->index == 0 && f > c->layer->level);
    c->weight[i] = 0.0;
    if (near && !mote_shell_layer_settle(c->layer, x, c->weight + i)) c->weight[i] = 0.0;
    if (c->weight[i] > 0.0 && !mote_shell_holds(task, x, 2.0 * task->spacing)) c->weight[i] = 0.0;
  }
}

// Of the points that settled, those at a distance from all kept before.
static mote_result thin_out(mote_shell_layer *layer, const candidates *c, size_t count, mote_error *error) {
  double apart = POINT_DISTANCE_MIN * layer->apart;
  mote_point_cells cells;
  MOTE_TRY(mote_point_cells_create(&layer->task->env, count, apart, layer->task->shape->dimensions, &cells,
                                   error));
  mote_point_cells_clear(&cells, layer->position);
  for (size_t i = 0; i < count; ++i) {
    uint32_t near;
    if (c->weight[i] == 0.0) continue;
    if (mote_point_cells_near(&cells, c->position + 3 * i, apart, &near, 1) > 0) continue;
    copy3(c->position + 3 * i, layer->position + 3 * layer->count);
    layer->weight[layer->count] = c->weight[i];
    mote_point_cells_add(&cells, (uint32_t)layer->count++);
  }
  mote_point_cells_destroy(&cells);
  return MOTE_OK;
}

static mote_packing candidate_packing(const mote_shell_layer *layer) {
  const mote_shell_task *task = layer->task;
  double h = CANDIDATE_STEP * layer->apart, margin = 2.0 * task->spacing, low[3], high[3], basis[9];
  for (int k = 0; k < 3; ++k) low[k] = task->low[k] - margin, high[k] = task->high[k] + margin;
  mote_packing_basis(task->shape, basis);
  mote_packing_region(basis, low, high, low, high);
  return mote_packing_over(basis, low, high, (const double[3]){h, h, h}, (const double[3]){0.25, 0.25, 0.25},
                           task->shape->dimensions);
}

mote_result mote_shell_layer_place(mote_shell_layer *layer, mote_error *error) {
  MOTE_ASSERT(layer->task != NULL && layer->arena != NULL);
  MOTE_ASSERT(layer->inner <= layer->level && layer->level <= layer->outer);
  const mote_shell_task *task = layer->task;
  mote_packing_plan plan;
  mote_packing packing = candidate_packing(layer);
  double reach = 0.45 * layer->apart;
  size_t count = mote_packing_count(task->shape, &packing, layer->inner - reach, layer->outer + reach, &plan);
  layer->count = 0;
  layer->filled = 0.0;
  if (count == 0) return MOTE_OK;
  // Candidates are about 16 to a sample.
  MOTE_TRY(mote_fill_check_count((double)count / 64.0, task->most, error));
  if (count >= UINT32_MAX) return mote_fill_check_count((double)count, UINT32_MAX, error);
  candidates c = {.layer = layer,
                  .position = mote_arena_take(layer->arena, count, 3 * sizeof(double)),
                  .weight = mote_arena_take(layer->arena, count, sizeof(double)),
                  .share = mote_arena_take(layer->arena, count, sizeof(double))};
  layer->position = mote_arena_take(layer->arena, count, 3 * sizeof(double));
  layer->weight = mote_arena_take(layer->arena, count, sizeof(double));
  if (!c.position || !c.weight || !c.share || !layer->position || !layer->weight) {
    return mote_fail_memory(error, count * 3 * sizeof(double));
  }
  mote_packing_place(&plan, c.position);
  mote_parallel_for(task->env.threads, count, 256, settle_candidates, &c);
  for (size_t i = 0; i < count; ++i) {
    if (c.weight[i] == 0.0 || c.weight[i] == 1.0) layer->filled += c.share[i];
  }
  return thin_out(layer, &c, count, error);
}
