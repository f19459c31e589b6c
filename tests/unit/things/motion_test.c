// Motions: formulas, keys, poses against matrices and quaternions made by hand, errors.
#include "things/motion.h"

#include <math.h>
#include <mote/numeric.h>

#include "stingy.h"
#include "test.h"

#define PI 3.14159265358979323846

static mote_motion_def still(void) {
  return (mote_motion_def){.axis = {0, 0, 1}};
}

static mote_motion *make(const mote_motion_def *def, int dimensions) {
  mote_motion *motion = NULL;
  mote_error error = {0};
  mote_result result = mote_motion_create(def, NULL, dimensions, NULL, &motion, &error);
  if (!CHECK(result == MOTE_OK)) fprintf(stderr, "  %s: %s\n", error.key, error.text);
  return motion;
}

static void check_point(const double x[3], double a, double b, double c, double tolerance) {
  CHECK_NEAR(x[0], a, tolerance);
  CHECK_NEAR(x[1], b, tolerance);
  CHECK_NEAR(x[2], c, tolerance);
}

static void stands(void) {
  mote_motion_def def = still();
  def.pivot[0] = 3.0;
  mote_motion *motion = make(&def, 3);
  CHECK(!mote_motion_moves(motion));
  mote_pose pose = mote_motion_at(motion, 7.0), identity = mote_pose_identity();
  CHECK(memcmp(pose.rotation, identity.rotation, sizeof pose.rotation) == 0);
  double x[3] = {1.0, 2.0, -5.0}, y[3];
  mote_pose_apply(&pose, x, y);
  check_point(y, 1.0, 2.0, -5.0, 0.0);
  mote_motion_destroy(motion);
}

static void follows_formulas(void) {
  mote_motion_def def = still();
  def.move.x.formula = "2*t";
  def.move.y.constant = 0.5;
  def.angle.formula = "pi/2*t";
  def.pivot[0] = 1.0;
  mote_motion *motion = make(&def, 3);
  CHECK(mote_motion_moves(motion));
  mote_pose pose = mote_motion_at(motion, 1.0);
  double x[3] = {2.0, 0.0, 4.0}, y[3];
  mote_pose_apply(&pose, x, y);  // (1,0) about the pivot becomes (0,1)
  check_point(y, 1.0 + 2.0, 1.0 + 0.5, 4.0, 1e-15);
  mote_pose_unapply(&pose, y, y);
  check_point(y, 2.0, 0.0, 4.0, 1e-15);
  mote_motion_destroy(motion);
}

// q v q* with q = (cos, sin axis).
static void turn_by_quaternion(const double axis[3], double angle, const double v[3], double out[3]) {
  double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  double w = mote_cos(0.5 * angle), s = mote_sin(0.5 * angle) / length;
  double q[3] = {s * axis[0], s * axis[1], s * axis[2]};
  double t[3] = {2 * (q[1] * v[2] - q[2] * v[1]), 2 * (q[2] * v[0] - q[0] * v[2]),
                 2 * (q[0] * v[1] - q[1] * v[0])};
  out[0] = v[0] + w * t[0] + (q[1] * t[2] - q[2] * t[1]);
  out[1] = v[1] + w * t[1] + (q[2] * t[0] - q[0] * t[2]);
  out[2] = v[2] + w * t[2] + (q[0] * t[1] - q[1] * t[0]);
}

static void turns_as_quaternions(void) {
  for (uint64_t k = 0; k < 200; ++k) {
    mote_motion_def def = still();
    double v[3], expected[3], got[3];
    for (uint64_t a = 0; a < 3; ++a) {
      def.axis[a] = mote_random_uniform(1, a, k) - 0.5;
      v[a] = mote_random_uniform(2, a, k) - 0.5;
    }
    def.angle.constant = 20.0 * mote_random_uniform(3, 0, k) - 10.0;
    mote_motion *motion = make(&def, 3);
    CHECK(!mote_motion_moves(motion));
    mote_pose pose = mote_motion_at(motion, 0.0);
    mote_pose_apply(&pose, v, got);
    turn_by_quaternion(def.axis, def.angle.constant, v, expected);
    check_point(got, expected[0], expected[1], expected[2], 1e-14);
    mote_pose_turn(&pose, v, got);
    check_point(got, expected[0], expected[1], expected[2], 1e-14);
    mote_motion_destroy(motion);
  }
}

static const mote_key path[] = {
    {.time = 1.0, .move = {0, 0, 0}, .angle = 0.0},
    {.time = 2.0, .move = {1, 0, 0}, .angle = 1.0},
    {.time = 4.0, .move = {1, 3, 0}, .angle = -1.0},
    {.time = 4.5, .move = {0, 3, 2}, .angle = 4.0},
};

static mote_motion *make_path(void) {
  mote_motion_def def = still();
  def.key = path;
  def.keys = 4;
  return make(&def, 3);
}

static void passes_through_keys(void) {
  mote_motion *motion = make_path();
  CHECK(mote_motion_moves(motion));
  for (int k = 0; k < 4; ++k) {
    mote_pose pose = mote_motion_at(motion, path[k].time);
    const double *m = path[k].move;
    check_point(pose.move, m[0], m[1], m[2], 1e-15);
    CHECK_NEAR(pose.rotation[0], mote_cos(path[k].angle), 1e-15);
    CHECK_NEAR(pose.rotation[3], mote_sin(path[k].angle), 1e-15);
  }
  mote_pose early = mote_motion_at(motion, -10.0), late = mote_motion_at(motion, 1e9);
  check_point(early.move, 0, 0, 0, 0.0);
  check_point(late.move, 0, 3, 2, 0.0);
  mote_motion_destroy(motion);
}

// The slope at inner keys is that of Catmull and Rom; nowhere does the velocity jump.
static void is_smooth(void) {
  mote_motion *motion = make_path();
  double e = 1e-6;
  mote_pose a = mote_motion_at(motion, 2.0 - e), b = mote_motion_at(motion, 2.0 + e);
  CHECK_NEAR((b.move[0] - a.move[0]) / (2 * e), (1.0 - 0.0) / 3.0, 1e-5);
  CHECK_NEAR((b.move[1] - a.move[1]) / (2 * e), (3.0 - 0.0) / 3.0, 1e-5);
  double before = 0.0, step = 1e-3, most = 0.0;
  for (double t = 0.5; t < 5.0; t += step) {
    double speed = (mote_motion_at(motion, t + step).move[1] - mote_motion_at(motion, t).move[1]) / step;
    most = fmax(most, fabs(speed - before));
    before = speed;
  }
  CHECK(most < 0.05);  // the largest acceleration is about 13 m/s^2
  mote_motion_destroy(motion);
}

static void knows_velocities(void) {
  mote_motion_def def = still();
  def.angle.formula = "2*t";
  def.move.z.formula = "3*t";
  mote_motion *motion = make(&def, 3);
  double dt = 1e-4, x[3] = {1.0, 0.0, 0.0}, v[3];
  mote_pose before = mote_motion_at(motion, 0.0), after = mote_motion_at(motion, dt);
  mote_pose_velocity(&before, &after, x, dt, v);
  check_point(v, 0.0, 2.0, 3.0, 2 * 2 * dt);  // omega^2 r dt, to first order
  CHECK(mote_pose_is_finite(&after));
  mote_motion_destroy(motion);
}

static void keeps_to_the_plane(void) {
  mote_motion_def def = still();
  def.axis[2] = -3.0;
  def.angle.constant = 0.5 * PI;
  def.move.z.constant = 5.0;
  mote_motion *motion = make(&def, 2);
  mote_pose pose = mote_motion_at(motion, 0.0);
  double x[3] = {1.0, 0.0, 0.0};
  mote_pose_apply(&pose, x, x);
  check_point(x, 0.0, -1.0, 0.0, 1e-15);
  mote_motion_destroy(motion);
}

static void refuse(const mote_motion_def *def, int dimensions, const char *key) {
  mote_motion *motion = NULL;
  mote_error error = {0};
  CHECK(mote_motion_create(def, NULL, dimensions, NULL, &motion, &error) != MOTE_OK);
  CHECK_TEXT(error.key, key);
  CHECK(motion == NULL);
}

static void refuses(void) {
  mote_motion_def def = still();
  def.move.y.formula = "2*";
  refuse(&def, 3, "move.y");
  def = still();
  def.move.z.constant = (double)NAN;
  refuse(&def, 3, "move.z");
  def = still();
  def.angle.constant = 1.0;
  def.axis[2] = 0.0;
  refuse(&def, 3, "axis");
  def.axis[0] = 1.0;
  refuse(&def, 2, "axis");
  def = still();
  def.pivot[1] = (double)INFINITY;
  refuse(&def, 3, "pivot");
  mote_key key[3] = {{.time = 0.0}, {.time = 1.0}, {.time = 1.0}};
  def = still();
  def.key = key, def.keys = 3;
  refuse(&def, 3, "keys[2].time");
  key[1].angle = (double)NAN;
  refuse(&def, 3, "keys[1].angle");
  key[0].move[2] = (double)NAN;
  refuse(&def, 3, "keys[0].move");
}

static void survives_stinginess(void) {
  mote_motion_def def = still();
  def.angle.formula = "t";
  def.move.x.formula = "t^2";
  for (int granted = 0; granted < 100; ++granted) {
    stingy s;
    mote_env env = stingy_env(&s, granted);
    mote_motion *motion = NULL;
    mote_result result = mote_motion_create(&def, NULL, 3, &env, &motion, NULL);
    CHECK(result == MOTE_OK || result == MOTE_ERROR_MEMORY);
    mote_motion_destroy(motion);
    CHECK(s.held == 0);
    if (result == MOTE_OK) return;
  }
  CHECK(false);
}

int main(void) {
  stands();
  follows_formulas();
  turns_as_quaternions();
  passes_through_keys();
  is_smooth();
  knows_velocities();
  keeps_to_the_plane();
  refuses();
  survives_stinginess();
  return test_end();
}
