// Exact signed distances of the single shapes in their own bases, with gradients; extents and volumes.
// In 2D all points have z = 0 in the world; cylinders, capsules and tori lie in the plane or stand on it, and
// their bases have local x in the plane, so the formulas of 3D give the distances of the sections.
#include "geom/shape_tree.h"

mote_shape_def mote_shape_def_default(void) {
  return (mote_shape_def){.high = {1.0, 1.0, 1.0},
                          .normal = {0.0, 0.0, 1.0},
                          .to = {0.0, 0.0, 1.0},
                          .radius = 1.0,
                          .thickness = 0.25,
                          .radii = {1.0, 1.0, 1.0},
                          .scale = 1.0,
                          .axis = {0.0, 0.0, 1.0},
                          .pivot = {(double)NAN, (double)NAN, (double)NAN}};
}

// From the distance `rho` to the axis and the unit vector away from it; local x on the axis itself.
static double away_from_axis(const double y[3], double out[3]) {
  double rho = sqrt(y[0] * y[0] + y[1] * y[1]);
  if (rho > 0.0) {
    set3(y[0] / rho, y[1] / rho, 0.0, out);
  } else {
    set3(1.0, 0.0, 0.0, out);
  }
  return rho;
}

static double ball(const double y[3], double radius, double normal[3]) {
  double r = length3(y);
  if (normal && r > 0.0) set3(y[0] / r, y[1] / r, y[2] / r, normal);
  if (normal && !(r > 0.0)) set3(1.0, 0.0, 0.0, normal);
  return r - radius;
}

static double box(const double y[3], const double half[3], double normal[3]) {
  double q[3], out[3], square = 0.0;
  int most = 0;
  for (int k = 0; k < 3; ++k) {
    q[k] = fabs(y[k]) - half[k];
    out[k] = max2(q[k], 0.0);
    square += out[k] * out[k];
    if (q[k] > q[most]) most = k;
  }
  double d = sqrt(square);
  if (normal && d > 0.0) {
    for (int k = 0; k < 3; ++k) normal[k] = copysign(out[k] / d, y[k]);
  } else if (normal) {
    for (int k = 0; k < 3; ++k) normal[k] = k == most ? copysign(1.0, y[k]) : 0.0;
  }
  return d > 0.0 ? d : q[most];
}

static double cylinder(const double y[3], const double size[3], double normal[3]) {
  double away[3], flat[3] = {0}, n[3];
  flat[0] = away_from_axis(y, away);
  flat[1] = y[2];
  double d = box(flat, (const double[3]){size[0], size[1], HUGE_VAL}, n);
  if (normal) set3(n[0] * away[0], n[0] * away[1], n[1], normal);
  return d;
}

static double capsule(const double y[3], const double size[3], double normal[3]) {
  double z = max2(-size[1], min2(size[1], y[2]));
  return ball((const double[3]){y[0], y[1], y[2] - z}, size[0], normal);
}

static double torus(const double y[3], const double size[3], double normal[3]) {
  double away[3], rho = away_from_axis(y, away), n[3];
  double d = ball((const double[3]){rho - size[0], y[2], 0.0}, size[1], n);
  if (normal) set3(n[0] * away[0], n[0] * away[1], n[1], normal);
  return d;
}

double mote_primitive_distance(const mote_shape_node *node, int dimensions, const double y[3],
                               double normal[3]) {
  MOTE_ASSERT(dimensions == 2 || dimensions == 3);
  MOTE_ASSERT(mote_node_is_leaf(node));
  switch ((int)node->kind) {
    case MOTE_SHAPE_BOX: return box(y, node->size, normal);
    case MOTE_SHAPE_SPHERE: return ball(y, node->size[0], normal);
    case MOTE_SHAPE_ELLIPSOID: return mote_ellipsoid_distance(dimensions, node->size, y, normal);
    case MOTE_SHAPE_CYLINDER: return cylinder(y, node->size, normal);
    case MOTE_SHAPE_CAPSULE: return capsule(y, node->size, normal);
    case MOTE_SHAPE_TORUS: return torus(y, node->size, normal);
    default:  // half space
      if (normal) set3(0.0, 0.0, 1.0, normal);
      return y[2];
  }
}

static double volume_2d(const mote_shape_node *node) {
  const double *s = node->size;
  switch ((int)node->kind) {
    case MOTE_SHAPE_BOX: return 4.0 * s[0] * s[1];
    case MOTE_SHAPE_SPHERE: return MOTE_PI * s[0] * s[0];
    case MOTE_SHAPE_ELLIPSOID: return MOTE_PI * s[0] * s[1];
    case MOTE_SHAPE_CYLINDER: return 4.0 * s[0] * s[1];
    case MOTE_SHAPE_CAPSULE: return s[0] * (4.0 * s[1] + MOTE_PI * s[0]);
    case MOTE_SHAPE_TORUS:  // a ring, or two discs where its axis lies in the plane
      return fabs(node->basis[8]) > 0.5 ? 4.0 * MOTE_PI * s[0] * s[1] : 2.0 * MOTE_PI * s[1] * s[1];
    default: return HUGE_VAL;
  }
}

double mote_primitive_volume(const mote_shape_node *node, int dimensions) {
  MOTE_ASSERT(dimensions == 2 || dimensions == 3);
  const double *s = node->size;
  if (dimensions == 2) return volume_2d(node);
  switch ((int)node->kind) {
    case MOTE_SHAPE_BOX: return 8.0 * s[0] * s[1] * s[2];
    case MOTE_SHAPE_SPHERE: return 4.0 / 3.0 * MOTE_PI * s[0] * s[0] * s[0];
    case MOTE_SHAPE_ELLIPSOID: return 4.0 / 3.0 * MOTE_PI * s[0] * s[1] * s[2];
    case MOTE_SHAPE_CYLINDER: return 2.0 * MOTE_PI * s[0] * s[0] * s[1];
    case MOTE_SHAPE_CAPSULE: return MOTE_PI * s[0] * s[0] * (2.0 * s[1] + 4.0 / 3.0 * s[0]);
    case MOTE_SHAPE_TORUS: return 2.0 * MOTE_PI * MOTE_PI * s[0] * s[1] * s[1];
    case MOTE_SHAPE_MESH: return mote_mesh_tree_volume(node->mesh);
    default: return HUGE_VAL;
  }
}

void mote_primitive_extent(const mote_shape_node *node, double extent[3]) {
  MOTE_ASSERT(mote_node_is_leaf(node));
  const double *s = node->size;
  for (int i = 0; i < 3; ++i) {
    const double *f = node->basis + 3 * i;  // f[k]: how much the local axis k lies along i
    double along = fabs(f[2]), across = sqrt(f[0] * f[0] + f[1] * f[1]), sum = 0.0;
    switch ((int)node->kind) {
      case MOTE_SHAPE_BOX:
        for (int k = 0; k < 3; ++k) sum += f[k] == 0.0 ? 0.0 : fabs(f[k]) * s[k];
        extent[i] = sum;
        break;
      case MOTE_SHAPE_SPHERE: extent[i] = s[0]; break;
      case MOTE_SHAPE_ELLIPSOID:
        for (int k = 0; k < 3; ++k) sum += (f[k] * s[k]) * (f[k] * s[k]);
        extent[i] = sqrt(sum);
        break;
      case MOTE_SHAPE_CYLINDER: extent[i] = along * s[1] + across * s[0]; break;
      case MOTE_SHAPE_CAPSULE: extent[i] = along * s[1] + s[0]; break;
      case MOTE_SHAPE_TORUS: extent[i] = across * s[0] + s[1]; break;
      default: extent[i] = HUGE_VAL;
    }
  }
}
