// The domain of points: checks, and differences to the nearest image.
#ifndef MOTE_DOMAIN_H
#define MOTE_DOMAIN_H

#include <math.h>
#include <mote/search.h>

#include "base/check.h"

// Periods shorter than two radii, dimensions other than 1, 2, 3 and the like are argument errors.
mote_result mote_domain_check(const mote_domain *domain, double radius, mote_error *error);

#define MOTE_FARTHEST_PERIOD 0x1p40  // farther away doubles no longer tell where in a period a point lies

// Checks that `count` points are finite and not too many periods away, and finds their bounds. In 1D and 2D
// the bounds of the other axes are 0.
mote_result mote_domain_bounds(const mote_domain *domain, const double *position, size_t count, int threads,
                               double low[3], double high[3], mote_error *error);

// More points than 32-bit indices and a filler can number are an argument error; `what` names the points.
mote_result mote_domain_count(size_t count, const char *what, mote_error *error);

// Whether a point is admissible: finite, and not too many periods away.
bool mote_domain_holds(const mote_domain *domain, const double *x);

// The nearest whole number, exactly antisymmetric, for |t| <= 2^51.
static inline double mote_domain_round(double t) {
  return t < 0 ? (t - 0x1p52) + 0x1p52 : (t + 0x1p52) - 0x1p52;
}

// A difference along a periodic axis, to the nearest image.
static inline double mote_domain_nearest(const mote_domain *domain, int axis, double difference) {
  double period = domain->high[axis] - domain->low[axis];
  // Within half a period, where the rounding gives 0, no division is needed.
  if (difference <= 0.5 * period && difference >= -0.5 * period) return difference;
  return difference - period * mote_domain_round(difference / period);
}

// |x_i - x_j|^2 by mote_domain_difference: the criterion for neighbours. Coordinates beyond the dimensions
// are 0.
static inline double mote_domain_distance2(const mote_domain *domain, const double *xi, const double *xj) {
  double dx = xi[0] - xj[0], dy = xi[1] - xj[1], dz = xi[2] - xj[2];
  if (domain->periodic[0]) dx = mote_domain_nearest(domain, 0, dx);
  if (domain->periodic[1]) dy = mote_domain_nearest(domain, 1, dy);
  if (domain->periodic[2]) dz = mote_domain_nearest(domain, 2, dz);
  return dx * dx + dy * dy + dz * dz;
}

// Puts x into the domain along periodic axes, and to z = 0 in 2D.
static inline void mote_domain_wrap(const mote_domain *domain, double x[3]) {
  for (int a = 0; a < 3; ++a) {
    if (a >= domain->dimensions) x[a] = 0.0;
    if (!domain->periodic[a] || (x[a] >= domain->low[a] && x[a] < domain->high[a])) continue;
    double period = domain->high[a] - domain->low[a];
    x[a] -= period * floor((x[a] - domain->low[a]) / period);
    if (!(x[a] >= domain->low[a] && x[a] < domain->high[a])) x[a] = domain->low[a];  // rounding met the end
  }
}

#endif
