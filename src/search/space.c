// The position of a point in a grid: see space.h.
#include "search/space.h"

#include <math.h>
#include <string.h>

#define EDGE_WIDENING (1.0 + 0x1p-10)      // rounding: edges are so much longer than asked for
#define DISTANCE_WIDENING (1.0 + 0x1p-50)  // rounding: of a distance found to be <= r in double
#define NEAR_CELLS 0x1p20                  // up to here u = (x - low) / edge is rounded, farther it is exact
#define PERIOD_CELLS 0x1p17                // the most cells in a period
#define PERIODIC_ERROR 0x1p-12  // of u, in cells, along periodic axes: less than EDGE_WIDENING leaves
#define FLOAT_ROUNDING 0x1p-24  // of a float

int64_t mote_axis_far_cell(double u) {
  MOTE_ASSERT(!(u < 0x1p53 && u > -0x1p53));
  const double last = 0x1.fffffffffffffp1023, first = 0x1p53;
  double size = fmin(fabs(u), last);
  int64_t bits, first_bits;
  memcpy(&bits, &size, sizeof bits);
  memcpy(&first_bits, &first, sizeof first_bits);
  int64_t cell = (INT64_C(1) << 53) + (bits - first_bits);
  return u < 0 ? -cell : cell;
}

// Cells begin at a multiple of the edge, so that they do not move with the points.
static mote_space_axis near_axis(double low, double cells, double edge) {
  double first = floor(low / edge);
  bool exact_enough = fabs(first) < 0x1p50;
  double error = (cells + 16.0) * 0x1p-50;
  return (mote_space_axis){.low = exact_enough ? first * edge : low,
                           .per_length = 1.0 / edge,
                           .edge = edge,
                           .error = error,
                           .blur = error};
}

static mote_space_axis far_axis(double low, double high, double edge) {
  int exponent;
  frexp(edge, &exponent);
  edge = ldexp(1.0, exponent);
  double farthest = fmax(fabs(low), fabs(high)) / edge;
  return (mote_space_axis){
      .low = 0.0, .per_length = 1.0 / edge, .edge = edge, .blur = farthest < 0x1p53 ? 0.0 : HUGE_VAL};
}

// Periods between the domain and points within [low, high]; at most rounded down by one.
static double turns_of(const mote_space_axis *axis, double low, double high) {
  return fmax(fabs(low - axis->low), fabs(high - axis->low)) * axis->per_length + 1.0;
}

// Fewer cells where points are so many periods away that their positions are less accurate.
static mote_space_axis periodic_axis(double low, double high, double origin, double period, double edge) {
  mote_space_axis axis = {.low = origin, .per_length = 1.0 / period};
  double turns = turns_of(&axis, low, high), most = fmin(PERIOD_CELLS, PERIODIC_ERROR * 0x1p49 / turns);
  double cells = fmax(floor(fmin(period / edge, most)), 1.0);
  axis.edge = period / cells;
  axis.cells = (int64_t)cells;
  axis.error = fmax(PERIODIC_ERROR, turns * cells * 0x1p-49);
  axis.turns = axis.error * 0x1p49 / cells;
  return axis;
}

// Error bound of |x_j|^2 + |x_i|^2 - 2 x_i . x_j, summed in floats from the target cell's corner, at a
// distance of one radius. The error of a difference of fixed positions is less than one unit plus the error
// of u plus the rounding of its two floats; products and sums round by less than nine times their largest
// term.
static void measure(mote_space *space) {
  double blur = 0.0, far = 0.0, near = 0.0, product = 0.0;
  for (int a = 0; a < space->domain.dimensions; ++a) {
    const mote_space_axis *axis = &space->axis[a];
    double edge = axis->edge / space->radius, longest = (axis->reach + 1) * edge;
    double off =
        edge * (1.0 / (1 << MOTE_FIXED_POSITION_BITS) + 2.0 * axis->blur) + 2.0 * FLOAT_ROUNDING * longest;
    blur += off * off;
    far += longest * longest;
    near += edge * edge;
    product += 2.0 * longest * edge;
    space->scale[a] = (float)(edge / (1 << MOTE_FIXED_POSITION_BITS));
  }
  blur = sqrt(blur);
  space->error = (float)(1.001 * (blur * (2.0 + blur) + 9.0 * FLOAT_ROUNDING * (1.0 + far + near + product)));
}

mote_space mote_space_make(const mote_domain *domain, const double low[3], const double high[3],
                           double radius, double edge) {
  MOTE_ASSERT(domain->dimensions >= 1 && domain->dimensions <= 3);
  MOTE_ASSERT(radius > 0.0 && edge > 0.0);
  MOTE_ASSERT(low[0] <= high[0] && low[1] <= high[1] && low[2] <= high[2]);
  mote_space space = {.domain = *domain, .radius = radius};
  for (int a = 0; a < domain->dimensions; ++a) {
    mote_space_axis *axis = &space.axis[a];
    double wide = edge * EDGE_WIDENING, cells = (high[a] - low[a]) / wide;
    if (domain->periodic[a]) {
      *axis = periodic_axis(low[a], high[a], domain->low[a], domain->high[a] - domain->low[a], wide);
    } else if (cells <= NEAR_CELLS) {
      *axis = near_axis(low[a], cells, wide);
    } else {
      *axis = far_axis(low[a], high[a], wide);
    }
    axis->reach = (int)ceil(radius / axis->edge * DISTANCE_WIDENING + axis->error);
    MOTE_ASSERT(axis->reach <= MOTE_REACH_MAX);
  }
  mote_space_extend(&space, low, high);
  return space;
}

void mote_space_extend(mote_space *space, const double low[3], const double high[3]) {
  MOTE_ASSERT(space->radius > 0.0);
  MOTE_ASSERT(low[0] <= high[0] && low[1] <= high[1] && low[2] <= high[2]);
  for (int a = 0; a < space->domain.dimensions; ++a) {
    mote_space_axis *axis = &space->axis[a];
    if (axis->cells == 0) continue;
    double turns = turns_of(axis, low[a], high[a]);
    axis->blur = fmax(axis->blur, turns * (double)axis->cells * 0x1p-49);
    if (axis->cells < 2 * axis->reach + 1) axis->blur = HUGE_VAL;
    if (turns > axis->turns) space->whole = true;
  }
  measure(space);
  if (space->whole) space->error = (float)HUGE_VAL;
}
