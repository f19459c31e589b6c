// The distance to ellipsoids against a dense search of the surface, for mild and extreme radii.
#include "geom/shape_tree.h"
#include "shape_kit.h"
#include "test.h"

// The least distance over the angles of the point's own octant, refined again and again around the best.
static double searched(const double e[3], const double x[3]) {
  double best = HUGE_VAL, at[2] = {0.8, 0.8}, span[2] = {0.8, 0.8},
         y[3] = {fabs(x[0]), fabs(x[1]), fabs(x[2])};
  for (int round = 0; round < 20; ++round) {
    double centre[2] = {at[0], at[1]};
    for (int k = 0; k < 41 * 41; ++k) {
      double u = centre[0] + span[0] * (k % 41 - 20) / 20.0, v = centre[1] + span[1] * (k / 41 - 20) / 20.0;
      double p[3] = {e[0] * cos(u) * cos(v), e[1] * sin(u) * cos(v), e[2] * sin(v)}, d = kit_distance(p, y);
      if (d < best) best = d, at[0] = u, at[1] = v;
    }
    span[0] *= 0.4, span[1] *= 0.4;
  }
  return best;
}

static void test_radii(double a, double b, double c) {
  double e[3] = {a, b, c}, longest = fmax(a, fmax(b, c));
  for (uint64_t i = 0; i < 25; ++i) {
    double y[3], n[3];
    kit_point(3, i, -1.5 * longest, 1.5 * longest, y);
    if (i % 5 == 1) y[i / 5 % 3] = 0.0;
    if (i % 5 == 2) y[0] *= 0.01, y[1] *= 0.01, y[2] *= 0.01;
    double f = mote_ellipsoid_distance(3, e, y, n);
    double q = y[0] * y[0] / (a * a) + y[1] * y[1] / (b * b) + y[2] * y[2] / (c * c);
    CHECK((f < 0.0) == (q < 1.0));
    CHECK_NEAR(fabs(f), searched(e, y), 1e-6 * longest);
    CHECK(mote_ellipsoid_least(3, e, y) <= f + 1e-12 * longest);
    double foot[3] = {y[0] - f * n[0], y[1] - f * n[1], y[2] - f * n[2]};
    double on = foot[0] * foot[0] / (a * a) + foot[1] * foot[1] / (b * b) + foot[2] * foot[2] / (c * c);
    CHECK_NEAR(on, 1.0, 1e-9);
  }
}

// Radii of a disc, of a needle and of nothing much: no NaN, no distance beyond the farthest point.
static void test_extremes(void) {
  static const double radii[] = {1e-12, 1e-3, 1.0, 1e6};
  for (int k = 0; k < 64; ++k) {
    double e[3] = {radii[k % 4], radii[k / 4 % 4], radii[k / 16]}, longest = fmax(e[0], fmax(e[1], e[2]));
    for (uint64_t i = 0; i < 50; ++i) {
      double y[3], n[3];
      kit_point(8, i, -2.0 * longest, 2.0 * longest, y);
      if (i % 3 == 0) y[1] = 0.0;
      double f = mote_ellipsoid_distance(3, e, y, n), size = sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2]);
      CHECK(fabs(f) <= size + longest);
      CHECK(f >= size - longest * (1.0 + 1e-12) || f < 0.0);
      CHECK_NEAR(n[0] * n[0] + n[1] * n[1] + n[2] * n[2], 1.0, 1e-9);
    }
  }
}

int main(void) {
  test_radii(1.0, 1.0, 1.0);
  test_radii(1.0, 0.5, 0.25);
  test_radii(0.3, 0.3, 1.0);
  test_radii(2.0, 2.0, 0.1);
  test_radii(0.01, 1.0, 3.0);
  test_extremes();
  return test_end();
}
