// Poles of a rational square root: see shifted_root.h. Jacobi's functions by the arithmetic-geometric mean
// (Abramowitz & Stegun 16.4).
#include "track/shifted_root.h"

#include <math.h>
#include <mote/numeric.h>

#include "base/check.h"
#include "geom/triple.h"

#define MEANS 12  // of arithmetic and geometric means: they converge quadratically

// Of modulus sqrt(1 - k^2).
typedef struct elliptic {
  double a[MEANS + 1], c[MEANS + 1];
  double K;  // the quarter period
  double k;
} elliptic;

static elliptic elliptic_make(double k) {
  elliptic e = {.k = k};
  double b = k;
  e.a[0] = 1.0, e.c[0] = sqrt(1.0 - k * k);
  for (int n = 0; n < MEANS; ++n) {
    e.a[n + 1] = 0.5 * (e.a[n] + b), e.c[n + 1] = 0.5 * (e.a[n] - b);
    b = sqrt(e.a[n] * b);
  }
  e.K = 0.5 * MOTE_PI / e.a[MEANS];
  return e;
}

static void elliptic_at(const elliptic *e, double u, double *sn, double *cn, double *dn) {
  double angle = ldexp(e->a[MEANS] * u, MEANS);
  for (int n = MEANS; n > 0; --n) {
    double sine = e->c[n] / e->a[n] * mote_sin(angle);
    angle = 0.5 * (angle + mote_atan2(sine, sqrt(max2(0.0, 1.0 - sine * sine))));
  }
  *sn = mote_sin(angle), *cn = mote_cos(angle);
  *dn = sqrt(*cn * *cn + e->k * e->k * *sn * *sn);
}

mote_shifted_root mote_shifted_root_make(double low, double high) {
  MOTE_ASSERT(low > 0.0 && high > low);
  mote_shifted_root r;
  elliptic e = elliptic_make(sqrt(low / high));
  for (int j = 0; j < MOTE_SHIFTS; ++j) {
    double sn, cn, dn;
    elliptic_at(&e, (j + 0.5) * e.K / MOTE_SHIFTS, &sn, &cn, &dn);
    r.shift[j] = low * (sn / cn) * (sn / cn);
    r.weight[j] = 2.0 * e.K * sqrt(low) / (MOTE_PI * MOTE_SHIFTS) * dn / (cn * cn);
  }
  return r;
}

double mote_shifted_root_value(const mote_shifted_root *r, double x) {
  double sum = 0.0;
  for (int j = 0; j < MOTE_SHIFTS; ++j) sum += r->weight[j] / (x + r->shift[j]);
  return sum;
}
