// From a definition to the tree: checks, bases, parts.
#include <mote/numeric.h>
#include <stdio.h>

#include "geom/shape_tree.h"

#define NESTING_DEPTH_MAX 64
#define MOST_NODES 1000000  // a definition may name a part many times over

static const char *const kind_names[MOTE_SHAPE_KINDS] = {
    "none",       "box",  "sphere", "ellipsoid", "cylinder",   "capsule",     "torus",
    "half space", "mesh", "figure", "union",     "difference", "intersection"};

const char *mote_shape_kind_name(mote_shape_kind kind) {
  return (unsigned)kind < MOTE_SHAPE_KINDS ? kind_names[kind] : "?";
}

mote_shape_def mote_shape_def_box(double x0, double y0, double z0, double x1, double y1, double z1) {
  mote_shape_def def = mote_shape_def_default();
  def.kind = MOTE_SHAPE_BOX;
  set3(x0, y0, z0, def.low);
  set3(x1, y1, z1, def.high);
  return def;
}

mote_shape_def mote_shape_def_sphere(double x, double y, double z, double radius) {
  mote_shape_def def = mote_shape_def_default();
  def.kind = MOTE_SHAPE_SPHERE;
  set3(x, y, z, def.centre);
  def.radius = radius;
  return def;
}

// --- Checks ------------------------------------------------------------------------------------------------

static bool sane(double x) {
  return fabs(x) <= MOTE_SHAPE_LARGEST;  // false for NaN
}

static mote_result check_point(const double x[3], const char *key, mote_error *error) {
  if (sane(x[0]) && sane(x[1]) && sane(x[2])) return MOTE_OK;
  return mote_fail_key(error, key, "has a number that is not finite, or beyond 1e100");
}

static mote_result check_size(double x, const char *key, mote_error *error) {
  if (sane(x) && x >= 1.0 / MOTE_SHAPE_LARGEST) return MOTE_OK;
  return mote_fail_key(error, key, "must be a positive number, between 1e-100 and 1e100");
}

// --- Frames ------------------------------------------------------------------------------------------------

static void set_identity(double m[9]) {
  for (int k = 0; k < 9; ++k) m[k] = k % 4 == 0;
}

// Local z along the unit vector a; local x along one of the world's axes where it can be, in 2D in the plane.
static void basis_along(const double a[3], int dimensions, double basis[9]) {
  double x[3] = {0.0, 0.0, 0.0}, y[3];
  int least = 0;
  for (int k = 1; k < 3; ++k) least = fabs(a[k]) < fabs(a[least]) ? k : least;
  if (dimensions == 2 && least == 2) {
    set3(-a[1], a[0], 0.0, x);
  } else {
    x[least] = 1.0;
    step3(x, -a[least], a, x);
  }
  double length = length3(x);
  for (int k = 0; k < 3; ++k) x[k] /= length;
  cross3(a, x, y);
  for (int k = 0; k < 3; ++k) basis[3 * k] = x[k], basis[3 * k + 1] = y[k], basis[3 * k + 2] = a[k];
}

// The unit vector along `v`; in 2D it must lie in the plane, or along z where that is allowed.
static mote_result direction(const double v[3], int dimensions, bool upright, const char *key, double out[3],
                             mote_error *error) {
  MOTE_TRY(check_point(v, key, error));
  double largest = max2(fabs(v[0]), max2(fabs(v[1]), fabs(v[2])));
  if (!(largest > 0.0)) return mote_fail_key(error, key, "has no length");
  for (int k = 0; k < 3; ++k) out[k] = v[k] / largest;
  double length = length3(out);
  for (int k = 0; k < 3; ++k) out[k] /= length;
  if (dimensions == 3 || out[2] == 0.0 || (upright && out[0] == 0.0 && out[1] == 0.0)) return MOTE_OK;
  return mote_fail_key(error, key, "in 2D it lies in the plane z = 0%s", upright ? " or along z" : "");
}

// --- Leaves ------------------------------------------------------------------------------------------------

static mote_result make_box(const mote_shape_def *def, int dimensions, mote_shape_node *node,
                            mote_error *error) {
  MOTE_TRY(check_point(def->low, "low", error));
  MOTE_TRY(check_point(def->high, "high", error));
  for (int k = 0; k < dimensions; ++k) {
    if (!(def->high[k] > def->low[k])) {
      return mote_fail_key(error, "high", "the box has no size along %c: from %g to %g", "xyz"[k],
                           def -> low[k], def -> high[k]);
    }
    node->size[k] = 0.5 * (def->high[k] - def->low[k]);
    node->origin[k] = 0.5 * (def->low[k] + def->high[k]);
  }
  if (dimensions == 2) node->size[2] = HUGE_VAL;
  return MOTE_OK;
}

static mote_result make_ball(const mote_shape_def *def, mote_shape_node *node, mote_error *error) {
  MOTE_TRY(check_point(def->centre, "centre", error));
  MOTE_TRY(check_size(def->radius, "radius", error));
  copy3(def->centre, node->origin);
  node->size[0] = def->radius;
  return MOTE_OK;
}

static mote_result make_ellipsoid(const mote_shape_def *def, mote_shape_node *node, mote_error *error) {
  MOTE_TRY(check_point(def->centre, "centre", error));
  for (int k = 0; k < 3; ++k) MOTE_TRY(check_size(def->radii[k], "radii", error));
  copy3(def->centre, node->origin);
  copy3(def->radii, node->size);
  return MOTE_OK;
}

// In 2D a rod that stands on the plane is a disc, and a cylinder in the plane a box.
static void flatten_rod(mote_shape_node *node, const double axis[3]) {
  if (axis[2] != 0.0) {
    node->kind = MOTE_SHAPE_SPHERE;
  } else if (node->kind == MOTE_SHAPE_CYLINDER) {
    const double basis[9] = {axis[0], -axis[1], 0.0, axis[1], axis[0], 0.0, 0.0, 0.0, 1.0};
    node->kind = MOTE_SHAPE_BOX;
    set3(node->size[1], node->size[0], HUGE_VAL, node->size);
    for (int k = 0; k < 9; ++k) node->basis[k] = basis[k];
  }
}

// Cylinders and capsules.
static mote_result make_rod(const mote_shape_def *def, int dimensions, mote_shape_node *node,
                            mote_error *error) {
  double axis[3];
  MOTE_TRY(check_point(def->from, "from", error));
  MOTE_TRY(check_point(def->to, "to", error));
  MOTE_TRY(check_size(def->radius, "radius", error));
  sub3(def->to, def->from, axis);
  double length = length3(axis);
  MOTE_TRY(check_size(length, "to", error));
  MOTE_TRY(direction(axis, dimensions, true, "to", axis, error));
  step3(def->from, 0.5 * length, axis, node->origin);
  set3(def->radius, 0.5 * length, 0.0, node->size);
  basis_along(axis, dimensions, node->basis);
  if (dimensions == 2) flatten_rod(node, axis);
  return MOTE_OK;
}

static mote_result make_torus(const mote_shape_def *def, int dimensions, mote_shape_node *node,
                              mote_error *error) {
  double axis[3];
  MOTE_TRY(check_point(def->centre, "centre", error));
  MOTE_TRY(direction(def->normal, dimensions, true, "normal", axis, error));
  MOTE_TRY(check_size(def->radius, "radius", error));
  MOTE_TRY(check_size(def->thickness, "thickness", error));
  if (def->thickness > def->radius) {
    return mote_fail_key(error, "thickness", "the tube of a torus cannot be wider than its ring: %g of %g",
                         def->thickness, def->radius);
  }
  copy3(def->centre, node->origin);
  set3(def->radius, def->thickness, 0.0, node->size);
  basis_along(axis, dimensions, node->basis);
  return MOTE_OK;
}

static mote_result make_half_space(const mote_shape_def *def, int dimensions, mote_shape_node *node,
                                   mote_error *error) {
  double axis[3];
  MOTE_TRY(check_point(def->centre, "centre", error));
  MOTE_TRY(direction(def->normal, dimensions, false, "normal", axis, error));
  copy3(def->centre, node->origin);
  basis_along(axis, dimensions, node->basis);
  return MOTE_OK;
}

static mote_result make_mesh(const mote_shape_def *def, const mote_shape *shape, mote_shape_node *node,
                             mote_error *error) {
  if (shape->dimensions == 2) return mote_fail_key(error, "mesh", "there are no meshes in 2D");
  node->size[0] = 1.0;
  mote_result result = mote_mesh_tree_create(&def->mesh, &shape->env, &node->mesh, error);
  return result == MOTE_ERROR_ARGUMENT ? mote_fail_within(error, result, "mesh") : result;
}

static mote_result make_leaf(const mote_shape_def *def, const mote_shape *shape, mote_shape_node *node,
                             mote_error *error) {
  int dimensions = shape->dimensions;
  switch ((int)def->kind) {
    case MOTE_SHAPE_BOX: return make_box(def, dimensions, node, error);
    case MOTE_SHAPE_SPHERE: return make_ball(def, node, error);
    case MOTE_SHAPE_ELLIPSOID: return make_ellipsoid(def, node, error);
    case MOTE_SHAPE_CYLINDER:
    case MOTE_SHAPE_CAPSULE: return make_rod(def, dimensions, node, error);
    case MOTE_SHAPE_TORUS: return make_torus(def, dimensions, node, error);
    case MOTE_SHAPE_HALF_SPACE: return make_half_space(def, dimensions, node, error);
    case MOTE_SHAPE_MESH: return make_mesh(def, shape, node, error);
    case MOTE_SHAPE_NONE: return mote_fail_key(error, "kind", "the shape has no kind");
    default: return mote_fail_key(error, "kind", "%d is no kind of shape", (int)def->kind);
  }
}

// --- Transforms --------------------------------------------------------------------------------------------

// Rodrigues: the rotation about the unit vector a.
static void rotation(const double a[3], double angle, double m[9]) {
  double c = mote_cos(angle), s = mote_sin(angle);
  double k[9] = {0.0, -a[2], a[1], a[2], 0.0, -a[0], -a[1], a[0], 0.0};
  for (int i = 0; i < 9; ++i) m[i] = c * (i % 4 == 0) + s * k[i] + (1.0 - c) * (a[i / 3] * a[i % 3]);
}

static void move_node(mote_shape_node *node, const double turn[9], double scale, const double pivot[3],
                      const double move[3]) {
  double from_pivot[3];
  sub3(node->origin, pivot, from_pivot);
  turn3(turn, from_pivot, from_pivot);
  step3(pivot, scale, from_pivot, node->origin);
  step3(node->origin, 1.0, move, node->origin);
  multiply3(turn, node->basis, node->basis);
  for (int k = 0; k < 3; ++k) node->size[k] *= scale;
  if (node->mesh) mote_mesh_tree_move(node->mesh, turn, scale, pivot, move);
}

static mote_result find_pivot(const mote_shape_def *def, const mote_shape *shape, size_t index,
                              double pivot[3], mote_error *error) {
  if (!isnan(def->pivot[0]) || !isnan(def->pivot[1]) || !isnan(def->pivot[2])) {
    copy3(def->pivot, pivot);
    return check_point(pivot, "pivot", error);
  }
  double low[3], high[3];
  mote_node_bounds(shape, index, NULL, low, high);
  for (int k = 0; k < 3; ++k) pivot[k] = low[k] + 0.5 * (high[k] - low[k]);
  if (finite3(pivot)) return MOTE_OK;
  copy3(shape->node[index].origin, pivot);
  if (mote_node_is_leaf(shape->node + index)) return MOTE_OK;
  return mote_fail_key(error, "pivot", "a shape without bounds has no middle to be turned or scaled about");
}

static mote_result transform(const mote_shape_def *def, mote_shape *shape, size_t index, mote_error *error) {
  double turn[9], pivot[3] = {0}, axis[3];
  MOTE_TRY(check_size(def->scale, "scale", error));
  MOTE_TRY(check_point(def->move, "move", error));
  if (!sane(def->angle)) return mote_fail_key(error, "angle", "is not a finite angle");
  set_identity(turn);
  if (def->angle != 0.0) {
    MOTE_TRY(direction(def->axis, 3, true, "axis", axis, error));
    if (shape->dimensions == 2 && (axis[0] != 0.0 || axis[1] != 0.0)) {
      return mote_fail_key(error, "axis", "in 2D shapes are turned about z");
    }
    rotation(axis, def->angle, turn);
  }
  if (def->angle != 0.0 || def->scale != 1.0) MOTE_TRY(find_pivot(def, shape, index, pivot, error));
  for (size_t k = index; k < shape->nodes; ++k) {
    move_node(shape->node + k, turn, def->scale, pivot, def->move);
    if (shape->dimensions == 2) shape->node[k].origin[2] = 0.0;
    if (!sane(length3(shape->node[k].origin))) {
      return mote_fail_key(error, "scale", "the shape would reach beyond 1e100");
    }
  }
  return MOTE_OK;
}

// --- Trees -------------------------------------------------------------------------------------------------

static mote_result add_shape(const mote_shape_def *def, mote_shape *shape, int depth, mote_error *error);

static mote_result add_figure(const mote_shape_def *def, mote_shape *shape, size_t index, mote_error *error) {
  MOTE_TRY(check_point(def->centre, "centre", error));
  MOTE_TRY(check_size(def->radius, "radius", error));
  for (size_t k = 0; k < mote_figure_parts(); ++k) {
    mote_shape_def part = mote_figure_part(k, shape->dimensions);
    MOTE_TRY(add_shape(&part, shape, 0, error));
  }
  double turn[9], origin[3] = {0};
  set_identity(turn);
  for (size_t k = index; k < shape->nodes; ++k) {
    move_node(shape->node + k, turn, def->radius, origin, def->centre);
  }
  return MOTE_OK;
}

static mote_result add_parts(const mote_shape_def *def, mote_shape *shape, int depth, mote_error *error) {
  if (!def->part || def->parts == 0) return mote_fail_key(error, "part", "the parts are missing");
  for (size_t k = 0; k < def->parts; ++k) {
    size_t index = shape->nodes;
    mote_result result = add_shape(def->part + k, shape, depth + 1, error);
    if (result) {
      char outer[32];
      snprintf(outer, sizeof outer, "part[%zu]", k);
      return mote_fail_within(error, result, outer);
    }
    if (def->kind == MOTE_SHAPE_DIFFERENCE && k > 0) {
      shape->node[index].inverted = !shape->node[index].inverted;
    }
  }
  return MOTE_OK;
}

static mote_result add_shape(const mote_shape_def *def, mote_shape *shape, int depth, mote_error *error) {
  if (depth > NESTING_DEPTH_MAX)
    return mote_fail_key(error, "part", "shapes are nested more than %d deep", NESTING_DEPTH_MAX);
  size_t index = shape->nodes;
  if (index >= MOST_NODES) return mote_fail_key(error, "part", "there are too many parts");
  MOTE_TRY(mote_reserve(&shape->env, &shape->node, &shape->capacity, index + 1, sizeof *shape->node, error));
  mote_shape_node *node = shape->node + shape->nodes++;
  *node = (mote_shape_node){.kind = def->kind};
  set_identity(node->basis);
  bool joins = def->kind == MOTE_SHAPE_UNION || def->kind == MOTE_SHAPE_DIFFERENCE ||
               def->kind == MOTE_SHAPE_INTERSECTION;
  if (def->kind == MOTE_SHAPE_DIFFERENCE) node->kind = MOTE_SHAPE_INTERSECTION;
  if (def->kind == MOTE_SHAPE_FIGURE) node->kind = MOTE_SHAPE_UNION;
  MOTE_TRY(joins                            ? add_parts(def, shape, depth, error)
           : def->kind == MOTE_SHAPE_FIGURE ? add_figure(def, shape, index, error)
                                            : make_leaf(def, shape, node, error));
  shape->node[index].end = (uint32_t)shape->nodes;
  MOTE_TRY(transform(def, shape, index, error));
  shape->node[index].inverted = def->inverted;
  return MOTE_OK;
}

// A ball around each node, so that unions and differences need not ask all of their parts.
static void find_reach(mote_shape *shape) {
  for (size_t k = 0; k < shape->nodes; ++k) {
    mote_shape_node *node = shape->node + k;
    double low[3], high[3];
    mote_node_bounds_plain(shape, k, NULL, low, high);
    for (int i = 0; i < 3; ++i) node->middle[i] = 0.5 * (low[i] + high[i]);
    node->reach = 0.5 * distance3(low, high) * (1.0 + 1e-12);
    if (!finite3(node->middle) || !isfinite(node->reach)) {
      set3(0.0, 0.0, 0.0, node->middle);
      node->reach = HUGE_VAL;
    }
  }
}

mote_result mote_shape_create(const mote_shape_def *def, int dimensions, const mote_env *env,
                              mote_shape **out, mote_error *error) {
  if (!def || !out) return mote_fail(error, MOTE_ERROR_ARGUMENT, "def and out must not be NULL");
  if (dimensions != 2 && dimensions != 3) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "shapes have 2 or 3 dimensions, not %d", dimensions);
  }
  mote_env resolved = mote_env_resolve(env);
  MOTE_ALLOC_NEW(mote_shape, shape, &resolved, 1, error);
  *shape = (mote_shape){.env = resolved, .dimensions = dimensions};
  mote_result result = add_shape(def, shape, 1, error);
  for (size_t k = 0; k < shape->nodes && !result; ++k) {
    if (shape->node[k].mesh) result = mote_mesh_tree_ready(shape->node[k].mesh, error);
  }
  if (result) {
    mote_shape_destroy(shape);
    return result;
  }
  find_reach(shape);
  mote_shape_note_seams(shape);
  *out = shape;
  return MOTE_OK;
}

void mote_shape_destroy(mote_shape *shape) {
  if (!shape) return;
  mote_env env = shape->env;
  for (size_t k = 0; k < shape->nodes; ++k) mote_mesh_tree_destroy(shape->node[k].mesh);
  mote_free(&env, shape->node, shape->capacity, sizeof *shape->node);
  mote_free(&env, shape, 1, sizeof *shape);
}
