// Samples of solids for boundary handling (Akinci et al. 2012, EG09 (55)): flat-sided shapes carry the
// packing that continues their filling, all others layers spread over offset surfaces.
#include "geom/shape_shell.h"

#include "geom/shape_fill.h"

// Samples are wanted only where the surface is: near the bounds of the solid, or of what a container holds.
static void clip_region(mote_shell_task *task) {
  const mote_shape_node *root = task->shape->node;
  double low[3], high[3], margin = task->depth + 2.0 * task->spacing;
  if (root->kind == MOTE_SHAPE_HALF_SPACE) {
    mote_node_bounds(task->shape, 0, NULL, low, high);
  } else {
    mote_node_bounds_plain(task->shape, 0, NULL, low, high);
  }
  for (int k = 0; k < 3; ++k) {
    task->low[k] = max2(task->low[k], low[k] - margin);
    task->high[k] = min2(task->high[k], high[k] + margin);
  }
  if (task->shape->dimensions == 2) task->low[2] = task->high[2] = 0.0;
}

static bool is_flat(const mote_shape_node *node) {
  return node->kind == MOTE_SHAPE_BOX || node->kind == MOTE_SHAPE_HALF_SPACE;
}

mote_result mote_shape_shell(const mote_shape *shape, double spacing, double depth, const double low[3],
                             const double high[3], size_t most, const mote_env *env, mote_samples *out,
                             mote_error *error) {
  if (!shape || !low || !high || !out) return mote_fail(error, MOTE_ERROR_ARGUMENT, "an argument is null");
  if (!(spacing > 0.0 && isfinite(spacing)))
    return mote_fail_key(error, "spacing", "must be a positive number");
  if (!(depth >= 0.0 && isfinite(depth))) return mote_fail_key(error, "depth", "must not be negative");
  mote_shell_task task = {.shape = shape,
                          .spacing = spacing,
                          .depth = max2(depth, 0.5 * spacing),
                          .most = most,
                          .env = mote_env_resolve(env)};
  copy3(low, task.low), copy3(high, task.high);
  clip_region(&task);
  if (!finite3(task.low) || !finite3(task.high)) {
    return mote_fail_key(error, "low", "a shape without bounds is sampled within finite bounds");
  }
  mote_samples samples = {0};
  MOTE_TRY(is_flat(shape->node) ? mote_shell_flat(&task, &samples, error)
                                : mote_shell_curved(&task, &samples, error));
  *out = samples;
  return MOTE_OK;
}

double mote_shape_shell_estimate(const mote_shape *shape, double spacing, double depth, const double low[3],
                                 const double high[3]) {
  if (!shape || !low || !high || !(spacing > 0.0 && isfinite(spacing)) || !(depth >= 0.0)) return HUGE_VAL;
  mote_shell_task task = {.shape = shape, .spacing = spacing, .depth = max2(depth, 0.5 * spacing)};
  copy3(low, task.low), copy3(high, task.high);
  clip_region(&task);
  if (!finite3(task.low) || !finite3(task.high)) return HUGE_VAL;
  for (int k = 0; k < shape->dimensions; ++k) {
    if (!(task.low[k] < task.high[k])) return 0.0;
  }
  return is_flat(shape->node) ? mote_shell_flat_estimate(&task) : mote_shell_curved_estimate(&task);
}
