// Where a segment first comes near a shape. Along a segment the distance of a convex shape is a convex
// function, so that Newton's method finds where it falls to a level and bisection where it rises to it,
// without missing anything however thin; other leaves are marched along by their distances. Unions are
// entered where their first part is, intersections where the last of their parts is entered while in all
// others.
#include "geom/shape_tree.h"

#define NO_HIT 2.0  // mark

typedef struct sweep {
  const mote_shape *shape;
  double a[3], b[3], along[3], length;
  double clearance;
} sweep;

static double at_fraction(const sweep *s, size_t index, double t, double *slope) {
  double x[3], n[3];
  step3(s->a, t, s->along, x);
  double d = mote_leaf_distance(s->shape, index, x, slope ? n : NULL);
  if (slope) *slope = dot3(n, s->along);
  return d;
}

// The first t' >= t where a convex leaf is within the clearance.
static double fall_to(const sweep *s, size_t index, double t) {
  double slope;
  for (int iteration = 0; iteration < 100; ++iteration) {
    double gap = at_fraction(s, index, t, &slope) - s->clearance;
    if (gap <= 0.0) return t;
    if (!(slope < 0.0)) return NO_HIT;
    double next = t - gap / slope;
    if (!(next > t)) return t;
    if (next > 1.0) return NO_HIT;
    t = next;
  }
  return t;
}

static double gap_at(const sweep *s, size_t index, double t, double sign) {
  return sign * at_fraction(s, index, t, NULL) - s->clearance;
}

// Between a fraction that keeps away and one that does not.
static double bisect(const sweep *s, size_t index, double low, double high, double sign) {
  for (int iteration = 0; iteration < 60; ++iteration) {
    double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    if (gap_at(s, index, middle, sign) > 0.0) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

// The first t' >= t where the depth in a convex leaf is the clearance or less.
static double rise_to(const sweep *s, size_t index, double t) {
  if (gap_at(s, index, t, -1.0) <= 0.0) return t;
  return gap_at(s, index, 1.0, -1.0) > 0.0 ? NO_HIT : bisect(s, index, t, 1.0, -1.0);
}

// Steps by the distance left, and by no less than what a grazing contact is allowed to be missed by.
static double march(const sweep *s, size_t index, double t, double sign) {
  const mote_shape_node *node = s->shape->node + index;
  double least = node->kind == MOTE_SHAPE_MESH ? 1e-2 * s->clearance : 1e-3 * node->size[1];
  double gap = gap_at(s, index, t, sign);
  if (gap <= 0.0) return t;
  if (node->kind == MOTE_SHAPE_MESH && s->clearance == 0.0) {
    return mote_mesh_tree_meet(node->mesh, s->a, s->b, t);
  }
  while (t < 1.0) {
    double before = t;
    t = min2(1.0, t + max2(gap, least) / s->length);
    if (!(t > before)) return t;
    gap = gap_at(s, index, t, sign);
    if (gap <= 0.0) return bisect(s, index, before, t, sign);
  }
  return NO_HIT;
}

static bool is_convex(const mote_shape_node *node) {
  return node->kind != MOTE_SHAPE_MESH && node->kind != MOTE_SHAPE_TORUS;
}

static double first_leaf(const sweep *s, size_t index, double t, bool inside_out) {
  const mote_shape_node *node = s->shape->node + index;
  if (!is_convex(node)) return march(s, index, t, inside_out ? -1.0 : 1.0);
  return inside_out ? rise_to(s, index, t) : fall_to(s, index, t);
}

static double first_within(const sweep *s, size_t index, double t, bool inside_out);

static double first_of_any(const sweep *s, size_t index, double t, bool inside_out) {
  const mote_shape_node *node = s->shape->node;
  double first = NO_HIT;
  for (size_t k = index + 1; k < node[index].end; k = node[k].end) {
    first = min2(first, first_within(s, k, t, inside_out));
  }
  return first;
}

static double first_of_all(const sweep *s, size_t index, double t, bool inside_out) {
  const mote_shape_node *node = s->shape->node;
  for (double before = -1.0; t <= 1.0 && t > before;) {
    before = t;
    for (size_t k = index + 1; k < node[index].end && t <= 1.0; k = node[k].end) {
      t = max2(t, first_within(s, k, t, inside_out));
    }
  }
  return t;
}

// The first t' >= t within the clearance of the node, or of its outside.
static double first_within(const sweep *s, size_t index, double t, bool inside_out) {
  const mote_shape_node *node = s->shape->node + index;
  bool turned = inside_out != node->inverted;
  // Leaves are asked about themselves, not about what they are inverted to.
  if (mote_node_is_leaf(node)) return first_leaf(s, index, t, turned);
  bool any = (node->kind == MOTE_SHAPE_UNION) != turned;
  return any ? first_of_any(s, index, t, turned) : first_of_all(s, index, t, turned);
}

double mote_shape_sweep(const mote_shape *shape, const double a[3], const double b[3], double clearance) {
  sweep s = {.shape = shape, .clearance = clearance > 0.0 ? clearance : 0.0};
  copy3(a, s.a), copy3(b, s.b);
  if (shape->dimensions == 2) s.a[2] = s.b[2] = 0.0;
  sub3(s.b, s.a, s.along);
  s.length = length3(s.along);
  if (!isfinite(s.length) || !finite3(s.a) || !isfinite(s.clearance)) return 0.0;
  if (s.length == 0.0) return mote_node_distance(shape, 0, s.a, NULL) <= s.clearance ? 0.0 : NO_HIT;
  double first = first_within(&s, 0, 0.0, false);
  return first <= 1.0 ? first : NO_HIT;
}
