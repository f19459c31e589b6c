// The volume of joined shapes: cells that the surface does not reach count whole or not at all, the others
// are halved down to the finest, which are cut by the plane at their centre's distance along their gradient.

#include "base/parallel.h"
#include "geom/lattice.h"

#define COARSE 8       // cells along the longest edge to begin with
#define FINEST_MOST 6  // halvings

typedef struct cells {
  const mote_shape *shape;
  double low[3], edge[3];  // of the coarse cells
  size_t count[3];
  int halvings;
} cells;

static double cell_volume(const cells *c, const double edge[3]) {
  return edge[0] * edge[1] * (c->shape->dimensions == 2 ? 1.0 : edge[2]);
}

static double cut_cell(const cells *c, const double middle[3], const double edge[3], int halvings) {
  double n[3], f = mote_node_distance(c->shape, 0, middle, halvings == 0 ? n : NULL);
  double radius = 0.5 * length3(edge);
  if (f >= radius) return 0.0;
  if (f <= -radius) return cell_volume(c, edge);
  if (halvings == 0) {
    double width = fabs(n[0]) * edge[0] + fabs(n[1]) * edge[1] + fabs(n[2]) * edge[2];
    return cell_volume(c, edge) * min2(1.0, max2(0.0, 0.5 - f / width));
  }
  double sum = 0.0, half[3];
  for (int k = 0; k < 3; ++k) half[k] = 0.5 * edge[k];
  for (int child = 0; child < 1 << c->shape->dimensions; ++child) {
    double x[3];
    for (int k = 0; k < 3; ++k) x[k] = middle[k] + (child >> k & 1 ? 0.25 : -0.25) * edge[k];
    sum += cut_cell(c, x, half, halvings - 1);
  }
  return sum;
}

static void sum_cells(void *data, size_t begin, size_t end, double *sum) {
  const cells *c = data;
  for (size_t cell = begin; cell < end; ++cell) {
    size_t index[3] = {cell % c->count[0], cell / c->count[0] % c->count[1],
                       cell / c->count[0] / c->count[1]};
    double x[3];
    for (int k = 0; k < 3; ++k) x[k] = c->low[k] + ((double)index[k] + 0.5) * c->edge[k];
    sum[0] += cut_cell(c, x, c->edge, c->halvings);
  }
}

// What the changes still to come sum to, over the last: they fall by 4 from level to level where surfaces are
// smooth, by 2 where faces of parts coincide and leave sheets without volume.
static double remaining(double change, double before) {
  double ratio = min2(0.6, max2(change / before, 0.2));
  return ratio / (1.0 - ratio);
}

double mote_lattice_volume(const mote_shape *shape, const double low[3], const double high[3]) {
  cells c = {.shape = shape, .count = {1, 1, 1}};
  double longest = 0.0, volume = 0.0;
  for (int k = 0; k < 3; ++k) {
    if (high[k] < low[k]) return 0.0;
    longest = max2(longest, high[k] - low[k]);
  }
  if (!(longest > 0.0)) return 0.0;
  copy3(low, c.low);
  for (int k = 0; k < shape->dimensions; ++k) {
    c.count[k] = (size_t)max2(1.0, ceil((high[k] - low[k]) / longest * COARSE));
    c.edge[k] = (high[k] - low[k]) / (double)c.count[k];
  }
  double last = 0.0, change = HUGE_VAL;
  for (c.halvings = 2; c.halvings <= FINEST_MOST; ++c.halvings) {
    double before = volume;
    mote_parallel_sum(shape->env.threads, c.count[0] * c.count[1] * c.count[2], 1, sum_cells, &c, &volume);
    last = change;
    change = volume - before;
    if (c.halvings >= 4 && fabs(change) <= 5e-3 * volume) break;
  }
  return max2(0.0, volume + change * remaining(change, last));
}
