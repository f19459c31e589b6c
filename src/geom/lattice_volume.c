// The volume of joined shapes: cells that the surface does not reach count whole or not at all, the others
// are halved down to the finest, which are cut by the plane at their centre's distance along their gradient.

#include "base/parallel.h"
#include "geom/lattice.h"

#define COARSE 8  // cells along the longest edge to begin with
#define HALVINGS_MOST 40
#define CUT_MOST 400000.0  // cells at the surface; the next level has four times as many

typedef struct cells {
  const mote_shape *shape;
  double low[3], edge[3];  // of the coarse cells
  size_t count[3];
  int halvings;
  double sum[COARSE * COARSE * COARSE][3];
} cells;

static double cell_volume(const cells *c, const double edge[3]) {
  return edge[0] * edge[1] * (c->shape->dimensions == 2 ? 1.0 : edge[2]);
}

static void cut_children(const cells *c, const double middle[3], const double edge[3], int halvings,
                         double *sum);

// sum[0]: volume; sum[1], sum[2]: number and volume of the finest cells, those at the surface.
static void cut_cell(const cells *c, const double middle[3], const double edge[3], int halvings,
                     double *sum) {
  double n[3], f = mote_node_distance(c->shape, 0, middle, halvings == 0 ? n : NULL);
  double radius = 0.5 * length3(edge), whole = cell_volume(c, edge);
  if (f >= radius) return;
  if (f <= -radius) {
    sum[0] += whole;
  } else if (halvings == 0) {
    double width = fabs(n[0]) * edge[0] + fabs(n[1]) * edge[1] + fabs(n[2]) * edge[2];
    sum[0] += whole * min2(1.0, max2(0.0, 0.5 - f / width));
    sum[1] += 1.0;
    sum[2] += whole;
  } else {
    cut_children(c, middle, edge, halvings, sum);
  }
}

// Halves the longest edge, and the others unless they are half as long already.
static void cut_children(const cells *c, const double middle[3], const double edge[3], int halvings,
                         double *sum) {
  double longest = max2(edge[0], max2(edge[1], edge[2])), x[3], half[3];
  bool cut[3];
  for (int k = 0; k < 3; ++k) {
    cut[k] = edge[k] > 0.5 * longest;
    half[k] = cut[k] ? 0.5 * edge[k] : edge[k];
  }
  for (int child = 0; child < 8; ++child) {
    bool repeated = false;  // along an edge that is not cut there is one child
    for (int k = 0; k < 3; ++k) {
      bool upper = child >> k & 1;
      repeated |= upper && !cut[k];
      x[k] = middle[k] + (!cut[k] ? 0.0 : upper ? 0.25 : -0.25) * edge[k];
    }
    if (!repeated) cut_cell(c, x, half, halvings - 1, sum);
  }
}

static void cut_coarse(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  cells *c = data;
  for (size_t cell = begin; cell < end; ++cell) {
    size_t index[3] = {cell % c->count[0], cell / c->count[0] % c->count[1],
                       cell / c->count[0] / c->count[1]};
    double x[3], *sum = c->sum[cell];
    for (int k = 0; k < 3; ++k) x[k] = c->low[k] + ((double)index[k] + 0.5) * c->edge[k];
    sum[0] = sum[1] = sum[2] = 0.0;
    cut_cell(c, x, c->edge, c->halvings, sum);
  }
}

static void cut_all(cells *c, double sum[3]) {
  size_t count = c->count[0] * c->count[1] * c->count[2];
  mote_parallel_for(c->shape->env.threads, count, 1, cut_coarse, c);
  set3(0.0, 0.0, 0.0, sum);
  for (size_t cell = 0; cell < count; ++cell) step3(sum, 1.0, c->sum[cell], sum);
}

// What the changes still to come sum to, over the last: they fall by 4 from level to level where surfaces are
// smooth, by 2 where faces of parts coincide and leave sheets without volume.
static double remaining(double change, double before) {
  double ratio = min2(0.6, max2(change / before, 0.2));
  return ratio / (1.0 - ratio);
}

double mote_lattice_volume(const mote_shape *shape, const double low[3], const double high[3]) {
  cells c = {.shape = shape, .count = {1, 1, 1}};
  double longest = 0.0;
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
  double sum[3] = {0}, last = 0.0, change = HUGE_VAL;
  for (c.halvings = 2; c.halvings <= HALVINGS_MOST; ++c.halvings) {
    double before = sum[0];
    cut_all(&c, sum);
    last = change;
    change = sum[0] - before;
    // As long as the cells at the surface are most of the volume, agreement means nothing.
    bool agree = fabs(change) <= 5e-3 * sum[0] && sum[2] <= 0.5 * sum[0];
    if (c.halvings >= 4 && (agree || sum[1] == 0.0)) break;
    if (sum[1] > CUT_MOST) break;
  }
  return max2(0.0, sum[0] + change * remaining(change, last));
}
