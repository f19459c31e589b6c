// Rigid motions of colliders: a definition's formulas in t, or its keys, made ready; and poses applied to
// points.
#ifndef MOTE_MOTION_H
#define MOTE_MOTION_H

#include <mote/world.h>

typedef struct mote_motion mote_motion;

// Copies what it needs. `shape` tells the pivot where the definition has none (null, or unbounded along an
// axis: 0 there). In 2D only the turn about z and the moves along x and y count. Keys in errors are members
// of the definition: "move.x", "angle", "axis", "pivot", "keys[2].time".
mote_result mote_motion_create(const mote_motion_def *def, const mote_shape *shape, int dimensions,
                               const mote_env *env, mote_motion **out, mote_error *error);
void mote_motion_destroy(mote_motion *motion);

// The pose at time t, s. If a formula gives a non-finite number, so does the pose.
mote_pose mote_motion_at(const mote_motion *motion, double t);

// Whether the pose ever changes.
bool mote_motion_moves(const mote_motion *motion);

// Nothing moved.
mote_pose mote_pose_identity(void);
bool mote_pose_is_finite(const mote_pose *pose);

// x -> R (x - pivot) + pivot + move; out may be x.
static inline void mote_pose_apply(const mote_pose *pose, const double x[3], double out[3]) {
  const double *R = pose->rotation, *p = pose->pivot;
  double u = x[0] - p[0], v = x[1] - p[1], w = x[2] - p[2];
  out[0] = R[0] * u + R[1] * v + R[2] * w + (p[0] + pose->move[0]);
  out[1] = R[3] * u + R[4] * v + R[5] * w + (p[1] + pose->move[1]);
  out[2] = R[6] * u + R[7] * v + R[8] * w + (p[2] + pose->move[2]);
}

// The inverse.
static inline void mote_pose_unapply(const mote_pose *pose, const double x[3], double out[3]) {
  const double *R = pose->rotation, *p = pose->pivot;
  double u = x[0] - (p[0] + pose->move[0]), v = x[1] - (p[1] + pose->move[1]),
         w = x[2] - (p[2] + pose->move[2]);
  out[0] = R[0] * u + R[3] * v + R[6] * w + p[0];
  out[1] = R[1] * u + R[4] * v + R[7] * w + p[1];
  out[2] = R[2] * u + R[5] * v + R[8] * w + p[2];
}

// Directions: R x.
static inline void mote_pose_turn(const mote_pose *pose, const double x[3], double out[3]) {
  const double *R = pose->rotation;
  double u = x[0], v = x[1], w = x[2];
  out[0] = R[0] * u + R[1] * v + R[2] * w;
  out[1] = R[3] * u + R[4] * v + R[5] * w;
  out[2] = R[6] * u + R[7] * v + R[8] * w;
}

// The velocity of the point at x under `after` since its position under `before`.
void mote_pose_velocity(const mote_pose *before, const mote_pose *after, const double x[3], double dt,
                        double velocity[3]);

#endif
