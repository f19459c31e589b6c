// Legs of steered motions: rotations and their vectors, ends that are met exactly, and the shortest way.
#include "things/motion_leg.h"

#include <math.h>
#include <mote/numeric.h>

#include "base/random.h"
#include "geom/triple.h"
#include "test.h"
#include "things/motion.h"

static double number(uint64_t *count, double low, double high) {
  return low + (high - low) * mote_random_unit(7, 0, (*count)++);
}

static double difference(const double a[9], const double b[9]) {
  double most = 0.0;
  for (int k = 0; k < 9; ++k) most = max2(most, fabs(a[k] - b[k]));
  return most;
}

// The vector of a rotation gives that rotation, up to half a turn and there.
static void test_vectors(void) {
  uint64_t count = 0;
  for (int k = 0; k < 300; ++k) {
    double axis[3], R[9], again[9], turn[3];
    for (int a = 0; a < 3; ++a) axis[a] = number(&count, -1.0, 1.0);
    double length = length3(axis);
    for (int a = 0; a < 3; ++a) axis[a] /= length;
    double angle = k % 3 == 0   ? number(&count, 0.0, MOTE_PI)
                   : k % 3 == 1 ? MOTE_PI - number(&count, 0.0, 1e-7)
                                : number(&count, 0.0, 1e-7);
    if (k % 30 == 1) angle = MOTE_PI;
    mote_turn_about(axis, angle, R);
    mote_turn_vector(R, turn);
    double size = length3(turn), unit[3] = {0.0, 0.0, 1.0};
    for (int a = 0; a < 3 && size > 0.0; ++a) unit[a] = turn[a] / size;
    mote_turn_about(unit, size, again);
    CHECK_NEAR(size, angle, 1e-7);
    CHECK(difference(R, again) < 1e-6);
  }
}

// From one pose to another: exactly there at the end and behind it, halfway in the middle.
static void test_ends(void) {
  mote_pose from = mote_pose_identity();
  const double move[3] = {1.0, -2.0, 0.5}, turn[3] = {0.0, 0.0, 2.5}, pivot[3] = {0.3, 0.2, 0.1};
  copy3(pivot, from.pivot);
  mote_motion_leg leg = mote_motion_leg_to(&from, 3.0, move, turn, 0.5);
  mote_pose end = mote_motion_leg_at(&leg, 3.5), after = mote_motion_leg_at(&leg, 99.0),
            middle = mote_motion_leg_at(&leg, 3.25), before = mote_motion_leg_at(&leg, 2.0);
  CHECK(memcmp(end.move, move, sizeof move) == 0 && memcmp(&end, &after, sizeof end) == 0);
  CHECK(memcmp(&before, &from, sizeof from) == 0);
  CHECK_NEAR(middle.move[0], 0.5, 1e-12);
  CHECK_NEAR(middle.rotation[0], mote_cos(1.25), 1e-12);
  CHECK_NEAR(leg.spin[2], 5.0, 1e-12);
  // Back by the shortest way: from 2.5 to -2.5 rad through pi.
  const double other[3] = {0.0, 0.0, -2.5};
  mote_motion_leg back = mote_motion_leg_to(&end, 4.0, move, other, 1.0);
  CHECK_NEAR(back.spin[2], 2.0 * MOTE_PI - 5.0, 1e-9);
  CHECK(length3(back.velocity) == 0.0);
}

// At a constant velocity and spin, by differences.
static void test_rates(void) {
  mote_pose from = mote_pose_identity();
  const double v[3] = {1.0, 2.0, 3.0}, w[3] = {0.4, -0.3, 0.2}, h = 1e-5;
  mote_motion_leg leg = mote_motion_leg_free(&from, 1.0, v, w);
  mote_pose a = mote_motion_leg_at(&leg, 2.0 - h), b = mote_motion_leg_at(&leg, 2.0 + h),
            c = mote_motion_leg_at(&leg, 2.0);
  for (int k = 0; k < 3; ++k) CHECK_NEAR(b.move[k] - a.move[k], 2.0 * h * v[k], 1e-12);
  const double x[3] = {0.5, 0.7, -0.2};
  double now[3], next[3], last[3], spun[3];
  turn3(c.rotation, x, now);
  turn3(a.rotation, x, last);
  turn3(b.rotation, x, next);
  cross3(w, now, spun);
  for (int k = 0; k < 3; ++k) CHECK_NEAR((next[k] - last[k]) / (2.0 * h), spun[k], 1e-9);
}

int main(void) {
  test_vectors();
  test_ends();
  test_rates();
  return test_end();
}
