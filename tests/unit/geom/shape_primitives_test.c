// Distances of the single shapes: against marching points on their surfaces, gradients by differences,
// extents and volumes by counting.
#include <mote/mote.h>

#include "shape_kit.h"
#include "test.h"

static const mote_shape_kind kinds[] = {MOTE_SHAPE_BOX,       MOTE_SHAPE_SPHERE,  MOTE_SHAPE_ELLIPSOID,
                                        MOTE_SHAPE_CYLINDER,  MOTE_SHAPE_CAPSULE, MOTE_SHAPE_TORUS,
                                        MOTE_SHAPE_HALF_SPACE};

// A distance field is exact when a ball of its radius holds no point of the other side, and one point at it
// does: x - f n lies on the surface, and no sample at |f| (1 - eps) around x has the other sign.
static void check_exact(const mote_shape *shape, int dimensions, const double x[3], uint64_t seed) {
  double n[3], f = mote_shape_closest(shape, x, n), foot[3];
  for (int k = 0; k < 3; ++k) foot[k] = x[k] - f * n[k];
  CHECK_NEAR(mote_shape_distance(shape, foot), 0.0, 1e-9);
  CHECK_NEAR(sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]), 1.0, 1e-12);
  for (uint64_t m = 0; m < 40; ++m) {
    double v[3], y[3], length = 0.0;
    kit_point(seed, m, -1.0, 1.0, v);
    if (dimensions == 2) v[2] = 0.0;
    for (int k = 0; k < 3; ++k) length += v[k] * v[k];
    length = sqrt(length);
    for (int k = 0; k < 3; ++k) y[k] = x[k] + v[k] / length * fabs(f) * (1.0 - 1e-9);
    CHECK(mote_shape_distance(shape, y) * f >= 0.0);
  }
}

static void check_gradient(const mote_shape *shape, int dimensions, const double x[3]) {
  double n[3], step = 1e-6;
  mote_shape_closest(shape, x, n);
  double slope[3] = {0}, bend = 0.0;
  for (int k = 0; k < dimensions; ++k) {
    double a[3] = {x[0], x[1], x[2]}, b[3] = {x[0], x[1], x[2]};
    a[k] += step, b[k] -= step;
    double fa = mote_shape_distance(shape, a), fb = mote_shape_distance(shape, b);
    slope[k] = (fa - fb) / (2.0 * step);
    bend = fmax(bend, fabs(fa + fb - 2.0 * mote_shape_distance(shape, x)) / step);
  }
  if (bend > 1e-3) return;  // across a ridge of the distance there is no gradient
  for (int k = 0; k < 3; ++k) CHECK_NEAR(n[k], slope[k], 1e-5);
}

static void test_kind(mote_shape_kind kind, int dimensions) {
  mote_shape_def def = kit_single(kind, dimensions);
  mote_shape *shape = kit_shape(&def, dimensions);
  if (!CHECK(shape != NULL)) return;
  double low[3], high[3], volume, inside = 0.0, beyond = 0.0, box = 1.0;
  enum { TRIALS = 40000 };
  mote_shape_bounds(shape, low, high);
  for (uint64_t i = 0; i < TRIALS; ++i) {
    double x[3];
    kit_point(5, i, -1.6, 1.6, x);
    if (dimensions == 2) x[2] = 0.0;
    double f = mote_shape_distance(shape, x);
    inside += f < 0.0;
    for (int k = 0; k < dimensions; ++k) beyond += f < 0.0 && (x[k] < low[k] || x[k] > high[k]);
    if (i < 300) check_exact(shape, dimensions, x, i);
    if (i < 300) check_gradient(shape, dimensions, x);
  }
  CHECK(beyond == 0.0);
  for (int k = 0; k < dimensions; ++k) box *= 3.2;
  CHECK(mote_shape_volume(shape, &volume, NULL) == MOTE_OK);
  if (kind == MOTE_SHAPE_HALF_SPACE) {
    CHECK(isinf(volume));
  } else {  // four standard deviations of counting
    double share = volume / box;
    CHECK_NEAR(inside / TRIALS, share, 4.0 * sqrt(share * (1.0 - share) / TRIALS));
  }
  mote_shape_destroy(shape);
}

// The bounds touch the shape: just inside each of them there is a point of it.
static void test_bounds_are_tight(mote_shape_kind kind) {
  mote_shape_def def = kit_single(kind, 3);
  mote_shape *shape = kit_shape(&def, 3);
  double low[3], high[3];
  mote_shape_bounds(shape, low, high);
  for (int k = 0; k < 3 && kind != MOTE_SHAPE_HALF_SPACE; ++k) {
    double x[3], n[3] = {0};
    for (int m = 0; m < 3; ++m) x[m] = 0.5 * (low[m] + high[m]);
    // The farthest point along k: from far away the closest point is it, nearly.
    x[k] = 1e7;
    double f = mote_shape_closest(shape, x, n);
    CHECK_NEAR(x[k] - f * n[k], high[k], 1e-6);
  }
  mote_shape_destroy(shape);
}

static void test_strange_points(mote_shape_kind kind, int dimensions) {
  static const double strange[] = {0.0, -0.0, 1e-320, 1e300, -1e300, 1e18, 1e-18, 0.05, 0.02};
  mote_shape_def def = kit_single(kind, dimensions);
  mote_shape *shape = kit_shape(&def, dimensions);
  for (int k = 0; k < 729; ++k) {
    double x[3] = {strange[k % 9], strange[k / 9 % 9], strange[k / 81]}, n[3];
    double f = mote_shape_closest(shape, x, n);
    CHECK(!isnan(f));
    CHECK_NEAR(n[0] * n[0] + n[1] * n[1] + n[2] * n[2], 1.0, 1e-9);
    if (dimensions == 2) CHECK(n[2] == 0.0);
  }
  double x[3] = {(double)NAN, 0.0, 0.0}, n[3];
  CHECK(isnan(mote_shape_closest(shape, x, n)));
  CHECK_NEAR(n[0] * n[0] + n[1] * n[1] + n[2] * n[2], 1.0, 1e-12);
  x[0] = HUGE_VAL;
  mote_shape_distance(shape, x);
  mote_shape_destroy(shape);
}

// Where gradients do not exist: centres, axes, in the middle of things.
static void test_middles(void) {
  const mote_shape_kind three[] = {MOTE_SHAPE_SPHERE, MOTE_SHAPE_ELLIPSOID, MOTE_SHAPE_TORUS};
  for (int k = 0; k < 3; ++k) {
    for (int dimensions = 2; dimensions <= 3; ++dimensions) {
      mote_shape_def def = mote_shape_def_default();
      def.kind = three[k];
      mote_shape *shape = kit_shape(&def, dimensions);
      double n[3], x[3] = {0};
      mote_shape_closest(shape, x, n);
      CHECK_NEAR(n[0] * n[0] + n[1] * n[1] + n[2] * n[2], 1.0, 1e-12);
      mote_shape_destroy(shape);
    }
  }
}

int main(void) {
  for (int dimensions = 2; dimensions <= 3; ++dimensions) {
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; ++k) {
      test_kind(kinds[k], dimensions);
      test_strange_points(kinds[k], dimensions);
    }
  }
  for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; ++k) test_bounds_are_tight(kinds[k]);
  test_middles();
  return test_end();
}
