// Symmetric systems of up to MOTE_DENSE_MAX unknowns: elimination without square roots (A = L D L^T) where
// A is positive definite, the eigenvalues where it may be singular. No memory, called once per particle.
#include <float.h>
#include <math.h>
#include <mote/numeric.h>
#include <string.h>

#include "base/check.h"
#include "num/jacobi.h"
#include "num/scale.h"

#define ENTRIES (MOTE_DENSE_MAX * MOTE_DENSE_MAX)

// A pivot below this share of its diagonal entry, per unknown, is all rounding: that of the elimination
// (Higham, Accuracy and Stability, 10.1) and that of the sums that made A.
#define PIVOT_NOISE (8.0 * DBL_EPSILON)

// Leaves u = D L^T in the upper triangle and 1/D in inverse_pivot.
static bool eliminate(int n, double *u, double *inverse_pivot) {
  double least[MOTE_DENSE_MAX];
  for (int k = 0; k < n; ++k) least[k] = fmax(n * PIVOT_NOISE * u[k * n + k], DBL_MIN);
  for (int k = 0; k < n; ++k) {
    double *row = u + k * n;
    if (!(row[k] > least[k] && row[k] <= DBL_MAX)) return false;
    double inverse = inverse_pivot[k] = 1.0 / row[k];
    for (int i = k + 1; i < n; ++i) {
      double factor = row[i] * inverse;
      for (int j = i; j < n; ++j) u[i * n + j] -= factor * row[j];
    }
  }
  return true;
}

static void subtract(int columns, double factor, const double *from, double *x) {
  for (int c = 0; c < columns; ++c) x[c] -= factor * from[c];
}

// x holds the right-hand sides, then the solutions.
static void substitute(int n, const double *u, const double *inverse_pivot, int columns, double *x) {
  for (int k = 0; k < n; ++k) {
    for (int i = k + 1; i < n; ++i) {
      subtract(columns, u[k * n + i] * inverse_pivot[k], x + k * columns, x + i * columns);
    }
  }
  for (int k = n - 1; k >= 0; --k) {
    for (int j = k + 1; j < n; ++j) subtract(columns, u[k * n + j], x + j * columns, x + k * columns);
    for (int c = 0; c < columns; ++c) x[k * columns + c] *= inverse_pivot[k];
  }
}

bool mote_dense_solve_spd(int n, const double *a, int columns, const double *b, double *x) {
  MOTE_ASSERT(n >= 0 && n <= MOTE_DENSE_MAX && columns >= 0);
  double u[ENTRIES], inverse_pivot[MOTE_DENSE_MAX];
  for (int k = 0; k < n * n; ++k) u[k] = a[k];
  if (!eliminate(n, u, inverse_pivot)) return false;
  if (x != b) memmove(x, b, (size_t)(n * columns) * sizeof *x);
  substitute(n, u, inverse_pivot, columns, x);
  return true;
}

// The sum of 1/value vector vector^T over the eigenvalues that count; how many those are.
static int invert_spectrum(int n, const double *diagonal, const double *vectors, double least,
                           double *inverse) {
  int rank = 0;
  for (int k = 0; k < n * n; ++k) inverse[k] = 0.0;
  for (int e = 0; e < n; ++e) {
    double value = diagonal[e * (n + 1)];
    if (fabs(value) < least || value == 0.0) continue;
    ++rank;
    const double *v = vectors + e * n;
    for (int i = 0; i < n; ++i) {
      double factor = v[i] / value;
      for (int j = 0; j <= i; ++j) inverse[i * n + j] += factor * v[j];
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) inverse[j * n + i] = inverse[i * n + j];
  }
  return rank;
}

int mote_dense_pseudo_inverse(int n, const double *a, double tolerance, double *inverse, double *condition) {
  MOTE_ASSERT(n >= 0 && n <= MOTE_DENSE_MAX);
  double scaled[ENTRIES], vectors[ENTRIES], largest = 0.0, finite = 0.0;
  for (int k = 0; k < n * n; ++k) largest = fmax(largest, fabs(a[k]));
  double scale = 1.0 / mote_scale_of(largest);
  for (int i = 0; i < n; ++i) {
    for (int j = i; j < n; ++j) {
      scaled[i * n + j] = scaled[j * n + i] = a[i * n + j] * scale;
      finite += scaled[i * n + j];
    }
  }
  if (!(fabs(finite) <= DBL_MAX)) return -1;
  mote_jacobi(n, scaled, vectors);
  double most = 0.0, least = DBL_MAX;
  for (int k = 0; k < n; ++k) most = fmax(most, fabs(scaled[k * (n + 1)]));
  int rank = invert_spectrum(n, scaled, vectors, tolerance * most, inverse);
  for (int k = 0; k < n * n; ++k) inverse[k] *= scale;
  for (int k = 0; k < n; ++k) {
    double value = fabs(scaled[k * (n + 1)]);
    if (value >= tolerance * most && value > 0.0) least = fmin(least, value);
  }
  if (condition != NULL) *condition = rank == 0 ? 1.0 : most / least;
  return rank;
}
