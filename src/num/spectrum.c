// Eigenvalues and eigenvectors by reduction to tridiagonal form and implicit QR steps with Wilkinson's
// shift: Golub & Van Loan, Matrix Computations, 8.3. Backward stable: the errors are a few eps |A|.
#include "num/spectrum.h"

#include <float.h>
#include <math.h>

#include "base/check.h"

// Two per eigenvalue suffice; the bound only ends what cannot happen
#define QR_STEPS_MAX (30 * MOTE_DENSE_MAX)
#define SQUARE_MIN 1e-280  // rounding: squares below are lost to underflow, and far below rounding

// The reflection I - beta w w^T that takes x to (alpha, 0, ..); w replaces x.
static double reflect(int n, double *x, double *alpha) {
  double tail = 0.0;
  for (int k = 1; k < n; ++k) tail += x[k] * x[k];
  *alpha = x[0];
  if (tail < SQUARE_MIN) return 0.0;
  double norm = sqrt(x[0] * x[0] + tail);
  *alpha = x[0] > 0.0 ? -norm : norm;
  x[0] -= *alpha;
  return 2.0 / (x[0] * x[0] + tail);
}

// a (n x n, rows `stride` apart) becomes H a H with H = I - beta w w^T.
static void apply_both_sides(int n, double *a, int stride, double beta, const double *w) {
  double p[MOTE_DENSE_MAX] = {0.0}, dot = 0.0;
  for (int i = 0; i < n; ++i) {
    p[i] += a[i * stride + i] * w[i];
    for (int j = i + 1; j < n; ++j) {
      p[i] += a[i * stride + j] * w[j];
      p[j] += a[i * stride + j] * w[i];
    }
  }
  for (int i = 0; i < n; ++i) dot += p[i] * w[i];
  for (int i = 0; i < n; ++i) p[i] = beta * (p[i] - 0.5 * beta * dot * w[i]);
  for (int i = 0; i < n; ++i) {
    for (int j = i; j < n; ++j) a[i * stride + j] -= w[i] * p[j] + p[i] * w[j];
  }
}

// A = Q^T T Q with T tridiagonal: diagonal d, off-diagonal e.
static void tridiagonalise(int n, double *a, double *d, double *e, double *q) {
  double beta[MOTE_DENSE_MAX] = {0.0};
  for (int k = 0; k < n - 1; ++k) {
    double *w = a + k * n + k + 1;
    beta[k] = reflect(n - k - 1, w, &e[k]);
    if (beta[k] != 0.0) apply_both_sides(n - k - 1, a + (k + 1) * (n + 1), n, beta[k], w);
  }
  for (int k = 0; k < n; ++k) d[k] = a[k * n + k];
  for (int k = 0; k < n * n; ++k) q[k] = k % (n + 1) == 0 ? 1.0 : 0.0;
  for (int k = n - 2; k >= 0; --k) {
    const double *w = a + k * n;
    for (int i = k + 1; i < n; ++i) {
      double dot = 0.0;
      for (int j = k + 1; j < n; ++j) dot += q[i * n + j] * w[j];
      dot *= beta[k];
      for (int j = k + 1; j < n; ++j) q[i * n + j] -= dot * w[j];
    }
  }
}

static void rotate_rows(int n, double c, double s, double *x, double *y) {
  for (int k = 0; k < n; ++k) {
    double a = x[k], b = y[k];
    x[k] = c * a + s * b;
    y[k] = c * b - s * a;
  }
}

// The eigenvalue of the last 2 x 2 block that is nearer to its last entry.
static double wilkinson_shift(double a, double b, double c) {
  double half = 0.5 * (a - c), root = sqrt(half * half + b * b);
  return c - b * b / (half + (half < 0.0 ? -root : root));
}

// One QR step on rows lo .. hi of T, whose off-diagonals are not negligible; updates q.
static void chase(int n, int lo, int hi, double *d, double *e, double *q) {
  double x = d[lo] - wilkinson_shift(d[hi - 1], e[hi - 1], d[hi]), z = e[lo];
  for (int k = lo; k < hi; ++k) {
    double square = x * x + z * z, c = 1.0, s = 0.0;
    if (square >= SQUARE_MIN) {
      double inverse = 1.0 / sqrt(square);
      c = x * inverse, s = z * inverse;
    }
    if (k > lo) e[k - 1] = c * x + s * z;
    double difference = s * (d[k + 1] - d[k]) + 2.0 * c * e[k], shift = s * difference;
    x = e[k] = c * difference - e[k];
    d[k] += shift;
    d[k + 1] -= shift;
    if (k + 1 < hi) {
      z = s * e[k + 1];
      e[k + 1] *= c;
    }
    rotate_rows(n, c, s, q + k * n, q + (k + 1) * n);
  }
}

void mote_spectrum(int n, double *a, double *values, double *vectors) {
  MOTE_ASSERT(n >= 0 && n <= MOTE_DENSE_MAX);
  MOTE_ASSERT(a != NULL && values != NULL && vectors != NULL);
  double e[MOTE_DENSE_MAX], norm = 0.0;
  tridiagonalise(n, a, values, e, vectors);
  for (int k = 0; k < n; ++k) norm = fmax(norm, fabs(values[k]) + (k < n - 1 ? fabs(e[k]) : 0.0));
  double small = DBL_EPSILON * norm;
  int hi = n - 1;
  for (int step = 0; hi > 0 && step < QR_STEPS_MAX; ++step) {
    if (fabs(e[hi - 1]) <= small) {
      --hi;
      continue;
    }
    int lo = hi - 1;
    while (lo > 0 && fabs(e[lo - 1]) > small) --lo;
    chase(n, lo, hi, values, e, vectors);
  }
}
