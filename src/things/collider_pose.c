// Pose of a collider at a time, from its definition and commands alone: for pictures of finished runs.
#include <math.h>
#include <mote/steer.h>
#include <string.h>

#include "base/check.h"
#include "things/motion.h"

static bool needs_shape(const mote_motion_def *def) {
  return isnan(def->pivot[0]) || isnan(def->pivot[1]) || isnan(def->pivot[2]);
}

static mote_result make_motion(const mote_collider_def *def, int dimensions, const mote_env *env,
                               mote_motion **out, mote_error *error) {
  mote_shape *shape = NULL;
  mote_result result = MOTE_OK;
  if (needs_shape(&def->motion)) result = mote_shape_create(&def->shape, dimensions, env, &shape, error);
  if (!result) result = mote_motion_create(&def->motion, shape, dimensions, env, out, error);
  mote_shape_destroy(shape);
  return result;
}

mote_result mote_collider_def_pose(const mote_collider_def *def, int dimensions, double t,
                                   const mote_env *env, mote_pose *out, mote_error *error) {
  bool there;
  return mote_collider_def_pose_steered(def, dimensions, NULL, 0, t, env, out, &there, error);
}

mote_result mote_collider_def_pose_steered(const mote_collider_def *def, int dimensions,
                                           const mote_command *command, size_t commands, double t,
                                           const mote_env *env, mote_pose *out, bool *there,
                                           mote_error *error) {
  if (def == NULL || out == NULL || there == NULL || (command == NULL && commands > 0))
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "def, command, out or there is null");
  mote_motion *motion = NULL;
  MOTE_TRY(make_motion(def, dimensions, env, &motion, error));
  *there = true;
  for (size_t k = 0; k < commands && command[k].time < t; ++k) {
    if (mote_command_kinds()[command[k].kind].target != MOTE_TARGET_COLLIDER) continue;
    if (strcmp(command[k].target, def->name) != 0) continue;
    if (command[k].kind == MOTE_COMMAND_REMOVE_COLLIDER) *there = false;
    if (command[k].kind != MOTE_COMMAND_REMOVE_COLLIDER) mote_motion_obey(motion, &command[k]);
  }
  *out = mote_motion_at(motion, t);
  mote_motion_destroy(motion);
  return MOTE_OK;
}
