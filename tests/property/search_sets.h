// Random point sets of many kinds for the tests of searches, and what near means.
#ifndef MOTE_SEARCH_SETS_H
#define MOTE_SEARCH_SETS_H

#include <math.h>
#include <mote/search.h>

#include "base/random.h"

enum { UNIFORM, CLUSTERED, PLANAR, LINE, COINCIDENT, ALL_ONE, LATTICE, FAR_APART, HUGE_SPREAD, SET_KINDS };

// Coordinate a of point i of a set whose size is about `size`.
static inline double set_coordinate(int kind, uint64_t seed, uint64_t i, int a, double size) {
  double u = size * mote_random_unit(seed, 10 + (uint64_t)a, i);
  switch (kind) {
    case CLUSTERED: {  // over twelve orders of magnitude
      double spread = pow(10.0, -floor(12 * mote_random_unit(seed, 40, i % 7)));
      return size * mote_random_unit(seed, 20 + (uint64_t)a, i % 7) + spread * (u - 0.5 * size);
    }
    case PLANAR: return a == 2 ? 0.25 : u;
    case LINE: return a == 0 ? u : 0.5 * u;
    case COINCIDENT: return size * mote_random_unit(seed, 10 + (uint64_t)a, i % 20);
    case ALL_ONE: return 0.3 * size;
    case LATTICE: return floor(4 * u) / 4;
    case FAR_APART: return u + (i % 3 == 1 ? 1e6 : 0.0) + (i % 7 == 2 ? -1e15 : 0.0);
    case HUGE_SPREAD: return (u - 0.5 * size) * pow(10.0, floor(300 * mote_random_unit(seed, 30, i) - 2));
    default: return u;
  }
}

static inline double set_distance2(const mote_domain *domain, const double *xi, const double *xj) {
  double d[3];
  mote_domain_difference(domain, xi, xj, d);
  return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
}

#endif
