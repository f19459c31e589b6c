// Cyclic Jacobi: rotate every off-diagonal entry to zero, sweep after sweep, until all of them are below
// rounding. Golub & Van Loan, Matrix Computations, 8.5. See jacobi.h.
#include "num/jacobi.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

#define SWEEPS 30  // quadratic convergence needs 4 to 9; the bound only guards against a bug

typedef struct rotation {
  double c, s;
} rotation;

// The smaller of the two angles that make a_pq zero.
static rotation annihilate(double app, double apq, double aqq) {
  double theta = (aqq - app) / (2.0 * apq);
  double t = (theta < 0.0 ? -1.0 : 1.0) / (fabs(theta) + sqrt(1.0 + theta * theta));
  double c = 1.0 / sqrt(1.0 + t * t);
  return (rotation){c, t * c};
}

static void rotate(rotation r, double *x, double *y, int n, int stride) {
  for (int k = 0; k < n; ++k) {
    double a = x[k * stride], b = y[k * stride];
    x[k * stride] = r.c * a - r.s * b;
    y[k * stride] = r.s * a + r.c * b;
  }
}

static double square_sum(int n, const double *a) {
  double sum = 0.0;
  for (int k = 0; k < n * n; ++k) sum += a[k] * a[k];
  return sum;
}

void mote_jacobi(int n, double *a, double *v) {
  for (int k = 0; k < n * n; ++k) v[k] = k % (n + 1) == 0 ? 1.0 : 0.0;
  double small = 0.125 * DBL_EPSILON / n * sqrt(square_sum(n, a));
  bool rotated = true;
  for (int sweep = 0; rotated && sweep < SWEEPS; ++sweep) {
    rotated = false;
    for (int p = 0; p < n - 1; ++p) {
      for (int q = p + 1; q < n; ++q) {
        if (fabs(a[p * n + q]) <= small) continue;
        rotation r = annihilate(a[p * n + p], a[p * n + q], a[q * n + q]);
        rotate(r, a + p * n, a + q * n, n, 1);
        rotate(r, a + p, a + q, n, n);
        rotate(r, v + p * n, v + q * n, n, 1);
        a[p * n + q] = a[q * n + p] = 0.0;
        rotated = true;
      }
    }
  }
}
