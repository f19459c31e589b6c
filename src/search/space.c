// Where a point lies in a grid: see space.h.
#include "search/space.h"

#include <math.h>
#include <string.h>

#define WIDER (1.0 + 0x1p-24)   // edges are so much longer than asked for: room for rounding
#define NEARER (1.0 + 0x1p-50)  // a distance found to be <= r in double is at most this times r
#define NEAR_CELLS 0x1p20       // up to here u = (x - low) / edge is rounded, farther it is exact
#define LARGEST_ERROR 0x1p-26   // of u along periodic axes, less than what WIDER leaves free
#define ROUND 0x1p-24           // of a float

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
  return (mote_axis){
      .low = 0.0, .per_length = 1.0 / edge, .edge = edge, .blur = farthest < 0x1p53 ? 0.0 : HUGE_VAL};
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

// How far |x_j|^2 + |x_i|^2 - 2 x_i . x_j, summed in floats from the target cell's corner, can be off where
// the distance is the radius. A difference of places is off by less than one and by what u is, and its two
// floats by their rounding; products and sums round less than eight times what is largest among them.
static void measure(mote_space *space, double radius) {
  double place = 0.0, far = 0.0, near = 0.0, product = 0.0;
  for (int a = 0; a < space->domain.dimensions; ++a) {
    const mote_axis *axis = &space->axis[a];
    double edge = axis->edge / radius, longest = (axis->reach + 1) * edge;
    double off = edge * (1.0 / (1 << MOTE_PLACE_BITS) + 2.0 * axis->blur) + 2.0 * ROUND * longest;
    place += off * off;
    far += longest * longest;
    near += edge * edge;
    product += 2.0 * longest * edge;
    space->scale[a] = (float)(edge / (1 << MOTE_PLACE_BITS));
  }
  place = sqrt(place);
  space->error = (float)(1.001 * (place * (2.0 + place) + 8.0 * ROUND * (1.0 + far + near + product)));
}

mote_space mote_space_make(const mote_domain *domain, const double low[3], const double high[3],
                           double radius, double edge) {
  mote_space space = {.domain = *domain};
  for (int a = 0; a < domain->dimensions; ++a) {
    mote_axis *axis = &space.axis[a];
    double wide = edge * WIDER, cells = (high[a] - low[a]) / wide;
    if (domain->periodic[a]) {
      *axis = periodic_axis(low[a], high[a], domain->low[a], domain->high[a] - domain->low[a], wide);
    } else if (cells <= NEAR_CELLS) {
      *axis = near_axis(low[a], cells, wide);
    } else {
      *axis = far_axis(low[a], high[a], wide);
    }
    axis->reach = (int)ceil(radius / axis->edge * NEARER + axis->error);
    MOTE_ASSERT(axis->reach <= MOTE_REACH_MAX);
    if (axis->cells != 0 && axis->cells < 2 * axis->reach + 1) axis->blur = HUGE_VAL;
  }
  measure(&space, radius);
  return space;
}
