// Eigenvectors of small symmetric matrices: residual and orthogonality at rounding, for random, diagonal,
// repeated, graded, zero, tridiagonal and nearly decoupled matrices of every size.
#include "num/spectrum.h"

#include <float.h>
#include <math.h>

#include "base/random.h"
#include "test.h"

#define N MOTE_DENSE_MAX

enum { RANDOM, DIAGONAL, IDENTITY, ONES, GRADED, ZERO, TRIDIAGONAL, DECOUPLED, FAMILIES };

static double entry(int family, int i, int j, uint64_t round) {
  double random = mote_random_between(3, round, (uint64_t)(i * N + j), -1.0, 1.0);
  switch (family) {
    case RANDOM: return random;
    case DIAGONAL: return i == j ? random : 0.0;
    case IDENTITY: return i == j ? 1.0 : 0.0;
    case ONES: return 1.0;
    case GRADED: return random * pow(10.0, -3.0 * (i + j));
    case TRIDIAGONAL: return i == j ? 2.0 : j == i + 1 ? -1.0 : 0.0;
    case DECOUPLED: return i == j ? 1.0 : random * pow(10.0, -20.0 * (j - i));
    default: return 0.0;
  }
}

static void residual_and_orthogonality(int n, int family, uint64_t round) {
  double a[N][N], work[N * N], values[N], vectors[N * N], norm = DBL_MIN;
  for (int i = 0; i < n; ++i) {
    for (int j = i; j < n; ++j) {
      a[i][j] = a[j][i] = work[i * n + j] = entry(family, i, j, round);
      norm = fmax(norm, fabs(a[i][j]));
    }
  }
  mote_spectrum(n, work, values, vectors);
  for (int k = 0; k < n; ++k) {
    const double *v = vectors + k * n;
    for (int i = 0; i < n; ++i) {
      double sum = 0.0, dot = 0.0;
      for (int j = 0; j < n; ++j) sum += a[i][j] * v[j], dot += v[j] * vectors[i * n + j];
      CHECK_NEAR(sum, values[k] * v[i], 20.0 * n * DBL_EPSILON * norm);
      CHECK_NEAR(dot, i == k ? 1.0 : 0.0, 10.0 * n * DBL_EPSILON);
    }
  }
}

int main(void) {
  for (int n = 1; n <= N; ++n) {
    for (int family = 0; family < FAMILIES; ++family) {
      for (uint64_t round = 0; round < 100; ++round) residual_and_orthogonality(n, family, round);
    }
  }
  return test_end();
}
