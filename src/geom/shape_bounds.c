// Bounds and volumes of shapes.
#include "geom/packing.h"
#include "geom/shape_tree.h"

static void half_space_bounds(const mote_shape_node *node, double low[3], double high[3]) {
  for (int i = 0; i < 3; ++i) {
    double n = node->basis[3 * i + 2];
    if (n == 1.0) high[i] = node->origin[i];
    if (n == -1.0) low[i] = node->origin[i];
  }
}

// In the coordinates of a turned basis; null: the world's.
static void leaf_bounds(const mote_shape_node *node, const double *basis, double low[3], double high[3]) {
  if (node->kind == MOTE_SHAPE_MESH) {
    mote_mesh_tree_bounds(node->mesh, basis, low, high);
    return;
  }
  mote_shape_node turned = *node;
  double extent[3];
  if (basis) {
    double back[9];
    for (int k = 0; k < 9; ++k) back[k] = basis[k % 3 * 3 + k / 3];
    multiply3(back, node->basis, turned.basis);
    turn3(back, node->origin, turned.origin);
  }
  mote_primitive_extent(&turned, extent);
  step3(turned.origin, -1.0, extent, low);
  step3(turned.origin, 1.0, extent, high);
  if (node->kind == MOTE_SHAPE_HALF_SPACE) half_space_bounds(&turned, low, high);
}

static void joined_bounds(const mote_shape *shape, size_t index, const double *basis, double low[3],
                          double high[3]) {
  const mote_shape_node *node = shape->node;
  bool is_union = node[index].kind == MOTE_SHAPE_UNION;
  double a[3], b[3];
  for (size_t k = index + 1; k < node[index].end; k = node[k].end) {
    mote_node_bounds(shape, k, basis, a, b);
    for (int i = 0; i < 3; ++i) {
      bool first = k == index + 1;
      low[i] = first ? a[i] : is_union ? min2(low[i], a[i]) : max2(low[i], a[i]);
      high[i] = first ? b[i] : is_union ? max2(high[i], b[i]) : min2(high[i], b[i]);
    }
  }
}

void mote_node_bounds_plain(const mote_shape *shape, size_t index, const double *basis, double low[3],
                            double high[3]) {
  MOTE_ASSERT(index < shape->nodes);
  const mote_shape_node *node = shape->node + index;
  if (mote_node_is_leaf(node)) {
    leaf_bounds(node, basis, low, high);
  } else {
    joined_bounds(shape, index, basis, low, high);
  }
  if (shape->dimensions == 2) low[2] = high[2] = 0.0;
}

void mote_node_bounds(const mote_shape *shape, size_t index, const double *basis, double low[3],
                      double high[3]) {
  MOTE_ASSERT(index < shape->nodes);
  const mote_shape_node *node = shape->node + index;
  mote_node_bounds_plain(shape, index, basis, low, high);
  // The outside of a half space is one, too; all others leave infinitely much.
  if (node->inverted && node->kind == MOTE_SHAPE_HALF_SPACE) {
    for (int i = 0; i < 3; ++i) {
      double a = low[i], b = high[i];
      low[i] = isfinite(b) ? b : -HUGE_VAL;
      high[i] = isfinite(a) ? a : HUGE_VAL;
    }
  } else if (node->inverted) {
    set3(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL, low);
    set3(HUGE_VAL, HUGE_VAL, HUGE_VAL, high);
  }
  if (shape->dimensions == 2) low[2] = high[2] = 0.0;
}

const mote_mesh *mote_shape_mesh(const mote_shape *shape) {
  return shape->node->kind == MOTE_SHAPE_MESH ? mote_mesh_tree_mesh(shape->node->mesh) : NULL;
}

const mote_mesh_mending *mote_shape_mesh_mending(const mote_shape *shape) {
  return shape->node->kind == MOTE_SHAPE_MESH ? mote_mesh_tree_mending(shape->node->mesh) : NULL;
}

void mote_shape_mesh_point(const mote_shape *shape, const double x[3], double out[3]) {
  const mote_shape_node *node = shape->node;
  MOTE_ASSERT(node->kind == MOTE_SHAPE_MESH);
  turn3(node->basis, x, out);
  step3(node->origin, node->size[0], out, out);
}

void mote_shape_bounds(const mote_shape *shape, double low[3], double high[3]) {
  mote_node_bounds(shape, 0, NULL, low, high);
}

// --- Balls --------------------------------------------------------------------------------------------

static double leaf_reach(const mote_shape_node *node, int dimensions, const double x[3]) {
  const double *size = node->size;
  double reach = 0.0;
  if (node->kind == MOTE_SHAPE_MESH) {
    const mote_mesh *mesh = mote_mesh_tree_mesh(node->mesh);
    for (size_t v = 0; v < mesh->vertices; ++v) reach = max2(reach, distance3(mesh->vertex + 3 * v, x));
    return reach;
  }
  double flat[3] = {size[0], size[1], dimensions == 2 ? 0.0 : size[2]};
  switch ((int)node->kind) {
    case MOTE_SHAPE_BOX: reach = length3(flat); break;
    case MOTE_SHAPE_SPHERE: reach = size[0]; break;
    case MOTE_SHAPE_ELLIPSOID: reach = max2(flat[0], max2(flat[1], flat[2])); break;
    case MOTE_SHAPE_CYLINDER: reach = sqrt(size[0] * size[0] + size[1] * size[1]); break;
    case MOTE_SHAPE_CAPSULE:
    case MOTE_SHAPE_TORUS: reach = size[0] + size[1]; break;
    default: return HUGE_VAL;
  }
  return reach + distance3(node->origin, x);
}

static double node_reach(const mote_shape *shape, size_t index, const double x[3]) {
  const mote_shape_node *node = shape->node;
  if (node[index].inverted) return HUGE_VAL;
  if (mote_node_is_leaf(node + index)) return leaf_reach(node + index, shape->dimensions, x);
  bool is_union = node[index].kind == MOTE_SHAPE_UNION;
  double reach = is_union ? 0.0 : HUGE_VAL;
  for (size_t k = index + 1; k < node[index].end; k = node[k].end) {
    double own = node_reach(shape, k, x);
    reach = is_union ? max2(reach, own) : min2(reach, own);
  }
  return reach;
}

double mote_shape_reach(const mote_shape *shape, const double x[3]) {
  MOTE_ASSERT(shape->nodes > 0);
  return node_reach(shape, 0, x) * (1.0 + 1e-12);
}

// --- Volumes ------------------------------------------------------------------------------------------

static double volume_of(const mote_shape *shape,
                        double (*joined)(const mote_shape *shape, const double low[3],
                                         const double high[3])) {
  double low[3], high[3];
  mote_shape_bounds(shape, low, high);
  if (!finite3(low) || !finite3(high)) return HUGE_VAL;
  if (mote_node_is_leaf(shape->node)) return mote_primitive_volume(shape->node, shape->dimensions);
  return joined(shape, low, high);
}

mote_result mote_shape_volume(const mote_shape *shape, double *volume, mote_error *error) {
  if (!shape || !volume) return mote_fail(error, MOTE_ERROR_ARGUMENT, "a shape and a volume are needed");
  *volume = volume_of(shape, mote_packing_volume);
  return MOTE_OK;
}

double mote_shape_volume_about(const mote_shape *shape) {
  MOTE_ASSERT(shape != NULL);
  return volume_of(shape, mote_packing_volume_about);
}
