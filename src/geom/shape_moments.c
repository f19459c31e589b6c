// Volume, centre and inertia of shapes: formulas for single shapes, sums of tetrahedra for meshes (Mirtich
// 1996), counted cells for what is joined. Theory: docs/theory/bodies.md
#include <string.h>

#include "geom/mesh_parts.h"
#include "geom/packing.h"

// --- Single shapes: mean squares of the local coordinates about their own middle ----------------------

// The ends of a capsule, whose flat sides are `half` away: mean of (half + z)^2 over half balls or half
// discs.
static double end_square(double half, double middle, double square) {
  return half * half + 2.0 * half * middle + square;
}

static void capsule_squares(const double s[3], int dimensions, double out[3]) {
  double r = s[0], half = s[1], rod, ends, side, end, along;
  if (dimensions == 2) {
    rod = 4.0 * r * half, ends = MOTE_PI * r * r;
    side = r * r / 3.0, end = r * r / 4.0, along = end_square(half, 4.0 * r / (3.0 * MOTE_PI), r * r / 4.0);
  } else {
    rod = 2.0 * MOTE_PI * r * r * half, ends = 4.0 / 3.0 * MOTE_PI * r * r * r;
    side = r * r / 4.0, end = r * r / 5.0, along = end_square(half, 3.0 / 8.0 * r, r * r / 5.0);
  }
  double all = rod + ends, across = (rod * side + ends * end) / all;
  set3(across, dimensions == 2 ? 0.0 : across, (rod * half * half / 3.0 + ends * along) / all, out);
}

// In 2D a torus is a ring, or two discs where its axis lies in the plane.
static void torus_squares(const mote_shape_node *node, int dimensions, double out[3]) {
  double R = node->size[0], r = node->size[1], side = 0.5 * (R * R + 0.75 * r * r);
  if (dimensions == 3) {
    set3(side, side, 0.25 * r * r, out);
  } else if (fabs(node->basis[8]) > 0.5) {
    set3(0.5 * (R * R + r * r), 0.5 * (R * R + r * r), 0.0, out);
  } else {
    set3(R * R + 0.25 * r * r, 0.0, 0.25 * r * r, out);
  }
}

static void mean_squares(const mote_shape_node *node, int dimensions, double out[3]) {
  const double *s = node->size, round = dimensions == 2 ? 0.25 : 0.2;
  set3(0.0, 0.0, 0.0, out);
  switch ((int)node->kind) {
    case MOTE_SHAPE_BOX:
      for (int k = 0; k < dimensions; ++k) out[k] = s[k] * s[k] / 3.0;
      break;
    case MOTE_SHAPE_SPHERE:
      for (int k = 0; k < dimensions; ++k) out[k] = round * s[0] * s[0];
      break;
    case MOTE_SHAPE_ELLIPSOID:
      for (int k = 0; k < dimensions; ++k) out[k] = round * s[k] * s[k];
      break;
    case MOTE_SHAPE_CYLINDER:  // in 2D it has become a box or a disc
      set3(0.25 * s[0] * s[0], 0.25 * s[0] * s[0], s[1] * s[1] / 3.0, out);
      break;
    case MOTE_SHAPE_CAPSULE: capsule_squares(s, dimensions, out); break;
    default: torus_squares(node, dimensions, out);
  }
}

// The second moments about the centre: basis diag(squares) basis^T.
static void single_moments(const mote_shape_node *node, int dimensions, mote_moments *out, double S[9]) {
  const double *f = node->basis;
  double square[3];
  out->volume = mote_primitive_volume(node, dimensions);
  copy3(node->origin, out->centre);
  mean_squares(node, dimensions, square);
  for (int i = 0; i < 9; ++i) {
    const double *a = f + i / 3 * 3, *b = f + i % 3 * 3;
    double sum = a[0] * b[0] * square[0] + a[1] * b[1] * square[1] + a[2] * b[2] * square[2];
    S[i] = out->volume * sum;
  }
}

// --- What is summed about a point near: 1; x, y, z; xx, xy, xz, yy, yz, zz ----------------------------

static void add_tetrahedron(const double a[3], const double b[3], const double c[3], double *m) {
  double n[3], s[3];
  cross3(b, c, n);
  double v = dot3(a, n) / 6.0;
  for (int k = 0; k < 3; ++k) s[k] = a[k] + b[k] + c[k];
  m[0] += v;
  for (int i = 0, k = 4; i < 3; ++i) {
    m[1 + i] += 0.25 * v * s[i];
    for (int j = i; j < 3; ++j, ++k)
      m[k] += 0.05 * v * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + s[i] * s[j]);
  }
}

static void mesh_sums(const mote_mesh *mesh, const double middle[3], double *m) {
  memset(m, 0, MOTE_PACKING_MOMENTS * sizeof *m);
  for (size_t t = 0; t < mesh->triangles; ++t) {
    double x[3][3];
    for (int k = 0; k < 3; ++k) sub3(mesh->vertex + 3 * (size_t)mesh->triangle[3 * t + k], middle, x[k]);
    add_tetrahedron(x[0], x[1], x[2], m);
  }
}

// Moves the moments from `middle` to the centre.
static void summed_moments(const double *m, const double middle[3], mote_moments *out, double S[9]) {
  static const int place[9] = {4, 5, 6, 5, 7, 8, 6, 8, 9};
  double c[3];
  for (int k = 0; k < 3; ++k) c[k] = m[0] > 0.0 ? m[1 + k] / m[0] : 0.0;
  out->volume = m[0];
  step3(middle, 1.0, c, out->centre);
  for (int i = 0; i < 9; ++i) S[i] = m[place[i]] - m[0] * c[i / 3] * c[i % 3];
}

mote_result mote_shape_moments(const mote_shape *shape, mote_moments *out, mote_error *error) {
  if (!shape || !out) return mote_fail(error, MOTE_ERROR_ARGUMENT, "shape and out must not be NULL");
  const mote_shape_node *node = shape->node;
  double low[3], high[3], middle[3], m[MOTE_PACKING_MOMENTS], S[9];
  mote_shape_bounds(shape, low, high);
  if (!finite3(low) || !finite3(high)) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "a shape without bounds has no mass");
  }
  for (int k = 0; k < 3; ++k) middle[k] = 0.5 * (low[k] + high[k]);
  if (node->kind == MOTE_SHAPE_MESH) {
    mesh_sums(mote_mesh_tree_mesh(node->mesh), middle, m);
    summed_moments(m, middle, out, S);
  } else if (mote_node_is_leaf(node)) {
    single_moments(node, shape->dimensions, out, S);
  } else {
    mote_packing_moments(shape, low, high, m);
    summed_moments(m, middle, out, S);
  }
  double trace = S[0] + S[4] + S[8];
  for (int i = 0; i < 9; ++i) out->inertia[i] = (i % 4 == 0 ? trace : 0.0) - S[i];
  if (out->volume > 0.0) return MOTE_OK;
  return mote_fail(error, MOTE_ERROR_ARGUMENT, "a shape without volume has no mass");
}
