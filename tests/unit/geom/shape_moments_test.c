// Volume, centre and inertia: single shapes against sums over many small cells, meshes against the shapes
// that they are, joined shapes against their parts.
#include <mote/mote.h>

#include "shape_kit.h"
#include "test.h"

static mote_moments moments_of(const mote_shape_def *def, int dimensions) {
  mote_shape *shape = kit_shape(def, dimensions);
  mote_moments m = {0};
  CHECK(shape != NULL && mote_shape_moments(shape, &m, NULL) == MOTE_OK);
  mote_shape_destroy(shape);
  return m;
}

// The twin: cells whose middle is inside.
static mote_moments counted(const mote_shape_def *def, int dimensions, int cells) {
  mote_shape *shape = kit_shape(def, dimensions);
  double low[3], high[3], edge[3] = {0.0, 0.0, 1.0}, sum[10] = {0};
  mote_shape_bounds(shape, low, high);
  int depth = dimensions == 3 ? cells : 1;
  for (int k = 0; k < dimensions; ++k) edge[k] = (high[k] - low[k]) / cells;
  double v = edge[0] * edge[1] * edge[2];
  for (int c = 0; c < cells * cells * depth; ++c) {
    int index[3] = {c % cells, c / cells % cells, c / cells / cells};
    double x[3] = {0};
    for (int k = 0; k < dimensions; ++k) x[k] = low[k] + (index[k] + 0.5) * edge[k];
    if (mote_shape_distance(shape, x) > 0.0) continue;
    double square[6] = {x[0] * x[0], x[0] * x[1], x[0] * x[2], x[1] * x[1], x[1] * x[2], x[2] * x[2]};
    sum[0] += v;
    for (int k = 0; k < 3; ++k) sum[1 + k] += v * x[k];
    for (int k = 0; k < 6; ++k) sum[4 + k] += v * square[k];
  }
  mote_shape_destroy(shape);
  mote_moments m = {.volume = sum[0]};
  for (int k = 0; k < 3; ++k) m.centre[k] = sum[1 + k] / sum[0];
  static const int place[9] = {4, 5, 6, 5, 7, 8, 6, 8, 9};
  double S[9];
  for (int i = 0; i < 9; ++i) S[i] = sum[place[i]] - sum[0] * m.centre[i / 3] * m.centre[i % 3];
  for (int i = 0; i < 9; ++i) m.inertia[i] = (i % 4 == 0 ? S[0] + S[4] + S[8] : 0.0) - S[i];
  return m;
}

static void compare(const mote_moments *a, const mote_moments *b, double fraction) {
  CHECK_NEAR(a->volume, b->volume, fraction * b->volume);
  double size = b->inertia[0] + b->inertia[4] + b->inertia[8];
  for (int k = 0; k < 3; ++k) CHECK_NEAR(a->centre[k], b->centre[k], fraction);
  for (int k = 0; k < 9; ++k) CHECK_NEAR(a->inertia[k], b->inertia[k], fraction * size);
}

static void test_single(int dimensions) {
  static const mote_shape_kind kinds[] = {MOTE_SHAPE_BOX,      MOTE_SHAPE_SPHERE,  MOTE_SHAPE_ELLIPSOID,
                                          MOTE_SHAPE_CYLINDER, MOTE_SHAPE_CAPSULE, MOTE_SHAPE_TORUS};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
    mote_shape_def def = kit_single(kinds[k], dimensions);
    mote_moments exact = moments_of(&def, dimensions), twin = counted(&def, dimensions, 120);
    compare(&exact, &twin, 4e-3);
  }
}

static void test_flat_torus(void) {
  mote_shape_def def = kit_single(MOTE_SHAPE_TORUS, 2);
  def.normal[0] = 1.0, def.normal[1] = def.normal[2] = 0.0;  // two discs
  mote_moments exact = moments_of(&def, 2), twin = counted(&def, 2, 400);
  compare(&exact, &twin, 2e-3);
}

// The moments of a box in closed form, and of the same box as a mesh, turned, far from the origin.
static void test_mesh(void) {
  static const uint32_t triangle[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                        2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
  double vertex[24], edge[3] = {1.0, 2.0, 0.5};
  for (int v = 0; v < 8; ++v) {
    for (int k = 0; k < 3; ++k) vertex[3 * v + k] = 1000.0 + (v >> k & 1 ? edge[k] : 0.0);
  }
  mote_shape_def def = mote_shape_def_default(), box;
  def.kind = MOTE_SHAPE_MESH;
  def.mesh = (mote_mesh){vertex, (uint32_t *)(uintptr_t)triangle, 8, 12};
  mote_moments m = moments_of(&def, 3);
  CHECK_NEAR(m.volume, 1.0, 1e-12);
  for (int k = 0; k < 3; ++k) CHECK_NEAR(m.centre[k], 1000.0 + 0.5 * edge[k], 1e-9);
  CHECK_NEAR(m.inertia[0], (4.0 + 0.25) / 12.0, 1e-12);
  CHECK_NEAR(m.inertia[4], (1.0 + 0.25) / 12.0, 1e-12);
  CHECK_NEAR(m.inertia[8], (4.0 + 1.0) / 12.0, 1e-12);
  CHECK_NEAR(m.inertia[1], 0.0, 1e-12);
  box = mote_shape_def_box(1000, 1000, 1000, 1001, 1002, 1000.5);
  def.angle = box.angle = 0.8;
  def.axis[0] = box.axis[0] = 1.0, def.axis[1] = box.axis[1] = -0.4;
  m = moments_of(&def, 3);
  mote_moments same = moments_of(&box, 3);
  CHECK_NEAR(m.volume, same.volume, 1e-12);
  for (int k = 0; k < 3; ++k) CHECK_NEAR(m.centre[k], same.centre[k], 1e-9);
  for (int k = 0; k < 9; ++k) CHECK_NEAR(m.inertia[k], same.inertia[k], 1e-11);
}

// Two boxes side by side are one: volumes are promised to 0.2 %.
static void test_joined(void) {
  mote_shape_def parts[2] = {mote_shape_def_box(0, 0, 0, 1.2, 1, 1), mote_shape_def_box(1, 0, 0, 3, 1, 1)};
  mote_shape_def def = mote_shape_def_default(), whole = mote_shape_def_box(0, 0, 0, 3, 1, 1);
  def.kind = MOTE_SHAPE_UNION, def.part = parts, def.parts = 2;
  for (int dimensions = 2; dimensions <= 3; ++dimensions) {
    mote_moments a = moments_of(&def, dimensions), b = moments_of(&whole, dimensions);
    compare(&a, &b, 2e-3);
  }
}

static void test_refused(void) {
  mote_shape_def def = kit_single(MOTE_SHAPE_HALF_SPACE, 3);
  mote_shape *shape = kit_shape(&def, 3);
  mote_moments m;
  mote_error error = {0};
  CHECK(mote_shape_moments(shape, &m, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.text, "a shape without bounds has no mass");
  CHECK(mote_shape_moments(NULL, &m, NULL) == MOTE_ERROR_ARGUMENT);
  mote_shape_destroy(shape);
}

int main(void) {
  test_single(2);
  test_single(3);
  test_flat_torus();
  test_mesh();
  test_joined();
  test_refused();
  return test_end();
}
