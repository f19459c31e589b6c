// Samples of boxes, containers and half spaces: cells of a packing that fits the faces, all but a hole. For a
// box the hole is what lies deeper than asked for; for a container it is the container, so that its samples
// and its cubic filling are one packing.
#include "geom/shape_fill.h"
#include "geom/shape_shell.h"

typedef struct flat {
  const mote_shell_task *task;
  const mote_shape_node *node;
  double step[3], base[3];           // cell i is at base + (i + 1/2) step
  int64_t from[3], to[3];            // cells
  int64_t hole_from[3], hole_to[3];  // but not those in here along all axes
  double volume;
  size_t count;
  double *position;  // null: only count
} flat;

static double layers_in(double depth, double step) {
  return max2(1.0, floor(depth / step + 0.5 + 1e-9));
}

static void set_range(flat *f, int axis, double from, double to, double hole_from, double hole_to) {
  f->from[axis] = (int64_t)from, f->to[axis] = (int64_t)to;
  f->hole_from[axis] = (int64_t)hole_from, f->hole_to[axis] = (int64_t)hole_to;
}

// An axis that does not count in 2D: one cell, at 0.
static void set_flat_axis(flat *f, int axis) {
  f->step[axis] = 1.0;
  f->base[axis] = -0.5;
  set_range(f, axis, 0.0, 1.0, 0.0, 1.0);
}

static mote_result set_box(flat *f, mote_error *error) {
  double d = f->task->spacing;
  f->volume = 1.0;
  for (int k = 0; k < f->task->shape->dimensions; ++k) {
    double edge = 2.0 * f->node->size[k], n = max2(1.0, floor(edge / d + 0.5));
    double layers = layers_in(f->task->depth, edge / n);
    if (!(n + layers < 1e15)) return mote_fill_check_count(HUGE_VAL, f->task->most, error);
    f->step[k] = edge / n;
    f->base[k] = -0.5 * edge;
    f->volume *= f->step[k];
    if (f->node->inverted) {
      set_range(f, k, -layers, n + layers, 0.0, n);
    } else {
      set_range(f, k, 0.0, n, layers, n - layers);
      if (edge < d) f->volume *= d / edge * mote_shell_thin_weight(edge, d);
    }
  }
  if (f->task->shape->dimensions == 2) set_flat_axis(f, 2);
  return MOTE_OK;
}

static void set_half_space(flat *f) {
  double d = f->task->spacing, layers = layers_in(f->task->depth, d);
  f->volume = 1.0;
  for (int k = 0; k < f->task->shape->dimensions; ++k) f->volume *= d;
  for (int k = 0; k < 3; ++k) {
    f->step[k] = d;
    f->base[k] = 0.0;
    set_range(f, k, -1e15, 1e15, 0.0, 0.0);
  }
  set_range(f, 2, f->node->inverted ? 0.0 : -layers, f->node->inverted ? layers : 0.0, 0.0, 0.0);
  if (f->task->shape->dimensions == 2) set_flat_axis(f, 1);  // local x and z lie in the plane
}

// Along each axis no farther than the region's bounds in this basis.
static void clip_to_region(flat *f) {
  const mote_shell_task *task = f->task;
  double middle[3], half[3];
  for (int i = 0; i < 3; ++i) {
    middle[i] = 0.5 * (task->low[i] + task->high[i]) - f->node->origin[i];
    half[i] = 0.5 * (task->high[i] - task->low[i]);
  }
  unturn3(f->node->basis, middle, middle);
  for (int k = 0; k < 3; ++k) {
    double reach = 0.0;
    for (int i = 0; i < 3; ++i) reach += fabs(f->node->basis[3 * i + k]) * half[i];
    double from = floor((middle[k] - reach - f->base[k]) / f->step[k]) - 1.0;
    double to = ceil((middle[k] + reach - f->base[k]) / f->step[k]) + 1.0;
    if (from > (double)f->from[k]) f->from[k] = (int64_t)min2(from, 1e15);
    if (to < (double)f->to[k]) f->to[k] = (int64_t)max2(to, -1e15);
  }
}

static double cells_between(const int64_t from[3], const int64_t to[3]) {
  double cells = 1.0;
  for (int k = 0; k < 3; ++k) cells *= max2(0.0, (double)(to[k] - from[k]));
  return cells;
}

static double most_cells(const flat *f) {
  int64_t from[3], to[3];
  for (int k = 0; k < 3; ++k) {
    from[k] = f->hole_from[k] > f->from[k] ? f->hole_from[k] : f->from[k];
    to[k] = f->hole_to[k] < f->to[k] ? f->hole_to[k] : f->to[k];
  }
  return cells_between(f->from, f->to) - cells_between(from, to);
}

static void take_cell(flat *f, const int64_t cell[3]) {
  double x[3], slack = 1e-9 * f->task->spacing;
  for (int k = 0; k < 3; ++k) x[k] = f->base[k] + ((double)cell[k] + 0.5) * f->step[k];
  turn3(f->node->basis, x, x);
  step3(f->node->origin, 1.0, x, x);
  if (!mote_shell_holds(f->task, x, slack)) return;
  if (f->task->shape->dimensions == 2) x[2] = 0.0;
  if (f->position) copy3(x, f->position + 3 * f->count);
  ++f->count;
}

static bool in_hole(const flat *f, int axis, int64_t cell) {
  return cell >= f->hole_from[axis] && cell < f->hole_to[axis];
}

static void take_cells(flat *f) {
  int64_t cell[3];
  f->count = 0;
  for (cell[2] = f->from[2]; cell[2] < f->to[2]; ++cell[2]) {
    for (cell[1] = f->from[1]; cell[1] < f->to[1]; ++cell[1]) {
      bool through_hole = in_hole(f, 1, cell[1]) && in_hole(f, 2, cell[2]);
      for (cell[0] = f->from[0]; cell[0] < f->to[0]; ++cell[0]) {
        if (through_hole && in_hole(f, 0, cell[0])) cell[0] = f->hole_to[0];
        if (cell[0] < f->to[0]) take_cell(f, cell);
      }
    }
  }
}

static mote_result set_cells(const mote_shell_task *task, flat *f, mote_error *error) {
  *f = (flat){.task = task, .node = task->shape->node};
  if (f->node->kind == MOTE_SHAPE_BOX) {
    MOTE_TRY(set_box(f, error));
  } else {
    set_half_space(f);
  }
  clip_to_region(f);
  return MOTE_OK;
}

double mote_shell_flat_estimate(const mote_shell_task *task) {
  MOTE_ASSERT(task->spacing > 0.0 && task->depth > 0.0);
  flat f;
  return set_cells(task, &f, NULL) == MOTE_OK ? most_cells(&f) : HUGE_VAL;
}

mote_result mote_shell_flat(const mote_shell_task *task, mote_samples *out, mote_error *error) {
  MOTE_ASSERT(task->spacing > 0.0 && task->depth > 0.0);
  MOTE_ASSERT(out != NULL);
  flat f;
  MOTE_TRY(set_cells(task, &f, error));
  // A turned region's bounds hold a few times as many cells as the region.
  MOTE_TRY(mote_fill_check_count(most_cells(&f) / 8.0, task->most, error));
  take_cells(&f);
  MOTE_TRY(mote_fill_check_count((double)f.count, task->most, error));
  MOTE_TRY(mote_samples_alloc(&task->env, f.count, out, error));
  f.position = out->position;
  take_cells(&f);
  for (size_t i = 0; i < out->count; ++i) out->volume[i] = f.volume;
  return MOTE_OK;
}
