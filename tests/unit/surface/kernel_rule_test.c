// Shapes of neighbourhoods whose moments are known: full, half, sheet, line, one place; turned; uneven
// layers.
#include "surface/kernel_rule.h"

#include <math.h>

#include "aniso_kit.h"
#include "test.h"

typedef struct cloud {
  double x[4096][3];
  size_t count;
} cloud;

static void add(cloud *c, double x, double y, double z) {
  c->x[c->count][0] = x, c->x[c->count][1] = y, c->x[c->count][2] = z;
  ++c->count;
}

// The packing points of a box, in spacings.
static cloud packing(int x, int y, int low, int high) {
  cloud c = {.count = 0};
  for (int k = low; k <= high; ++k) {
    for (int j = -y; j <= y; ++j) {
      for (int i = -x; i <= x; ++i) add(&c, i, j, k);
    }
  }
  return c;
}

// The shape of a point at `at`, all in spacings of d = 1.
static mote_kernel_shape shape_at(const mote_surface_def *def, const cloud *c, const double at[3],
                                  bool *near) {
  static mote_candidates candidates;
  mote_kernel_rule rule = mote_kernel_rule_make(def, 1.0);
  mote_target target = {.label = 0};
  mote_neighbour_sums sums = {0};
  candidates.count = 0;
  for (size_t k = 0; k < c->count; ++k) {
    double x[3], square = 0.0;
    for (int a = 0; a < 3; ++a) x[a] = (c->x[k][a] - at[a]) / def->reach, square += x[a] * x[a];
    if (square >= 1.0) continue;
    size_t n = candidates.count++;
    candidates.x[n] = (float)x[0], candidates.y[n] = (float)x[1], candidates.z[n] = (float)x[2];
    candidates.label[n] = 0;
  }
  mote_candidates_close(&candidates);
  mote_neighbours_add(&candidates, &target, &sums);
  *near = mote_kernel_rule_near_surface(&rule, &sums);
  mote_near_moments moments = mote_near_moments_of(&sums);
  mote_surface_plane plane;
  return mote_kernel_rule_shape(&rule, &moments, &plane);
}

static mote_kernel_shape shape_of(const mote_surface_def *def, const cloud *c, double x, double y, double z) {
  bool near;
  return shape_at(def, c, (double[3]){x, y, z}, &near);
}

// 20/(3 r^2) makes the covariance of a full neighbourhood the identity: errata of (4.12).
static void check_full(void) {
  mote_surface_def def = aniso_def();
  cloud c = packing(5, 5, -5, 5);
  bool near;
  mote_kernel_shape s = shape_at(&def, &c, (double[3]){0, 0, 0}, &near);
  CHECK(!near);
  static const int diagonal[3] = {0, 3, 5};
  for (int k = 0; k < 3; ++k) CHECK_NEAR((double)s.G[diagonal[k]] * def.support, 1.0, 0.05);
  CHECK_NEAR((double)s.G[1], 0.0, 1e-6);
  for (int a = 0; a < 3; ++a) CHECK_NEAR((double)s.shift[a], 0.0, 1e-6);
}

// In a half space the mean lies f(z) r below a point at the depth z, and the covariance along the normal is
// what remains: at z = 0, 3/20 - (9/28)^2 of r^2.
static void check_half(void) {
  mote_surface_def def = aniso_def();
  def.keep_volume = false;
  cloud c = packing(5, 5, -8, 0);
  for (int k = 0; k < 3; ++k) {
    double f = mote_half_space_shift((k + 0.5) / def.reach);
    mote_kernel_shape s = shape_of(&def, &c, 0, 0, -k);
    CHECK_NEAR((double)s.shift[2], -def.smoothing * f * def.reach,
               0.05 * def.reach * f);  // a sum, no integral
    CHECK(s.G[5] > s.G[0] && s.G[0] > 0.0f);
  }
  bool near;
  shape_at(&def, &c, (double[3]){0, 0, 0}, &near);
  CHECK(near);
}

// Layers stay, and what sticks out of the upper one goes back by lambda: a slope of -lambda, but for the
// depths that a sum over a packing tells otherwise than the integral.
static void check_even(void) {
  mote_surface_def def = aniso_def();
  cloud c = packing(5, 5, -8, 0);
  for (int k = 0; k < 4; ++k) CHECK_NEAR((double)shape_of(&def, &c, 0, 0, -k).shift[2], 0.0, 0.05);
  double up = (double)shape_of(&def, &c, 0, 0, 0.1).shift[2],
         down = (double)shape_of(&def, &c, 0, 0, -0.1).shift[2];
  CHECK_NEAR((up - down) / 0.2, -def.smoothing, 0.15);
  // Never down by more than the highest depth allows, at an edge or farther out.
  cloud edge = {.count = 0};
  for (size_t k = 0; k < c.count; ++k) {
    if (c.x[k][0] <= 0.0) add(&edge, c.x[k][0], c.x[k][1], c.x[k][2]);
  }
  mote_kernel_shape s = shape_of(&def, &edge, 0, 0, 0);
  double length = sqrt((double)(s.shift[0] * s.shift[0] + s.shift[1] * s.shift[1] + s.shift[2] * s.shift[2]));
  CHECK(s.shift[0] < 0.0f && s.shift[2] < 0.0f && length <= 0.65 * def.smoothing + 1e-6);
}

static void check_thin(void) {
  mote_surface_def def = aniso_def();
  cloud sheet = packing(5, 5, 0, 0), line = packing(6, 0, 0, 0);
  mote_kernel_shape s = shape_of(&def, &sheet, 0, 0, 0);
  CHECK_NEAR((double)(s.G[5] / s.G[0]), def.stretch, 1e-4);
  s = shape_of(&def, &line, 0, 0, 0);
  CHECK_NEAR((double)(s.G[5] / s.G[0]), def.stretch, 1e-4);
  CHECK_NEAR((double)(s.G[3] / s.G[5]), 1.0, 1e-5);
  // A sheet is no surface to be pressed onto a layer.
  CHECK_NEAR((double)shape_of(&def, &sheet, 0, 0, 0).shift[2], 0.0, 1e-6);

  def.lone_neighbours = 200;
  s = shape_of(&def, &sheet, 0.25, 0, 0);
  CHECK_NEAR((double)s.G[0], 1.0 / (def.lone_scale * def.support), 1e-6);
  CHECK(s.G[0] == s.G[3] && s.G[0] == s.G[5] && s.G[1] == 0.0f && s.shift[0] == 0.0f);
}

static void check_one_place(void) {
  mote_surface_def def = aniso_def();
  cloud c = {.count = 0};
  for (int k = 0; k < 50; ++k) add(&c, 0.1, 0.2, 0.3);
  mote_kernel_shape s = shape_of(&def, &c, 0.1, 0.2, 0.3);
  CHECK_NEAR((double)s.G[0], 1.0 / (def.lone_scale * def.support), 1e-6);
}

static void turn(const double q[9], const double x[3], double y[3]) {
  for (int a = 0; a < 3; ++a) y[a] = q[3 * a] * x[0] + q[3 * a + 1] * x[1] + q[3 * a + 2] * x[2];
}

// G of the turned neighbourhood is Q G Q^T, its shift Q times the shift.
static void check_turned(void) {
  static const double q[9] = {2.0 / 3,  -1.0 / 3, 2.0 / 3, 2.0 / 3, 2.0 / 3,
                              -1.0 / 3, -1.0 / 3, 2.0 / 3, 2.0 / 3};
  mote_surface_def def = aniso_def();
  cloud c = packing(4, 5, -6, 0), turned = {.count = 0};
  for (size_t k = 0; k < c.count; ++k) {
    for (int a = 0; a < 3; ++a) c.x[k][a] += aniso_noise(k, a, 0.15);
    double y[3];
    turn(q, c.x[k], y);
    add(&turned, y[0], y[1], y[2]);
  }
  double at[3];
  turn(q, (double[3]){0.1, 0.2, 0.0}, at);
  mote_kernel_shape s = shape_of(&def, &c, 0.1, 0.2, 0.0), t = shape_of(&def, &turned, at[0], at[1], at[2]);
  static const int place[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
  double shift[3] = {(double)s.shift[0], (double)s.shift[1], (double)s.shift[2]}, expect[3];
  turn(q, shift, expect);
  for (int a = 0; a < 3; ++a) {
    CHECK_NEAR((double)t.shift[a], expect[a], 2e-5);
    for (int b = 0; b < 3; ++b) {
      double sum = 0.0;
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) sum += q[3 * a + i] * (double)s.G[place[3 * i + j]] * q[3 * b + j];
      }
      CHECK_NEAR((double)t.G[place[3 * a + b]], sum, 2e-5);
    }
  }
}

int main(void) {
  check_full();
  check_half();
  check_even();
  check_thin();
  check_one_place();
  check_turned();
  return test_end();
}
