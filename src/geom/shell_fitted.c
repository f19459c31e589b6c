// Samples of meshes and joined shapes with straight sides, as of an L-shaped tank: where the packing of the
// filling has every face half a step away from its points, its points inside of the solid are the samples,
// and wall and fluid are one packing.
#include "geom/packing.h"
#include "geom/shape_fill.h"
#include "geom/shape_shell.h"
#include "geom/tuning.inc"

static double cell_volume(const mote_packing *packing, int dimensions) {
  return packing->step[0] * packing->step[1] * (dimensions == 2 ? 1.0 : packing->step[2]);
}

// Whether the distance from x to the surface is nothing or half a step along each axis of the packing.
static bool is_half_a_step(const mote_shape *shape, const mote_packing *packing, const double x[3]) {
  double n[3], f = mote_shape_closest(shape, x, n);
  unturn3(packing->basis, n, n);
  for (int k = 0; k < shape->dimensions; ++k) {
    double distance = fabs(f * n[k]), slack = 1e-6 * packing->step[k];
    if (distance > slack && fabs(distance - 0.5 * packing->step[k]) > slack) return false;
  }
  return true;
}

static bool steps_are_right(const mote_packing *packing, double spacing, int dimensions) {
  for (int k = 0; k < dimensions; ++k) {
    if (fabs(packing->step[k] - spacing) > 0.25 * spacing) return false;
  }
  return true;
}

// All points next to the surface have it half a step away.
static mote_result check_fit(const mote_shell_task *task, const mote_packing *packing, bool *fits,
                             mote_error *error) {
  mote_packing_plan plan;
  const double *step = packing->step;
  double reach = 0.75 * max2(step[0], max2(step[1], task->shape->dimensions == 3 ? step[2] : 0.0));
  size_t count = mote_packing_count(task->shape, packing, -reach, reach, &plan);
  MOTE_ALLOC_NEW(double, position, &task->env, 3 * count, error);
  if (count > 0) mote_packing_place(&plan, position);
  *fits = count > 0;
  for (size_t i = 0; i < count && *fits; ++i) *fits = is_half_a_step(task->shape, packing, position + 3 * i);
  mote_free(&task->env, position, count, 3 * sizeof(double));
  return MOTE_OK;
}

static mote_result take_points(const mote_shell_task *task, const mote_packing *packing, mote_samples *out,
                               mote_error *error) {
  mote_packing_plan plan;
  double volume = cell_volume(packing, task->shape->dimensions);
  size_t count = mote_packing_count(task->shape, packing, -task->depth - 0.01 * task->spacing, 0.0, &plan);
  size_t kept = 0;
  MOTE_TRY(mote_fill_check_count((double)count / 8.0, task->most, error));
  MOTE_ALLOC_NEW(double, position, &task->env, 3 * count, error);
  if (count > 0) mote_packing_place(&plan, position);
  for (size_t i = 0; i < count; ++i) {
    if (mote_shell_holds(task, position + 3 * i, 0.0)) copy3(position + 3 * i, position + 3 * kept++);
  }
  mote_result result = mote_fill_check_count((double)kept, task->most, error);
  if (!result) result = mote_samples_alloc(&task->env, kept, out, error);
  for (size_t i = 0; i < kept && !result; ++i) {
    copy3(position + 3 * i, out->position + 3 * i);
    out->volume[i] = volume;
  }
  mote_free(&task->env, position, count, 3 * sizeof(double));
  return result;
}

// Of a shape much larger than the region only the points in and next to the region are looked at. Others keep
// their whole packing, and with it the order of their samples.
static void clip_packing(const mote_shell_task *task, mote_packing *packing) {
  double low[3], high[3], corner[3], margin = task->depth + 2.0 * task->spacing;
  for (int k = 0; k < 3; ++k) low[k] = task->low[k] - margin, high[k] = task->high[k] + margin;
  mote_packing_region(packing->basis, low, high, low, high);
  unturn3(packing->basis, packing->origin, corner);
  for (int k = 0; k < task->shape->dimensions; ++k) {
    double step = packing->step[k], count = (double)packing->count[k];
    if (count * step <= CLIPPED_LENGTH * (high[k] - low[k])) continue;
    double first = max2(0.0, floor((low[k] - corner[k]) / step));
    double end = min2(count, ceil((high[k] - corner[k]) / step) + 1.0);
    packing->count[k] = end > first ? (int64_t)(end - first) : 0;
    corner[k] += first * step;
  }
  turn3(packing->basis, corner, packing->origin);
}

mote_result mote_shell_fitted(const mote_shell_task *task, bool *fits, mote_samples *out, mote_error *error) {
  MOTE_ASSERT(task->spacing > 0.0 && task->depth > 0.0);
  MOTE_ASSERT(fits != NULL && out != NULL);
  const mote_shape_node *root = task->shape->node;
  double low[3], high[3];
  *fits = false;
  if (mote_node_is_leaf(root) && root->kind != MOTE_SHAPE_MESH) return MOTE_OK;
  mote_node_bounds_plain(task->shape, 0, NULL, low, high);
  if (!finite3(low) || !finite3(high) || !(high[0] > low[0])) return MOTE_OK;
  mote_packing packing = mote_packing_fitted(task->shape, task->spacing, task->depth + task->spacing);
  if (!steps_are_right(&packing, task->spacing, task->shape->dimensions)) return MOTE_OK;
  clip_packing(task, &packing);
  MOTE_TRY(check_fit(task, &packing, fits, error));
  return *fits ? take_points(task, &packing, out, error) : MOTE_OK;
}
