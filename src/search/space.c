// Where a point lies in a grid: see space.h.
#include <math.h>
#include <string.h>

#include "search/band.h"

#define WIDER (1.0 + 0x1p-24)   // edges are so much longer than asked for: room for rounding
#define NEARER (1.0 + 0x1p-50)  // a distance found to be <= r in double is at most this times r
#define NEAR_CELLS 0x1p20       // up to here u = (x - low) / edge is rounded, farther it is exact
#define LARGEST_ERROR 0x1p-26   // of u along periodic axes, less than what WIDER leaves free

int64_t mote_axis_far_cell(double u) {
  const double last = 0x1.fffffffffffffp1023, first = 0x1p53;
  double size = fmin(fabs(u), last);
  int64_t bits, first_bits;
  memcpy(&bits, &size, sizeof bits);
  memcpy(&first_bits, &first, sizeof first_bits);
  int64_t cell = (INT64_C(1) << 53) + (bits - first_bits);
  return u < 0 ? -cell : cell;
}

static int reach_of(double radius, double edge, double error) {
  int reach = (int)ceil(radius / edge * NEARER + (error < 1.0 ? error : 0.0));
  MOTE_ASSERT(reach <= 2 * MOTE_REACH_MAX);
  return reach;
}

// Cells of at least `edge`; counted from a multiple of the edge, so that they stay where they are when the
// points move on.
static mote_axis near_axis(double low, double cells, double edge) {
  double first = floor(low / edge);
  bool exact_enough = fabs(first) < 0x1p50;
  return (mote_axis){.low = exact_enough ? first * edge : low,
                     .per_length = 1.0 / edge,
                     .edge = edge,
                     .error = (cells + 16.0) * 0x1p-50};
}

static mote_axis far_axis(double low, double high, double edge) {
  int exponent;
  frexp(edge, &exponent);
  edge = ldexp(1.0, exponent);
  bool distances = fmax(fabs(low), fabs(high)) / edge < 0x1p53;
  return (mote_axis){.low = 0.0, .per_length = 1.0 / edge, .edge = edge, .error = distances ? 0.0 : HUGE_VAL};
}

static mote_axis periodic_axis(double low, double high, double origin, double period, double edge) {
  double turns = fmax(fabs(low - origin), fabs(high - origin)) / period + 16.0;
  double cells = fmin(fmax(floor(period / edge), 1.0), 0x1p20);
  while (cells > 1.0 && turns * cells * 0x1p-49 > LARGEST_ERROR) cells = floor(cells / 2.0);
  return (mote_axis){.low = origin,
                     .per_length = 1.0 / period,
                     .edge = period / cells,
                     .cells = (int64_t)cells,
                     .error = turns * cells * 0x1p-49};
}

mote_space mote_space_make(const mote_domain *domain, const double low[3], const double high[3],
                           double radius, const double edge[3]) {
  mote_space space = {.domain = *domain};
  for (int a = 0; a < 3; ++a) {
    mote_axis *axis = &space.axis[a];
    double wide = edge[a] * WIDER, cells = (high[a] - low[a]) / wide;
    if (a < domain->dimensions && domain->periodic[a]) {
      *axis = periodic_axis(low[a], high[a], domain->low[a], domain->high[a] - domain->low[a], wide);
    } else if (cells <= NEAR_CELLS) {
      *axis = near_axis(low[a], cells, wide);
    } else {
      *axis = far_axis(low[a], high[a], wide);
    }
    axis->reach = a < domain->dimensions ? reach_of(radius, axis->edge, axis->error) : 0;
    if (axis->cells != 0 && axis->cells < 2 * axis->reach + 1) axis->error = HUGE_VAL;
  }
  return space;
}

// A place is rounded down, and in error as u is; its product with the scale and the difference of two such
// round once more each, which for differences of less than 16 cells is less than a place.
mote_ruler mote_ruler_make(const mote_space *space) {
  mote_ruler ruler = {.per_length = (double)(1 << MOTE_PLACE_BITS) / space->axis[0].edge};
  double sum = 0.0;
  for (int a = 0; a < space->domain.dimensions; ++a) {
    const mote_axis *axis = &space->axis[a];
    double scale = axis->edge / space->axis[0].edge;
    double error = scale * (4.0 + axis->error * (double)(2 << MOTE_PLACE_BITS));
    ruler.scale[a] = (float)scale;
    sum += error * error;
  }
  ruler.error = sqrt(sum);
  return ruler;
}
