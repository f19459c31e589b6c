// The volume of joined shapes and its moments: cells that the surface does not reach count whole or not at
// all, the others are halved down to the finest, which are cut by the plane at their centre's distance along
// their gradient.
#include <string.h>

#include "base/parallel.h"
#include "geom/packing.h"

#define COARSE_CELLS 8  // cells along the longest edge to begin with
#define HALVINGS_MOST 40
#define CUT_MOST 400000  // cells at the surface; the next level has four times as many

typedef struct tally {
  double moment[MOTE_PACKING_MOMENTS];
  double cut, cut_volume;  // number and volume of the finest cells, those at the surface
} tally;

typedef struct cells {
  const mote_shape *shape;
  double low[3], edge[3];  // of the coarse cells
  double middle[3];        // about which moments are taken
  size_t count[3];
  int halvings;
  tally sum[COARSE_CELLS * COARSE_CELLS * COARSE_CELLS];
} cells;

static double cell_volume(const cells *c, const double edge[3]) {
  return edge[0] * edge[1] * (c->shape->dimensions == 2 ? 1.0 : edge[2]);
}

// `volume` of a cell; what is cut off of a cell moves its centre by too little to count.
static void add(const cells *c, const double middle[3], const double edge[3], double volume, tally *sum) {
  double x[3], *m = sum->moment;
  sub3(middle, c->middle, x);
  m[0] += volume;
  for (int i = 0, k = 4; i < 3; ++i) {
    m[1 + i] += volume * x[i];
    for (int j = i; j < 3; ++j, ++k) {
      m[k] += volume * (x[i] * x[j] + (i == j ? edge[i] * edge[i] / 12.0 : 0.0));
    }
  }
}

static void cut_children(const cells *c, const double middle[3], const double edge[3], int halvings,
                         tally *sum);

static void cut_cell(const cells *c, const double middle[3], const double edge[3], int halvings, tally *sum) {
  double n[3], f = mote_node_distance(c->shape, 0, middle, halvings == 0 ? n : NULL);
  double radius = 0.5 * length3(edge), whole = cell_volume(c, edge);
  if (f >= radius) return;
  if (f <= -radius) {
    add(c, middle, edge, whole, sum);
  } else if (halvings == 0) {
    double width = fabs(n[0]) * edge[0] + fabs(n[1]) * edge[1] + fabs(n[2]) * edge[2];
    add(c, middle, edge, whole * min2(1.0, max2(0.0, 0.5 - f / width)), sum);
    sum->cut += 1.0;
    sum->cut_volume += whole;
  } else {
    cut_children(c, middle, edge, halvings, sum);
  }
}

// Halves the longest edge, and the others unless they are half as long already.
static void cut_children(const cells *c, const double middle[3], const double edge[3], int halvings,
                         tally *sum) {
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
    double x[3];
    for (int k = 0; k < 3; ++k) x[k] = c->low[k] + ((double)index[k] + 0.5) * c->edge[k];
    c->sum[cell] = (tally){0};
    cut_cell(c, x, c->edge, c->halvings, &c->sum[cell]);
  }
}

static tally cut_all(cells *c) {
  size_t count = c->count[0] * c->count[1] * c->count[2];
  tally sum = {0};
  mote_parallel_for(c->shape->env.threads, count, 1, cut_coarse, c);
  for (size_t cell = 0; cell < count; ++cell) {
    const tally *part = &c->sum[cell];
    for (int k = 0; k < MOTE_PACKING_MOMENTS; ++k) sum.moment[k] += part->moment[k];
    sum.cut += part->cut;
    sum.cut_volume += part->cut_volume;
  }
  return sum;
}

// What the changes still to come sum to, over the last: they fall by 4 from level to level where surfaces are
// smooth, by 2 where faces of parts coincide and leave sheets without volume.
static double remaining(double change, double before) {
  double ratio = min2(0.6, max2(change / before, 0.2));
  return ratio / (1.0 - ratio);
}

// Halves cells at least `least` times, and until a level changes the volume by less than `tolerance` of it.
static void measure(const mote_shape *shape, const double low[3], const double high[3], int least,
                    double tolerance, double moment[MOTE_PACKING_MOMENTS]) {
  cells c = {.shape = shape, .count = {1, 1, 1}};
  double longest = 0.0;
  memset(moment, 0, MOTE_PACKING_MOMENTS * sizeof *moment);
  for (int k = 0; k < 3; ++k) {
    if (high[k] < low[k]) return;
    longest = max2(longest, high[k] - low[k]);
    c.middle[k] = 0.5 * (low[k] + high[k]);
  }
  if (!(longest > 0.0)) return;
  copy3(low, c.low);
  for (int k = 0; k < shape->dimensions; ++k) {
    c.count[k] = (size_t)max2(1.0, ceil((high[k] - low[k]) / longest * COARSE_CELLS));
    c.edge[k] = (high[k] - low[k]) / (double)c.count[k];
  }
  tally sum = {0}, before = {0};
  double last = 0.0, change = HUGE_VAL;
  for (c.halvings = 2; c.halvings <= HALVINGS_MOST; ++c.halvings) {
    before = sum;
    sum = cut_all(&c);
    last = change;
    change = sum.moment[0] - before.moment[0];
    // As long as the cells at the surface are most of the volume, agreement means nothing.
    bool agree = fabs(change) <= tolerance * sum.moment[0] && sum.cut_volume <= 0.5 * sum.moment[0];
    if (c.halvings >= least && (agree || sum.cut == 0.0)) break;
    if (sum.cut > CUT_MOST) break;
  }
  double more = remaining(change, last);
  for (int k = 0; k < MOTE_PACKING_MOMENTS; ++k) {
    moment[k] = sum.moment[k] + (sum.moment[k] - before.moment[k]) * more;
  }
  moment[0] = max2(0.0, moment[0]);
}

void mote_packing_moments(const mote_shape *shape, const double low[3], const double high[3],
                          double moment[MOTE_PACKING_MOMENTS]) {
  MOTE_ASSERT(shape->nodes > 0);
  MOTE_ASSERT(moment != NULL);
  measure(shape, low, high, 4, 5e-3, moment);
}

double mote_packing_volume(const mote_shape *shape, const double low[3], const double high[3]) {
  MOTE_ASSERT(shape->nodes > 0);
  double moment[MOTE_PACKING_MOMENTS];
  mote_packing_moments(shape, low, high, moment);
  return moment[0];
}

double mote_packing_volume_about(const mote_shape *shape, const double low[3], const double high[3]) {
  MOTE_ASSERT(shape->nodes > 0);
  double moment[MOTE_PACKING_MOMENTS];
  measure(shape, low, high, 3, 2e-2, moment);
  return moment[0];
}
