// Rigid motions of colliders: a definition's formulas in t, or its keys, compiled.
#ifndef MOTE_MOTION_H
#define MOTE_MOTION_H

#include <mote/steer.h>

#include "geom/pose.h"
#include "things/motion_leg.h"

typedef struct mote_motion mote_motion;

// Copies its arguments. `shape` gives the pivot if the definition has none (null, or unbounded along an
// axis: 0 there). In 2D only the rotation about z and the moves along x and y are used. Keys in errors are
// members of the definition: "move.x", "angle", "axis", "pivot", "keys[2].time".
mote_result mote_motion_create(const mote_motion_def *def, const mote_shape *shape, int dimensions,
                               const mote_env *env, mote_motion **out, mote_error *error);
void mote_motion_destroy(mote_motion *motion);

// The pose at time t, s. If a formula gives a non-finite number, so does the pose.
mote_pose mote_motion_at(const mote_motion *motion, double t);

// Applies a command of a collider's velocity or pose, from command->time on.
void mote_motion_obey(mote_motion *motion, const mote_command *command);
// The leg of such a command.
mote_motion_leg mote_motion_plan(const mote_motion *motion, const mote_command *command, double time);
// Steers it from now on by the leg instead of its definition; null: by its definition again. The second: the
// leg, or null.
void mote_motion_steer(mote_motion *motion, const mote_motion_leg *leg);
const mote_motion_leg *mote_motion_steered(const mote_motion *motion);

// Whether the pose ever changes; steered motions count as moving.
bool mote_motion_moves(const mote_motion *motion);

// The identity.
mote_pose mote_pose_identity(void);
bool mote_pose_is_finite(const mote_pose *pose);

#endif
