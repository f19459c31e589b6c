// Symmetric systems of up to MOTE_DENSE_MAX unknowns, such as the moments of EG09 (24): elimination without
// square roots where they are positive definite, their eigenvalues where they may be singular. Called once
// per particle; no memory is allocated.
#include "num/dense.h"

#include <float.h>
#include <math.h>
#include <mote/numeric.h>

#include "base/check.h"
#include "base/lane.h"
#include "num/scale.h"
#include "num/spectrum.h"

#define ENTRIES (MOTE_DENSE_MAX * MOTE_DENSE_MAX)

// A pivot below this share of its diagonal entry, per unknown, is all rounding: that of the elimination
// (Higham, Accuracy and Stability, 10.1) and that of the sums that made A.
#define PIVOT_NOISE (8.0 * DBL_EPSILON)  // rounding

// By rows: u = D L^T is row k of A less the contributions of the rows above. Columns are processed in pairs,
// so that one entry left of the diagonal may be computed but is never read.
bool mote_dense_eliminate(int n, const double *a, mote_dense_factor *factor) {
  MOTE_ASSERT(n >= 0 && n <= MOTE_DENSE_MAX);
  MOTE_ASSERT(a != NULL && factor != NULL);
  double(*u)[MOTE_DENSE_MAX] = factor->u, *inverse = factor->inverse;
  for (int k = 0; k < n; ++k) {
    const double *row = a + k * n;
    double share[MOTE_DENSE_MAX];
    for (int i = 0; i < k; ++i) share[i] = u[i][k] * inverse[i];
    for (int j = k & ~1; j < n; j += 2) {
      mote_pair sum = {row[j], row[j + 1 < n ? j + 1 : j]};
      for (int i = 0; i < k; ++i) sum -= share[i] * mote_pair_load(&u[i][j]);
      mote_pair_store(&u[k][j], sum);
    }
    double pivot = u[k][k], noise = n * PIVOT_NOISE * row[k];
    if (!(pivot > noise && pivot >= DBL_MIN && pivot <= DBL_MAX)) return false;
    inverse[k] = 1.0 / pivot;
  }
  return true;
}

// Two right-hand sides become two solutions.
static void substitute(int n, const mote_dense_factor *factor, mote_pair *x) {
  const double *inverse = factor->inverse;
  for (int k = 0; k < n; ++k) {
    mote_pair share = x[k] * inverse[k];
    for (int i = k + 1; i < n; ++i) x[i] -= factor->u[k][i] * share;
  }
  for (int k = n - 1; k >= 0; --k) {
    mote_pair sum = x[k];
    for (int j = k + 1; j < n; ++j) sum -= factor->u[k][j] * x[j];
    x[k] = sum * inverse[k];
  }
}

void mote_dense_substitute(int n, const mote_dense_factor *factor, int columns, const double *b, double *x) {
  MOTE_ASSERT(n >= 0 && n <= MOTE_DENSE_MAX);
  MOTE_ASSERT(columns >= 1);
  MOTE_ASSERT(b != NULL && x != NULL);
  for (int c = 0; c < columns; c += 2) {
    int d = c + 1 < columns ? c + 1 : c;
    mote_pair y[MOTE_DENSE_MAX];
    for (int k = 0; k < n; ++k) y[k] = (mote_pair){b[k * columns + c], b[k * columns + d]};
    substitute(n, factor, y);
    for (int k = 0; k < n; ++k) x[k * columns + c] = y[k][0], x[k * columns + d] = y[k][1];
  }
}

bool mote_dense_solve_spd(int n, const double *a, int columns, const double *b, double *x) {
  if (n < 0 || n > MOTE_DENSE_MAX) return false;
  mote_dense_factor factor;
  if (!mote_dense_eliminate(n, a, &factor)) return false;
  mote_dense_substitute(n, &factor, columns, b, x);
  return true;
}

// The sum of v v^T / value over the eigenvalues that are not zero.
static void invert_spectrum(int n, const double *values, const double *vectors, double *inverse) {
  for (int k = 0; k < n * n; ++k) inverse[k] = 0.0;
  for (int e = 0; e < n; ++e) {
    if (values[e] == 0.0) continue;
    const double *v = vectors + e * n;
    double weight = 1.0 / values[e];
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j <= i; ++j) inverse[i * n + j] += weight * v[i] * v[j];
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) inverse[j * n + i] = inverse[i * n + j];
  }
}

int mote_dense_pseudo_inverse(int n, const double *a, double tolerance, double *inverse, double *condition) {
  if (n < 0 || n > MOTE_DENSE_MAX) return -1;
  double scaled[ENTRIES], values[MOTE_DENSE_MAX], vectors[ENTRIES], largest = 0.0, finite = 0.0;
  for (int i = 0; i < n; ++i) {
    for (int j = i; j < n; ++j) largest = mote_larger(fabs(a[i * n + j]), largest);
  }
  double inverse_scale, scale = mote_scale_of(largest, &inverse_scale);
  for (int i = 0; i < n; ++i) {
    for (int j = i; j < n; ++j) finite += scaled[i * n + j] = a[i * n + j] * inverse_scale;
  }
  if (!(fabs(finite) <= DBL_MAX)) return -1;
  mote_spectrum(n, scaled, values, vectors);
  double most = 0.0, least = DBL_MAX;
  for (int k = 0; k < n; ++k) most = mote_larger(fabs(values[k]), most);
  int rank = 0;
  for (int k = 0; k < n; ++k) {
    double size = fabs(values[k]);
    bool counts = size >= tolerance * most && size > 0.0;
    rank += counts;
    if (counts) least = fmin(least, size);
    values[k] = counts ? values[k] * scale : 0.0;
  }
  invert_spectrum(n, values, vectors, inverse);
  if (condition != NULL) *condition = rank == 0 ? 1.0 : most / least;
  return rank;
}
