// Distances of trees of shapes: the least over a union, the greatest over an intersection. Each is a bound of
// the true distance with the right sign, and no steeper than 1.
#include "geom/shape_tree.h"

bool mote_node_is_leaf(const mote_shape_node *node) {
  MOTE_ASSERT((unsigned)node->kind < MOTE_SHAPE_KINDS);
  return node->kind != MOTE_SHAPE_UNION && node->kind != MOTE_SHAPE_INTERSECTION;
}

bool mote_shape_is_convex(const mote_shape *shape) {
  MOTE_ASSERT(shape->nodes > 0);
  const mote_shape_node *node = shape->node;
  if (node->kind == MOTE_SHAPE_HALF_SPACE) return true;
  bool hollow = node->inverted || node->kind == MOTE_SHAPE_TORUS || node->kind == MOTE_SHAPE_MESH;
  return mote_node_is_leaf(node) && !hollow;
}

double mote_shape_lowest(const mote_shape *shape, const double n[3]) {
  MOTE_ASSERT(shape->nodes > 0);
  const mote_shape_node *node = shape->node;
  double local[3], reach = 0.0;
  if (node->inverted) return -HUGE_VAL;
  if (node->kind != MOTE_SHAPE_BOX) return dot3(n, node->middle) - node->reach;
  unturn3(node->basis, n, local);
  for (int k = 0; k < shape->dimensions; ++k) reach += node->size[k] * fabs(local[k]);
  return dot3(n, node->origin) - reach;
}

double mote_leaf_distance(const mote_shape *shape, size_t index, const double x[3], double normal[3]) {
  MOTE_ASSERT(index < shape->nodes);
  const mote_shape_node *node = shape->node + index;
  if (node->kind == MOTE_SHAPE_MESH) return mote_mesh_tree_distance(node->mesh, x, normal);
  double y[3];
  sub3(x, node->origin, y);
  unturn3(node->basis, y, y);
  double d = mote_primitive_distance(node, shape->dimensions, y, normal);
  if (normal) turn3(node->basis, normal, normal);
  return d;
}

// Whether the node, were it not inverted, is certainly farther from x than d.
static bool is_farther(const mote_shape_node *node, int dimensions, const double x[3], double d) {
  if (distance3(x, node->middle) - node->reach > d) return true;
  if (node->kind != MOTE_SHAPE_ELLIPSOID) return false;
  double y[3];
  sub3(x, node->origin, y);
  unturn3(node->basis, y, y);
  double least = mote_ellipsoid_least(dimensions, node->size, y);
  return least - 1e-12 * fabs(least) > d;
}

// Whether a part cannot change the distance that those before it left. What is cut away must be a leaf: the
// bound that joined parts give may be less than the distance to the ball around them.
static bool is_idle(const mote_shape_node *part, bool is_union, int dimensions, const double x[3],
                    double best) {
  if (is_union) return !part->inverted && is_farther(part, dimensions, x, best);
  return part->inverted && mote_node_is_leaf(part) && is_farther(part, dimensions, x, -best);
}

static double joined_distance(const mote_shape *shape, size_t index, const double x[3], double normal[3]) {
  const mote_shape_node *node = shape->node + index;
  bool is_union = node->kind == MOTE_SHAPE_UNION;
  double best = 0.0, n[3];
  for (size_t k = index + 1; k < node->end; k = shape->node[k].end) {
    bool first = k == index + 1;
    if (!first && is_idle(shape->node + k, is_union, shape->dimensions, x, best)) continue;
    double d = mote_node_distance(shape, k, x, normal ? n : NULL);
    if (!first && (is_union ? !(d < best) : !(d > best))) continue;
    best = d;
    if (normal) copy3(n, normal);
  }
  return best;
}

double mote_node_distance(const mote_shape *shape, size_t index, const double x[3], double normal[3]) {
  MOTE_ASSERT(index < shape->nodes);
  MOTE_ASSERT(shape->node[index].end > index && shape->node[index].end <= shape->nodes);
  const mote_shape_node *node = shape->node + index;
  double d = mote_node_is_leaf(node) ? mote_leaf_distance(shape, index, x, normal)
                                     : joined_distance(shape, index, x, normal);
  if (!node->inverted) return d;
  if (normal) set3(-normal[0], -normal[1], -normal[2], normal);
  return -d;
}

// Into the range where squares are finite (which makes the distance no larger), and in 2D into the plane.
static void bring_in(const mote_shape *shape, const double x[3], double out[3]) {
  for (int k = 0; k < 3; ++k) {
    out[k] = x[k] > MOTE_SHAPE_LARGEST ? MOTE_SHAPE_LARGEST : x[k];
    out[k] = x[k] < -MOTE_SHAPE_LARGEST ? -MOTE_SHAPE_LARGEST : out[k];
  }
  if (shape->dimensions == 2) out[2] = 0.0;
}

double mote_shape_distance(const mote_shape *shape, const double x[3]) {
  double at[3];
  bring_in(shape, x, at);
  return finite3(at) ? mote_node_distance(shape, 0, at, NULL) : (double)NAN;
}

double mote_shape_closest(const mote_shape *shape, const double x[3], double normal[3]) {
  double at[3];
  bring_in(shape, x, at);
  set3(1.0, 0.0, 0.0, normal);
  if (!finite3(at)) return (double)NAN;
  double n[3], d = mote_node_distance(shape, 0, at, n);
  if (shape->dimensions == 2) n[2] = 0.0;
  double length = length3(n);
  if (length > 0.0 && isfinite(length)) set3(n[0] / length, n[1] / length, n[2] / length, normal);
  return d;
}
