// Legs of steered motions: see motion_leg.h.
#include "things/motion_leg.h"

#include <math.h>
#include <mote/numeric.h>

#include "base/check.h"
#include "geom/triple.h"

#define SMALL_SINE 1e-6  // rounding: near a half turn the axis is found from the diagonal, to its root

void mote_turn_about(const double axis[3], double angle, double R[9]) {
  double s = mote_sin(angle), half = mote_sin(0.5 * angle), v = 2.0 * half * half;  // v = 1 - cos
  double x = axis[0], y = axis[1], z = axis[2];
  R[0] = 1.0 - v * (y * y + z * z), R[1] = v * x * y - s * z, R[2] = v * x * z + s * y;
  R[3] = v * x * y + s * z, R[4] = 1.0 - v * (x * x + z * z), R[5] = v * y * z - s * x;
  R[6] = v * x * z - s * y, R[7] = v * y * z + s * x, R[8] = 1.0 - v * (x * x + y * y);
}

static void turn_by(const double turn[3], double R[9]) {
  double angle = length3(turn), axis[3] = {0.0, 0.0, 1.0};
  for (int a = 0; a < 3 && angle > 0.0; ++a) axis[a] = turn[a] / angle;
  mote_turn_about(axis, angle, R);
}

// Of a half turn R = 2 n n^T - 1: the column with the largest diagonal.
static void half_turn_axis(const double R[9], double axis[3]) {
  int k = 0;
  for (int a = 1; a < 3; ++a) k = R[4 * a] > R[4 * k] ? a : k;
  for (int a = 0; a < 3; ++a) axis[a] = R[3 * a + k] + (a == k ? 1.0 : 0.0);
  double length = length3(axis);
  for (int a = 0; a < 3; ++a) axis[a] /= length;
}

void mote_turn_vector(const double R[9], double out[3]) {
  double skew[3] = {0.5 * (R[7] - R[5]), 0.5 * (R[2] - R[6]), 0.5 * (R[3] - R[1])};
  double sine = length3(skew), cosine = 0.5 * (R[0] + R[4] + R[8] - 1.0);
  double angle = mote_atan2(sine, cosine), axis[3];
  if (sine > SMALL_SINE || cosine > 0.0) {
    for (int a = 0; a < 3; ++a) out[a] = sine > 0.0 ? skew[a] * (angle / sine) : 0.0;
    return;
  }
  half_turn_axis(R, axis);
  double sign = dot3(axis, skew) < 0.0 ? -1.0 : 1.0;
  for (int a = 0; a < 3; ++a) out[a] = sign * angle * axis[a];
}

mote_motion_leg mote_motion_leg_free(const mote_pose *from, double begin, const double velocity[3],
                                     const double spin[3]) {
  MOTE_ASSERT(from != NULL);
  mote_motion_leg leg = {.begin = begin, .end = HUGE_VAL, .from = *from, .to = *from};
  copy3(velocity, leg.velocity);
  copy3(spin, leg.spin);
  return leg;
}

mote_motion_leg mote_motion_leg_to(const mote_pose *from, double begin, const double move[3],
                                   const double turn[3], double seconds) {
  MOTE_ASSERT(from != NULL && seconds > 0.0);
  mote_motion_leg leg = {.begin = begin, .end = begin + seconds, .from = *from, .to = *from};
  double back[9], rest[9];
  copy3(move, leg.to.move);
  turn_by(turn, leg.to.rotation);
  for (int k = 0; k < 9; ++k) back[k] = from->rotation[k % 3 * 3 + k / 3];
  multiply3(leg.to.rotation, back, rest);
  mote_turn_vector(rest, leg.spin);
  for (int a = 0; a < 3; ++a) {
    leg.spin[a] /= seconds;
    leg.velocity[a] = (move[a] - from->move[a]) / seconds;
  }
  return leg;
}

mote_pose mote_motion_leg_at(const mote_motion_leg *leg, double t) {
  MOTE_ASSERT(leg->end >= leg->begin);
  if (t >= leg->end) return leg->to;
  double s = t > leg->begin ? t - leg->begin : 0.0;
  mote_pose pose = leg->from;
  step3(leg->from.move, s, leg->velocity, pose.move);
  if (length3(leg->spin) == 0.0) return pose;
  double turn[3] = {s * leg->spin[0], s * leg->spin[1], s * leg->spin[2]}, R[9];
  turn_by(turn, R);
  multiply3(R, leg->from.rotation, pose.rotation);
  return pose;
}
