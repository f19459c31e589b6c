// Where a point lies in a grid: see space.h.
#include "search/space.h"

#include <math.h>
#include <string.h>

#define WIDER (1.0 + 0x1p-24)   // edges are so much longer than asked for: room for rounding
#define NEARER (1.0 + 0x1p-50)  // a distance found to be <= r in double is at most this times r
#define NEAR_CELLS 0x1p20       // up to here u = (x - low) / edge is rounded, farther it is exact
#define LARGEST_ERROR 0x1p-26   // of u along periodic axes, less than what WIDER leaves free
#define LONGEST 253.0           // between places within reach: with roundings, its square is below 2^16

int64_t mote_axis_far_cell(double u) {
  const double last = 0x1.fffffffffffffp1023, first = 0x1p53;
  double size = fmin(fabs(u), last);
  int64_t bits, first_bits;
  memcpy(&bits, &size, sizeof bits);
  memcpy(&first_bits, &first, sizeof first_bits);
  int64_t cell = (INT64_C(1) << 53) + (bits - first_bits);
  return u < 0 ? -cell : cell;
}

// Cells count from a multiple of the edge, so that they stay where they are when the points move on.
static mote_axis near_axis(double low, double cells, double edge) {
  double first = floor(low / edge);
  bool exact_enough = fabs(first) < 0x1p50;
  double error = (cells + 16.0) * 0x1p-50;
  return (mote_axis){.low = exact_enough ? first * edge : low,
                     .per_length = 1.0 / edge,
                     .edge = edge,
                     .error = error,
                     .blur = error};
}

static mote_axis far_axis(double low, double high, double edge) {
  int exponent;
  frexp(edge, &exponent);
  edge = ldexp(1.0, exponent);
  double farthest = fmax(fabs(low), fabs(high)) / edge;
  return (mote_axis){.low = 0.0,
                     .per_length = 1.0 / edge,
                     .edge = edge,
                     .blur = farthest < 0x1p53 ? farthest * 0x1p-52 : HUGE_VAL};
}

static mote_axis periodic_axis(double low, double high, double origin, double period, double edge) {
  double turns = fmax(fabs(low - origin), fabs(high - origin)) / period + 16.0;
  double cells = fmin(fmax(floor(period / edge), 1.0), 0x1p20);
  while (cells > 1.0 && turns * cells * 0x1p-49 > LARGEST_ERROR) cells = floor(cells / 2.0);
  double error = turns * cells * 0x1p-49;
  return (mote_axis){.low = origin,
                     .per_length = 1.0 / period,
                     .edge = period / cells,
                     .cells = (int64_t)cells,
                     .error = error,
                     .blur = error};
}

// Chooses the unit, and from it the error of a distance: a difference of two places rounded down is off by
// less than one, by what makes a period a whole number, and by what u is.
static void measure(mote_space *space) {
  double sum = 0.0;
  int dimensions = space->domain.dimensions;
  for (int a = 0; a < dimensions; ++a) {
    double blur = isfinite(space->axis[a].blur) ? 2.0 * space->axis[a].blur : 0.0;
    double longest = (space->axis[a].reach + 1 + blur) * space->axis[a].edge;
    sum += longest * longest;
  }
  space->units_per_length = LONGEST / sqrt(sum);
  sum = 0.0;
  for (int a = 0; a < dimensions; ++a) {
    mote_axis *axis = &space->axis[a];
    double wanted = axis->edge * space->units_per_length;
    axis->units = axis->cells == 0 ? wanted : round(wanted * (double)axis->cells) / (double)axis->cells;
    double error = 1.001 + (axis->reach + 1) * fabs(axis->units - wanted) + 2.0 * axis->blur * wanted;
    sum += error * error;
  }
  space->error = sqrt(sum);
}

mote_space mote_space_make(const mote_domain *domain, const double low[3], const double high[3],
                           double radius, const double edge[3]) {
  mote_space space = {.domain = *domain};
  for (int a = 0; a < domain->dimensions; ++a) {
    mote_axis *axis = &space.axis[a];
    double wide = edge[a] * WIDER, cells = (high[a] - low[a]) / wide;
    if (domain->periodic[a]) {
      *axis = periodic_axis(low[a], high[a], domain->low[a], domain->high[a] - domain->low[a], wide);
    } else if (cells <= NEAR_CELLS) {
      *axis = near_axis(low[a], cells, wide);
    } else {
      *axis = far_axis(low[a], high[a], wide);
    }
    axis->reach = (int)ceil(radius / axis->edge * NEARER + axis->error);
    MOTE_ASSERT(axis->reach <= (a == 0 ? 2 : 1) * MOTE_REACH_MAX);
    if (axis->cells != 0 && axis->cells < 2 * axis->reach + 1) axis->blur = HUGE_VAL;
  }
  measure(&space);
  return space;
}

mote_band mote_space_band(const mote_space *space, double radius) {
  double r = radius * space->units_per_length, low = r - space->error, high = r + space->error;
  return (mote_band){.sure = low > 0.0 ? (uint16_t)ceil(low * low) : 0,
                     .maybe = high * high < 65535.0 ? (uint16_t)(high * high) : 65535};
}
