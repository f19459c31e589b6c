// Ways within a shape: see shape_tree.h.
#include <math.h>

#include "geom/shape_tree.h"
#include "geom/tuning.inc"

#define BOX_HALF_CELLS 7  // from the first point to the sides of the box where bends are looked for
#define BOX_SIDE_NODES (2 * BOX_HALF_CELLS + 1)
#define TIGHTENING_ROUNDS 4  // of tightening, from each end

// Whether the straight path between two points stays in the shape. Depths are never more than the true ones,
// so that what is within them need not be looked at.
static bool is_straight(const mote_shape *shape, double detail, const double a[3], const double b[3]) {
  double length = distance3(a, b), along = 0.0, to[3];
  sub3(b, a, to);
  while (along < length) {
    double x[3];
    step3(a, along / length, to, x);
    double depth = -mote_shape_distance(shape, x);
    if (depth < -PATH_GRAZE_MAX * detail) return false;
    along += max2(depth, PATH_TEST_STEP * detail);
  }
  return true;
}

// Places for a bend, a box of nodes around the first point (in 2D a layer), and which it sees.
typedef struct bends {
  const mote_shape *shape;
  double detail, cell;
  const double *from;
  size_t nodes;
  uint8_t seen[BOX_SIDE_NODES * BOX_SIDE_NODES * BOX_SIDE_NODES];
} bends;

enum { UNKNOWN, HIDDEN, SEEN };

static void node_at(const bends *b, size_t node, double x[3]) {
  size_t i = node % BOX_SIDE_NODES, j = node / BOX_SIDE_NODES % BOX_SIDE_NODES,
         k = node / BOX_SIDE_NODES / BOX_SIDE_NODES;
  double at[3] = {(double)i - BOX_HALF_CELLS, (double)j - BOX_HALF_CELLS,
                  b->nodes == BOX_SIDE_NODES * BOX_SIDE_NODES ? 0.0 : (double)k - BOX_HALF_CELLS};
  step3(b->from, b->cell, at, x);
}

static bool sees(bends *b, size_t node, const double x[3]) {
  if (b->seen[node] == UNKNOWN) {
    bool inside = mote_shape_distance(b->shape, x) <= 0.0;
    b->seen[node] = inside && is_straight(b->shape, b->detail, b->from, x) ? SEEN : HIDDEN;
  }
  return b->seen[node] == SEEN;
}

// A bend that is drawn towards one end makes its path shorter, until the other leg meets the surface.
static void draw_towards(const bends *b, const double end[3], const double other[3], double x[3]) {
  for (double part = 0.5; part > 0.03; part *= 0.5) {
    double to[3], trial[3];
    sub3(end, x, to);
    step3(x, part, to, trial);
    if (is_straight(b->shape, b->detail, trial, other)) copy3(trial, x);
  }
}

// The path with one bend: the best of the nodes, tightened.
static double go_around(bends *b, const double to[3], double most) {
  double best = most, bend[3] = {0};
  for (size_t node = 0; node < b->nodes; ++node) {
    double x[3];
    node_at(b, node, x);
    double length = distance3(b->from, x) + distance3(x, to);
    if (!(length < best) || !sees(b, node, x) || !is_straight(b->shape, b->detail, x, to)) continue;
    best = length;
    copy3(x, bend);
  }
  if (!(best < most)) return HUGE_VAL;
  for (int k = 0; k < TIGHTENING_ROUNDS; ++k) {
    draw_towards(b, b->from, to, bend);
    draw_towards(b, to, b->from, bend);
  }
  return distance3(b->from, bend) + distance3(bend, to);
}

void mote_shape_path_lengths(const mote_shape *shape, double detail, const double from[3], const double *to,
                             size_t count, double most, double *length) {
  MOTE_ASSERT(detail > 0.0);
  MOTE_ASSERT((to != NULL && length != NULL) || count == 0);
  bends b = {.nodes = 0};
  for (size_t k = 0; k < count; ++k) {
    if (is_straight(shape, detail, from, to + 3 * k)) continue;
    if (b.nodes == 0) {
      b.shape = shape, b.detail = detail, b.cell = most / BOX_HALF_CELLS, b.from = from;
      b.nodes = shape->dimensions == 2 ? BOX_SIDE_NODES * BOX_SIDE_NODES
                                       : BOX_SIDE_NODES * BOX_SIDE_NODES * BOX_SIDE_NODES;
    }
    length[k] = go_around(&b, to + 3 * k, most);
  }
}
