// Poses applied to points.
#ifndef MOTE_POSE_H
#define MOTE_POSE_H

#include <mote/world.h>

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

// The velocity of the point at x under `after` since its position under `before`, dt seconds earlier.
static inline void mote_pose_velocity(const mote_pose *before, const mote_pose *after, const double x[3],
                                      double dt, double velocity[3]) {
  double own[3], was[3];
  mote_pose_unapply(after, x, own);
  mote_pose_apply(before, own, was);
  for (int a = 0; a < 3; ++a) velocity[a] = (x[a] - was[a]) / dt;
}

#endif
