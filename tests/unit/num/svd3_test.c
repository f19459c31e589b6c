// Singular values and polar decomposition of 3x3 matrices: product, rotations, order, sign and known values
// over full rank, reflections, near singular, rank 2, 1, 0, equal values, tiny and huge; the polar rotation
// is the nearest one.
#include <float.h>
#include <math.h>
#include <mote/numeric.h>

#include "base/random.h"
#include "test.h"

#define TOLERANCE 1e-14

static double uniform(uint64_t stream, uint64_t index) {
  return mote_random_between(11, stream, index, -1.0, 1.0);
}

// c = a b, or a b^T.
static void multiply(const double *a, const double *b, bool transposed, double *c) {
  for (int k = 0; k < 9; ++k) {
    c[k] = 0.0;
    for (int j = 0; j < 3; ++j) c[k] += a[k / 3 * 3 + j] * b[transposed ? k % 3 * 3 + j : j * 3 + k % 3];
  }
}

static double determinant(const double *a) {
  return a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6]) +
         a[2] * (a[3] * a[7] - a[4] * a[6]);
}

static double distance(const double *a, const double *b) {
  double most = 0.0;
  for (int k = 0; k < 9; ++k) most = fmax(most, fabs(a[k] - b[k]));
  return most;
}

static bool is_rotation(const double *r) {
  const double identity[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
  double product[9];
  multiply(r, r, true, product);
  return distance(product, identity) <= TOLERANCE && determinant(r) > 0.5;
}

// Of a random unit quaternion.
static void random_rotation(uint64_t stream, double *r) {
  double q[4], square = 0.0;
  for (uint64_t k = 0; k < 4; ++k) q[k] = uniform(stream, k), square += q[k] * q[k];
  for (int k = 0; k < 4; ++k) q[k] /= sqrt(square);
  double w = q[0], x = q[1], y = q[2], z = q[3];
  const double rotation[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                              2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                              2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
  memcpy(r, rotation, sizeof rotation);
}

static void compose(const double *u, const double *s, const double *v, double *a) {
  double us[9];
  for (int k = 0; k < 9; ++k) us[k] = u[k] * s[k % 3];
  multiply(us, v, true, a);
}

// a, of size near 1, times size, whose singular values are `expected` times size.
static void check_svd(const double *a, const double *expected, double size) {
  double scaled[9], u[9], s[3], v[9], back[9], norm = expected[0] + DBL_MIN;
  for (int k = 0; k < 9; ++k) scaled[k] = a[k] * size;
  if (!CHECK(mote_svd3(scaled, u, s, v))) return;
  for (int k = 0; k < 3; ++k) s[k] /= size;
  CHECK(is_rotation(u) && is_rotation(v));
  CHECK(s[0] >= s[1] && s[1] >= fabs(s[2]));
  for (int k = 0; k < 3; ++k) CHECK_NEAR(s[k], expected[k], TOLERANCE * norm);
  compose(u, s, v, back);
  CHECK(distance(a, back) <= TOLERANCE * norm);
}

static void check_polar(const double *a, double size, uint64_t stream) {
  double scaled[9], r[9], p[9], back[9], norm = 0.0, other[9], near = 0.0, far = 0.0;
  for (int k = 0; k < 9; ++k) scaled[k] = a[k] * size, norm = fmax(norm, fabs(a[k]));
  if (!CHECK(mote_polar3(scaled, r, p))) return;
  for (int k = 0; k < 9; ++k) p[k] /= size;
  CHECK(is_rotation(r));
  CHECK(p[1] == p[3] && p[2] == p[6] && p[5] == p[7]);
  multiply(r, p, false, back);
  CHECK(distance(a, back) <= 2.0 * TOLERANCE * norm);
  random_rotation(stream, other);
  for (int k = 0; k < 9; ++k)
    near += (a[k] - r[k]) * (a[k] - r[k]), far += (a[k] - other[k]) * (a[k] - other[k]);
  CHECK(near <= far + TOLERANCE);
}

static void known_singular_values(void) {
  const double sizes[] = {1.0, 0x1p-1000, 0x1p1000, 1e-3};
  const double families[][3] = {{1.0, 0.5, 0.2},     {1.0, 0.5, -0.2},     {1.0, 1.0, 1.0},
                                {1.0, 1.0, -1.0},    {1.0, 0.3, 0.0},      {1.0, 0.0, 0.0},
                                {0.0, 0.0, 0.0},     {1.0, 1e-8, 1e-8},    {1.0, 1e-8, -1e-15},
                                {1.0, 1.0, -1e-12},  {1.0, 1e-14, 1e-14},  {1.0, 1e-30, -1e-40},
                                {1.0, 0.999, 0.999}, {1.0, 1.0, 1 - 1e-9}, {1.0, 1e-100, 1e-200}};
  for (uint64_t round = 0; round < 60000; ++round) {
    const double *s = families[round % 15];
    double u[9], v[9], a[9];
    random_rotation(2 * round + 1, u), random_rotation(2 * round + 2, v);
    compose(u, s, v, a);
    check_svd(a, s, sizes[round / 15 % 4]);
    check_polar(a, sizes[round / 15 % 4], round);
  }
}

// The sign of the determinant, where rounding cannot change it.
static void random_matrices(void) {
  for (uint64_t round = 0; round < 60000; ++round) {
    double a[9], u[9], s[3], v[9], back[9];
    for (uint64_t k = 0; k < 9; ++k) a[k] = uniform(round + 1000000, k);
    CHECK(mote_svd3(a, u, s, v));
    CHECK(is_rotation(u) && is_rotation(v));
    compose(u, s, v, back);
    CHECK(distance(a, back) <= TOLERANCE * s[0]);
    if (fabs(determinant(a)) > 1e-13) CHECK((s[2] < 0.0) == (determinant(a) < 0.0));
    check_polar(a, 1.0, round);
  }
}

static void special_matrices(void) {
  const double identity[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
  const double mirror[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, -1.0};
  double zero[9] = {0.0}, r[9], p[9], s[3], v[9] = {5.0};
  CHECK(mote_polar3(identity, r, p) && distance(r, identity) <= TOLERANCE &&
        distance(p, identity) <= TOLERANCE);
  CHECK(mote_polar3(mirror, r, p) && is_rotation(r));
  CHECK(mote_polar3(zero, r, p) && is_rotation(r) && distance(p, zero) == 0.0);
  double turn[9];
  random_rotation(1, turn);
  CHECK(mote_polar3(turn, r, p) && distance(r, turn) <= TOLERANCE && distance(p, identity) <= TOLERANCE);
  const double bad[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
  for (int k = 0; k < 9; ++k) {
    double a[9];
    memcpy(a, turn, sizeof a);
    a[k] = bad[k % 3];
    CHECK(!mote_svd3(a, r, s, v) && v[0] == 5.0);
    CHECK(!mote_polar3(a, r, p));
  }
}

int main(void) {
  known_singular_values();
  random_matrices();
  special_matrices();
  return test_end();
}
