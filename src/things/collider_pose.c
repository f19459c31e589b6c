// Where a collider is at a time, from its definition alone: for pictures of finished runs.
#include <math.h>

#include "base/check.h"
#include "things/motion.h"

static bool needs_shape(const mote_motion_def *def) {
  return isnan(def->pivot[0]) || isnan(def->pivot[1]) || isnan(def->pivot[2]);
}

mote_result mote_collider_def_pose(const mote_collider_def *def, int dimensions, double t,
                                   const mote_env *env, mote_pose *out, mote_error *error) {
  if (def == NULL || out == NULL) return mote_fail(error, MOTE_ERROR_ARGUMENT, "def or out is null");
  mote_shape *shape = NULL;
  mote_motion *motion = NULL;
  mote_result result = MOTE_OK;
  if (needs_shape(&def->motion)) result = mote_shape_create(&def->shape, dimensions, env, &shape, error);
  if (!result) result = mote_motion_create(&def->motion, shape, dimensions, env, &motion, error);
  if (!result) *out = mote_motion_at(motion, t);
  mote_motion_destroy(motion);
  mote_shape_destroy(shape);
  return result;
}
