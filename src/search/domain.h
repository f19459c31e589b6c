// The space points live in: checks, and differences to the nearest image.
#ifndef MOTE_DOMAIN_H
#define MOTE_DOMAIN_H

#include <mote/search.h>

#include "base/check.h"

// Periods shorter than two radii, dimensions other than 1, 2, 3 and the like are argument errors.
mote_result mote_domain_check(const mote_domain *domain, double radius, mote_error *error);

// Checks that `count` points are finite and finds their bounds; along periodic axes they must lie within
// 2^40 periods. In 1D and 2D the bounds of the other axes are 0.
mote_result mote_domain_bounds(const mote_domain *domain, const double *position, size_t count, int threads,
                               double low[3], double high[3], mote_error *error);

// The nearest whole number, exactly antisymmetric, for |t| <= 2^51.
static inline double mote_domain_round(double t) {
  return t < 0 ? (t - 0x1p52) + 0x1p52 : (t + 0x1p52) - 0x1p52;
}

// |x_i - x_j|^2 as mote_domain_difference gives it: what near means.
static inline double mote_domain_distance2(const mote_domain *domain, const double *xi, const double *xj) {
  double sum = 0.0;
  for (int a = 0; a < domain->dimensions; ++a) {
    double d = xi[a] - xj[a];
    if (domain->periodic[a]) {
      double period = domain->high[a] - domain->low[a];
      d -= period * mote_domain_round(d / period);
    }
    sum += d * d;
  }
  return sum;
}

#endif
