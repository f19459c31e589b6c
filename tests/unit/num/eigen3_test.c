// mote_eigen3 against a Jacobi twin on a million matrices of nine families: eigenvalues and residuals
// relative to the norm, orthogonality, handedness, order; the closed form must carry all of them, and the
// iteration behind it must do as well alone.
#include "num/eigen3.h"

#include <float.h>
#include <math.h>
#include <mote/numeric.h>

#include "base/random.h"
#include "test.h"

enum { RANDOM, NEARLY_EQUAL, RANK_1, RANK_2, INTEGER, TINY, DENORMAL, HUGE_ONES, GRADED, FAMILIES };
#define PER_FAMILY (TEST_SHORT ? 2000 : 112000)
#define TOLERANCE 1e-14

static double uniform(uint64_t family, uint64_t round, uint64_t index) {
  return mote_random_between(family, round, index, -1.0, 1.0);
}

static void twin_rotate(double a[9], int p, int q) {
  if (a[3 * p + q] == 0.0) return;
  double theta = (a[3 * q + q] - a[3 * p + p]) / (2.0 * a[3 * p + q]);
  double t = copysign(1.0, theta) / (fabs(theta) + hypot(theta, 1.0)), c = 1.0 / hypot(t, 1.0), s = t * c;
  for (int k = 0; k < 3; ++k) {
    double x = a[3 * k + p], y = a[3 * k + q];
    a[3 * k + p] = c * x - s * y, a[3 * k + q] = s * x + c * y;
  }
  for (int k = 0; k < 3; ++k) {
    double x = a[3 * p + k], y = a[3 * q + k];
    a[3 * p + k] = c * x - s * y, a[3 * q + k] = s * x + c * y;
  }
}

// Eigenvalues by cyclic Jacobi, largest first.
static void twin(const double m[9], double values[3]) {
  double a[9];
  memcpy(a, m, sizeof a);
  for (int sweep = 0; sweep < 6; ++sweep) {
    twin_rotate(a, 0, 1), twin_rotate(a, 0, 2), twin_rotate(a, 1, 2);
  }
  double x = a[0], y = a[4], z = a[8];
  values[0] = fmax(x, fmax(y, z)), values[2] = fmin(x, fmin(y, z));
  values[1] = fmax(fmin(x, y), fmin(fmax(x, y), z));
}

// a += value v v^T / |v|^2 with a random v.
static void add_outer(double a[9], double value, int family, uint64_t round, uint64_t stream) {
  double v[3], square = 0.0;
  for (int k = 0; k < 3; ++k) v[k] = uniform(family, round, stream + k), square += v[k] * v[k];
  for (int k = 0; k < 9; ++k) a[k] += value * v[k / 3] * v[k % 3] / square;
}

// The matrix, of size near 1, and the factor that gives the family's size.
static double make(int family, uint64_t round, double a[9]) {
  double power = uniform(family, round, 99), near = pow(10.0, 9.0 * (power - 1.0));
  memset(a, 0, 9 * sizeof(double));
  switch (family) {
    case NEARLY_EQUAL:
      for (int k = 0; k < 3; ++k) a[3 * k + k] = power < 0.0 ? 1.0 : -1.0;
      add_outer(a, near, family, round, 10);
      if (round % 2) add_outer(a, near * near, family, round, 20);
      return 1.0;
    case RANK_1: add_outer(a, power, family, round, 10); return 1.0;
    case RANK_2: add_outer(a, 1.0, family, round, 10), add_outer(a, power, family, round, 20); return 1.0;
    default:
      for (int i = 0; i < 3; ++i) {
        for (int j = i; j < 3; ++j) {
          double x = uniform(family, round, (uint64_t)(3 * i + j));
          if (family == INTEGER) x = floor(2.5 * x + 0.5) * 0.25;
          if (family == GRADED) x *= pow(10.0, 20.0 * (uniform(family, round, (uint64_t)(i + j + 20)) - 1.0));
          a[3 * i + j] = a[3 * j + i] = x;
        }
      }
  }
  return family == TINY ? 1e-300 : family == DENORMAL ? 1e-310 : family == HUGE_ONES ? 1e307 : 1.0;
}

static double determinant(const double v[9]) {
  return v[0] * (v[4] * v[8] - v[5] * v[7]) - v[1] * (v[3] * v[8] - v[5] * v[6]) +
         v[2] * (v[3] * v[7] - v[4] * v[6]);
}

static double worst_value, worst_residual, worst_orthogonality;

// values and vectors against the matrix a; all of size near 1.
static void check(const double a[9], const double values[3], const double vectors[9], double tolerance) {
  double norm = DBL_MIN, expected[3], value = 0.0, residual = 0.0, orthogonality = 0.0;
  for (int k = 0; k < 9; ++k) norm = fmax(norm, fabs(a[k]));
  twin(a, expected);
  for (int k = 0; k < 3; ++k) {
    value = fmax(value, fabs(values[k] - expected[k]));
    for (int i = 0; i < 3; ++i) {
      double sum = -values[k] * vectors[3 * i + k], dot = i == k ? -1.0 : 0.0;
      for (int j = 0; j < 3; ++j)
        sum += a[3 * i + j] * vectors[3 * j + k], dot += vectors[3 * j + i] * vectors[3 * j + k];
      residual = fmax(residual, fabs(sum)), orthogonality = fmax(orthogonality, fabs(dot));
    }
  }
  CHECK(value <= tolerance * norm);
  CHECK(residual <= tolerance * norm);
  CHECK(orthogonality <= TOLERANCE);
  CHECK(determinant(vectors) > 0.5);
  CHECK(values[0] >= values[1] && values[1] >= values[2]);
  worst_value = fmax(worst_value, value / norm), worst_residual = fmax(worst_residual, residual / norm);
  worst_orthogonality = fmax(worst_orthogonality, orthogonality);
}

static void equals_the_twin(int family) {
  int refused = 0;
  worst_value = worst_residual = worst_orthogonality = 0.0;
  for (uint64_t round = 0; round < PER_FAMILY; ++round) {
    double a[9], scaled[9], values[3], vectors[9];
    double size = make(family, round, a), back = size < 1.0 ? 0x1p1000 : size > 1.0 ? 0x1p-1000 : 1.0;
    for (int k = 0; k < 9; ++k) scaled[k] = a[k] * size;
    if (!CHECK(mote_eigen3(scaled, values, vectors))) continue;
    for (int k = 0; k < 9; ++k) a[k] = scaled[k] * back;
    for (int k = 0; k < 3; ++k) values[k] *= back;
    check(a, values, vectors, family == DENORMAL ? 1e-12 : TOLERANCE);  // rounded to multiples of 5e-324
    mote_symmetric3 s = {a[0], a[1], a[2], a[4], a[5], a[8]};
    if (size == 1.0) refused += !mote_eigen3_closed(&s, values, vectors);
    if (round % 8 == 0 && size == 1.0) {
      mote_eigen3_iterated(&s, values, vectors);
      check(a, values, vectors, TOLERANCE);
    }
  }
  CHECK(refused == 0);
  printf("family %d: value %.1e, residual %.1e, orthogonality %.1e\n", family, worst_value, worst_residual,
         worst_orthogonality);
}

static void special_matrices(void) {
  double values[3], vectors[9], zero[9] = {0.0};
  CHECK(mote_eigen3(zero, values, vectors));
  CHECK(values[0] == 0.0 && values[2] == 0.0 && determinant(vectors) == 1.0);
  const double diagonal[9] = {-1.0, 0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 2.0};
  CHECK(mote_eigen3(diagonal, values, vectors));
  CHECK_NEAR(values[0], 3.0, TOLERANCE);
  CHECK_NEAR(values[1], 2.0, TOLERANCE);
  CHECK_NEAR(values[2], -1.0, TOLERANCE);
  const double upper[9] = {2.0, 1.0, 0.0, 99.0, 2.0, 0.0, 99.0, 99.0, 0.0};
  CHECK(mote_eigen3(upper, values, vectors));
  CHECK_NEAR(values[0], 3.0, TOLERANCE);
  const double bad[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
  for (int k = 0; k < 9; ++k) {
    double a[9] = {1.0, 2.0, 3.0, 2.0, 4.0, 5.0, 3.0, 5.0, 6.0};
    a[k] = a[k % 3 * 3 + k / 3] = bad[k % 3];
    CHECK(!mote_eigen3(a, values, vectors));
  }
  CHECK_NEAR(values[0], 3.0, TOLERANCE);
}

int main(void) {
  for (int family = 0; family < FAMILIES; ++family) equals_the_twin(family);
  special_matrices();
  return test_end();
}
