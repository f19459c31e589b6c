// Small symmetric systems: backward error of the solve, the four Moore-Penrose conditions of the
// pseudo-inverse, rank and condition of known spectra, refusals, scales from 1e-300 to 1e300.
#include <float.h>
#include <math.h>
#include <mote/numeric.h>

#include "base/random.h"
#include "test.h"

#define N MOTE_DENSE_MAX

static double uniform(uint64_t stream, uint64_t index) {
  return mote_random_between(7, stream, index, -1.0, 1.0);
}

static void multiply(int n, const double *a, const double *b, double *c) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      double sum = 0.0;
      for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
  }
}

static double largest(int count, const double *a) {
  double most = 0.0;
  for (int k = 0; k < count; ++k) most = fmax(most, fabs(a[k]));
  return most;
}

// q: the product of n random reflections.
static void random_orthogonal(int n, uint64_t stream, double *q) {
  for (int k = 0; k < n * n; ++k) q[k] = k % (n + 1) == 0 ? 1.0 : 0.0;
  for (int r = 0; r < n; ++r) {
    double w[N], square = 0.0;
    for (int k = 0; k < n; ++k) w[k] = uniform(stream, (uint64_t)(r * N + k)), square += w[k] * w[k];
    for (int i = 0; i < n; ++i) {
      double dot = 0.0;
      for (int k = 0; k < n; ++k) dot += q[i * n + k] * w[k];
      for (int k = 0; k < n; ++k) q[i * n + k] -= 2.0 * dot / square * w[k];
    }
  }
}

static void with_spectrum(int n, const double *values, uint64_t stream, double *a) {
  double q[N * N];
  random_orthogonal(n, stream, q);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j) {
      double sum = 0.0;
      for (int k = 0; k < n; ++k) sum += q[i * n + k] * values[k] * q[j * n + k];
      a[i * n + j] = a[j * n + i] = sum;
    }
  }
}

static void solution_has_small_backward_error(void) {
  const double conditions[] = {1.0, 1e3, 1e6, 1e10}, scales[] = {1.0, 1e-290, 1e290};
  for (int round = 0; round < 2000; ++round) {
    int n = 1 + round % N, columns = 1 + round % 7;
    double values[N], a[N * N], b[N * 7], x[N * 7], scale = scales[round % 3];
    for (int k = 0; k < n; ++k) {
      values[k] = scale * pow(conditions[round % 4], -fabs(uniform(1, (uint64_t)(round * N + k))));
    }
    with_spectrum(n, values, (uint64_t)round + 100, a);
    for (int k = 0; k < n * columns; ++k) b[k] = x[k] = uniform(2, (uint64_t)(round * 100 + k));
    if (!CHECK(mote_dense_solve_spd(n, a, columns, round % 2 ? b : x, x))) continue;
    // Higham, Accuracy and Stability, theorem 10.4: |b - A x| <= 4 n (3n+1) eps/2 |A| |x|.
    double tolerance = 2.0 * n * (3.0 * n + 1.0) * DBL_EPSILON * largest(n * n, a);
    for (int c = 0; c < columns; ++c) {
      double most = 0.0;
      for (int k = 0; k < n; ++k) most = fmax(most, fabs(x[k * columns + c]));
      for (int i = 0; i < n; ++i) {
        double sum = 0.0;
        for (int k = 0; k < n; ++k) sum += a[i * n + k] * x[k * columns + c];
        CHECK_NEAR(sum, b[i * columns + c], tolerance * most);
      }
    }
  }
}

static void solve_refuses_what_is_not_positive_definite(void) {
  double x[2] = {5.0, 6.0}, b[2] = {1.0, 1.0};
  const double bad[][4] = {{0.0, 0.0, 0.0, 0.0},
                           {1.0, 2.0, 2.0, 1.0},
                           {1.0, 1.0, 1.0, 1.0},
                           {-1.0, 0.0, 0.0, 1.0},
                           {1.0, (double)NAN, (double)NAN, 1.0},
                           {HUGE_VAL, 0.0, 0.0, 1.0},
                           {1.0, 0.0, 0.0, (double)NAN},
                           {1.0, HUGE_VAL, HUGE_VAL, 1.0}};
  for (size_t k = 0; k < sizeof bad / sizeof bad[0]; ++k) {
    CHECK(!mote_dense_solve_spd(2, bad[k], 1, b, x));
    CHECK(x[0] == 5.0 && x[1] == 6.0);
  }
  CHECK(mote_dense_solve_spd(0, bad[0], 1, b, x) && x[0] == 5.0);
  const double good[4] = {4.0, 2.0, 2.0, 3.0};
  CHECK(mote_dense_solve_spd(2, good, 1, b, x));
  CHECK_NEAR(x[0], 0.125, 1e-16);
  CHECK_NEAR(x[1], 0.25, 1e-16);
}

// Points on a plane give singular moments; rounding must not make them look definite.
static void solve_refuses_singular_moments(void) {
  for (uint64_t round = 0; round < 500; ++round) {
    double a[16] = {0.0};
    for (uint64_t point = 0; point < 20; ++point) {
      double u = uniform(round + 3000, 2 * point), v = uniform(round + 3000, 2 * point + 1);
      double p[4] = {1.0, u, v, 0.3 * u - 0.7 * v};
      for (int k = 0; k < 16; ++k) a[k] += p[k / 4] * p[k % 4];
    }
    double x[4] = {1.0}, inverse[16], condition;
    CHECK(!mote_dense_solve_spd(4, a, 1, x, x) && x[0] == 1.0);
    CHECK(mote_dense_pseudo_inverse(4, a, 1e-12, inverse, &condition) == 3);
    CHECK(condition < 1e3);
  }
}

static void pseudo_inverse_meets_its_conditions(void) {
  const double scales[] = {1.0, 1e-290, 1e290};
  for (int round = 0; round < 2000; ++round) {
    int n = 1 + round % N, rank = (round / N) % (n + 1);
    double values[N] = {0.0}, a[N * N], inverse[N * N], product[N * N], back[N * N], condition;
    double most = 0.0, least = DBL_MAX, scale = scales[round % 3];
    for (int k = 0; k < rank; ++k) {
      values[k] = scale * uniform(5, (uint64_t)(round * N + k)) * pow(10.0, -(k % 4));
      if (fabs(values[k]) < 1e-5 * scale) values[k] = 1e-5 * scale;
      most = fmax(most, fabs(values[k])), least = fmin(least, fabs(values[k]));
    }
    with_spectrum(n, values, (uint64_t)round + 5000, a);
    if (!CHECK(mote_dense_pseudo_inverse(n, a, 1e-10, inverse, &condition) == rank)) continue;
    double expected = rank == 0 ? 1.0 : most / least, tolerance = 1e-14 * n * expected;
    CHECK_NEAR(condition, expected, tolerance * expected);
    multiply(n, a, inverse, product);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        CHECK_NEAR(product[i * n + j], product[j * n + i], tolerance);
        CHECK(inverse[i * n + j] == inverse[j * n + i]);
      }
    }
    multiply(n, product, a, back);
    for (int k = 0; k < n * n; ++k) CHECK_NEAR(back[k] / scale, a[k] / scale, tolerance * most / scale);
    multiply(n, inverse, product, back);
    for (int k = 0; k < n * n; ++k)
      CHECK_NEAR(back[k] * scale, inverse[k] * scale, tolerance / least * scale);
  }
}

static void pseudo_inverse_knows_special_matrices(void) {
  double inverse[N * N], condition, zero[9] = {0.0};
  CHECK(mote_dense_pseudo_inverse(3, zero, 1e-12, inverse, &condition) == 0);
  CHECK(condition == 1.0 && largest(9, inverse) == 0.0);
  CHECK(mote_dense_pseudo_inverse(0, zero, 1e-12, inverse, NULL) == 0);
  const double one[1] = {-4.0};
  CHECK(mote_dense_pseudo_inverse(1, one, 1e-12, inverse, NULL) == 1 && inverse[0] == -0.25);
  const double bad[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
  for (int k = 0; k < 9; ++k) {
    double a[9] = {2.0, 1.0, 0.0, 1.0, 2.0, 1.0, 0.0, 1.0, 2.0};
    a[k] = a[k % 3 * 3 + k / 3] = bad[k % 3];
    CHECK(mote_dense_pseudo_inverse(3, a, 1e-12, inverse, NULL) == -1);
  }
  double same[4] = {2.0, 0.0, 0.0, 1e-13};
  CHECK(mote_dense_pseudo_inverse(2, same, 1e-12, same, &condition) == 1);
  CHECK(same[0] == 0.5 && same[3] == 0.0 && condition == 1.0);
}

int main(void) {
  solution_has_small_backward_error();
  solve_refuses_what_is_not_positive_definite();
  solve_refuses_singular_moments();
  pseudo_inverse_meets_its_conditions();
  pseudo_inverse_knows_special_matrices();
  return test_end();
}
