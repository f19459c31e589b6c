// At height u above the point, the weight of the plane is pi (3/5 - u^2 + 2/5 u^5), and of everything 2 pi/3:
// the integrals below are over the planes beyond the surface, which are missing.
#include "surface/half_space.h"

#include <math.h>

#include "base/check.h"
#include "surface/tuning.inc"

static inline double power5(double u) {
  return (u * u) * (u * u) * u;
}

// Of all weight, what lies beyond a plane at the distance u.
static double beyond(double u) {
  return u >= 1.0 ? 0.0 : 0.5 - 1.5 * u * (0.6 - u * u / 3.0 + power5(u) / 15.0);
}

// The first moment of what lies beyond it.
static double moment_beyond(double u) {
  return u >= 1.0 ? 0.0 : 9.0 / 56.0 - 1.5 * (u * u) * (0.3 - u * u / 4.0 + 2.0 / 35.0 * power5(u));
}

// The second moment about the axis, of the planes between 0 and u, of which pi (3/14 - 3/5 u^2 + ...) is
// one's.
static double spread_within(double u) {
  if (u >= 1.0) return 0.15;
  double u2 = u * u;
  return u * (9.0 / 28.0 - u2 * (0.3 - u2 * (0.15 - 3.0 / 140.0 * (u2 * u))));
}

double mote_half_space_fraction(double z) {
  return z >= 0.0 ? 1.0 - beyond(z) : beyond(-z);
}

double mote_half_space_shift(double z) {
  if (z <= -1.0) return 1.0;
  return moment_beyond(fabs(z)) / mote_half_space_fraction(z);
}

double mote_half_space_spread(double z) {
  double within = spread_within(fabs(z));
  return (z < 0.0 ? 0.15 - within : 0.15 + within) / mote_half_space_fraction(z);
}

void mote_half_space_tabulate(mote_half_space *table) {
  MOTE_ASSERT(table != NULL);
  for (int k = 0; k <= MOTE_HALF_SPACE_ENTRIES; ++k) {
    double shift = MOST_SHIFT * k / MOTE_HALF_SPACE_ENTRIES, low = -0.75, high = 1.0;
    for (int step = 0; step < 40; ++step) {
      double middle = 0.5 * (low + high);
      if (mote_half_space_shift(middle) > shift) {
        low = middle;
      } else {
        high = middle;
      }
    }
    table->depth[k] = (float)high;
  }
}

float mote_half_space_depth(const mote_half_space *table, float shift) {
  MOTE_ASSERT(shift >= 0.0f);
  float place = shift * (float)(MOTE_HALF_SPACE_ENTRIES / MOST_SHIFT);
  if (place >= (float)MOTE_HALF_SPACE_ENTRIES) return table->depth[MOTE_HALF_SPACE_ENTRIES];
  int k = (int)place;
  float part = place - (float)k;
  return table->depth[k] + part * (table->depth[k + 1] - table->depth[k]);
}

double mote_rise(double x, double low, double high) {
  MOTE_ASSERT(low < high);
  if (x <= low) return 0.0;
  if (x >= high) return 1.0;
  double t = (x - low) / (high - low);
  return t * t * (3.0 - 2.0 * t);
}
