// Samples for contact: every ball lies inside and touches the surface; bodies pressed against a plane touch
// it with a sample, whichever way they are turned.
#include "geom/contact_samples.h"

#include <mote/mote.h>

#include "geom/triple.h"
#include "shape_kit.h"
#include "test.h"

#define SPACING 0.1
#define ROUND 0.01

static mote_contact_samples samples_of(const mote_shape *shape) {
  mote_env env = mote_env_default();
  mote_contact_samples samples;
  CHECK(mote_shape_contact_samples(shape, SPACING, ROUND, 100000, &env, &samples, NULL) == MOTE_OK);
  return samples;
}

static void ring_point(const mote_contact_sample *s, double angle, double x[3]) {
  double side[3], other[3], e[3] = {0};
  int least = 0;
  for (int k = 1; k < 3; ++k) least = fabs(s->axis[k]) < fabs(s->axis[least]) ? k : least;
  e[least] = 1.0;
  cross3(s->axis, e, side);
  double length = length3(side);
  cross3(s->axis, side, other);
  step3(s->centre, s->ring * mote_cos(angle) / length, side, x);
  step3(x, s->ring * mote_sin(angle) / length, other, x);
}

// The farthest that samples reach along a direction.
static double support(const mote_contact_samples *samples, const double n[3]) {
  double most = -HUGE_VAL;
  for (size_t k = 0; k < samples->count; ++k) {
    const mote_contact_sample *s = samples->sample + k;
    double along = dot3(s->axis, n), flat = sqrt(max2(0.0, dot3(n, n) - along * along));
    most = max2(most, dot3(s->centre, n) + s->ring * flat + s->round);
  }
  return most;
}

// The farthest that the shape reaches, by many rays from far outside: the twin.
static double reach(const mote_shape *shape, const double n[3]) {
  double most = -HUGE_VAL, x[3], normal[3];
  for (uint64_t k = 0; k < 3000; ++k) {
    kit_point(17, k, -1.5, 1.5, x);
    for (int round = 0; round < 4; ++round) {
      double f = mote_shape_closest(shape, x, normal);
      step3(x, -f, normal, x);
    }
    if (mote_shape_distance(shape, x) < 1e-6) most = max2(most, dot3(x, n));
  }
  return most;
}

static void test_inside(int dimensions) {
  for (int kind = MOTE_SHAPE_BOX; kind <= MOTE_SHAPE_TORUS; ++kind) {
    mote_shape_def def = kit_single((mote_shape_kind)kind, dimensions);
    mote_shape *shape = kit_shape(&def, dimensions);
    mote_contact_samples samples = samples_of(shape);
    CHECK(samples.count > 0);
    for (size_t k = 0; k < samples.count; ++k) {
      for (int a = 0; a < 6; ++a) {
        double x[3];
        ring_point(samples.sample + k, a, x);
        CHECK_NEAR(mote_shape_distance(shape, x), -samples.sample[k].round, 1e-7);
      }
    }
    mote_env env = mote_env_default();
    mote_contact_samples_free(&samples, &env);
    mote_shape_destroy(shape);
  }
}

// Corners are rounded by no more than (sqrt(3) - 1) times the radius, ellipsoids by the height of a facet.
static void test_support(void) {
  for (int kind = MOTE_SHAPE_BOX; kind <= MOTE_SHAPE_TORUS; ++kind) {
    mote_shape_def def = kit_single((mote_shape_kind)kind, 3);
    mote_shape *shape = kit_shape(&def, 3);
    mote_contact_samples samples = samples_of(shape);
    double low[3], high[3];
    mote_shape_bounds(shape, low, high);
    for (int a = 0; a < 3; ++a) {
      double n[3] = {a == 0, a == 1, a == 2};
      double slack = kind == MOTE_SHAPE_ELLIPSOID ? 0.02 : 0.74 * ROUND;
      double found = support(&samples, n);
      CHECK(found <= high[a] + 1e-9 && found >= high[a] - slack);
    }
    mote_env env = mote_env_default();
    mote_contact_samples_free(&samples, &env);
    mote_shape_destroy(shape);
  }
}

static void test_joined(void) {
  mote_shape_def parts[2] = {mote_shape_def_box(-0.5, -0.5, -0.5, 0.5, 0.5, 0.5),
                             mote_shape_def_sphere(0.4, 0.3, 0.2, 0.5)};
  mote_env env = mote_env_default();
  for (int kind = MOTE_SHAPE_UNION; kind <= MOTE_SHAPE_INTERSECTION; ++kind) {
    mote_shape_def def = mote_shape_def_default();
    def.kind = (mote_shape_kind)kind, def.part = parts, def.parts = 2;
    mote_shape *shape = kit_shape(&def, 3);
    mote_contact_samples samples = samples_of(shape);
    for (size_t k = 0; k < samples.count; ++k) {
      CHECK(mote_shape_distance(shape, samples.sample[k].centre) <= -samples.sample[k].round + 1e-7);
    }
    for (uint64_t k = 0; k < 6; ++k) {
      double n[3];
      kit_point(5, k, -1.0, 1.0, n);
      double length = length3(n);
      for (int a = 0; a < 3; ++a) n[a] /= length;
      double found = support(&samples, n), true_reach = reach(shape, n);
      CHECK(found < true_reach + 0.02 && found > true_reach - 0.06);  // half a spacing
    }
    mote_contact_samples_free(&samples, &env);
    mote_shape_destroy(shape);
  }
}

// A tetrahedron thinner than the balls still has its corners, and a sharp edge its samples.
static void test_mesh(void) {
  static const uint32_t triangle[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};
  double vertex[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0.015};
  mote_shape_def def = mote_shape_def_default();
  def.kind = MOTE_SHAPE_MESH;
  def.mesh = (mote_mesh){vertex, (uint32_t *)(uintptr_t)triangle, 4, 4};
  mote_shape *shape = kit_shape(&def, 3);
  mote_contact_samples samples = samples_of(shape);
  CHECK(samples.count > 20);
  for (size_t k = 0; k < samples.count; ++k) {
    CHECK(mote_shape_distance(shape, samples.sample[k].centre) <= -samples.sample[k].round + 1e-9);
  }
  double n[3] = {1.0, 0.0, 0.0};
  CHECK(support(&samples, n) > 0.9);
  mote_env env = mote_env_default();
  mote_contact_samples_free(&samples, &env);
  mote_shape_destroy(shape);
}

static void test_refused(void) {
  mote_env env = mote_env_default();
  mote_contact_samples samples;
  mote_error error = {0};
  mote_shape_def def = kit_single(MOTE_SHAPE_BOX, 3);
  mote_shape *shape = kit_shape(&def, 3);
  CHECK(mote_shape_contact_samples(shape, SPACING, ROUND, 7, &env, &samples, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, "shape");
  CHECK(samples.sample == NULL);
  mote_shape_destroy(shape);
  def = kit_single(MOTE_SHAPE_HALF_SPACE, 3);
  shape = kit_shape(&def, 3);
  CHECK(mote_shape_contact_samples(shape, SPACING, ROUND, 100, &env, &samples, &error) ==
        MOTE_ERROR_ARGUMENT);
  mote_shape_destroy(shape);
}

int main(void) {
  test_inside(2);
  test_inside(3);
  test_support();
  test_joined();
  test_mesh();
  test_refused();
  return test_end();
}
