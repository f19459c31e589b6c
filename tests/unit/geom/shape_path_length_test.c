// Ways within a shape: round the tip of a slit, between two legs, along a ring and across its gap, round the
// corner of a mesh, each against its exact length.
#include "geom/shape_tree.h"
#include "geom/triple.h"
#include "mesh_kit.h"
#include "test.h"

#define REACH 2.1  // spacings, which are 1 here
// Of a way with one bend where two are needed, and of what the bend is off the edge in 3D; too short only by
// what straight ways graze.
#define LONGER 0.1
#define SHORTER 0.02

static mote_shape *make(const mote_shape_def *def, int dimensions) {
  mote_shape *shape = NULL;
  mote_error error = {0};
  if (!CHECK(mote_shape_create(def, dimensions, NULL, &shape, &error) == MOTE_OK))
    fprintf(stderr, "%s: %s\n", error.key, error.text);
  return shape;
}

static double way(const mote_shape *shape, double spacing, const double a[3], const double b[3]) {
  double length = distance3(a, b);
  mote_shape_path_lengths(shape, spacing, a, b, 1, REACH * spacing, &length);
  return length / spacing;
}

static void expect(const char *name, const mote_shape *shape, double spacing, const double a[3],
                   const double b[3], double exact) {
  double there = way(shape, spacing, a, b), back = way(shape, spacing, b, a);
  printf("%s: %.4f and back %.4f, exact %.4f\n", name, there, back, exact);
  CHECK(there > exact - SHORTER && there < exact + LONGER);
  CHECK(back > exact - SHORTER && back < exact + LONGER);
}

static void expect_none(const mote_shape *shape, const double a[3], const double b[3]) {
  CHECK(way(shape, 1.0, a, b) == HUGE_VAL && way(shape, 1.0, b, a) == HUGE_VAL);
}

// A cut of 0.12 that ends at x = 0: round its tip there is a way, farther behind there is none.
static void test_slit(int dimensions) {
  mote_shape_def part[2] = {mote_shape_def_box(-4.0, -4.0, -4.0, 4.0, 4.0, 4.0),
                            mote_shape_def_box(-5.0, -0.06, -5.0, 0.0, 0.06, 5.0)};
  mote_shape_def def = mote_shape_def_default();
  def.kind = MOTE_SHAPE_DIFFERENCE, def.part = part, def.parts = 2;
  mote_shape *shape = make(&def, dimensions);
  for (double behind = 0.2; behind < 0.7; behind += 0.2) {
    double a[3] = {-behind, 0.5, 0.0}, b[3] = {-behind, -0.5, 0.0};
    double exact = 2.0 * sqrt(behind * behind + 0.44 * 0.44) + 0.12;
    expect("slit", shape, 1.0, a, b, exact);
    a[0] = 0.4, b[0] = 0.4;
    CHECK(way(shape, 1.0, a, b) == 1.0);
  }
  expect_none(shape, (double[3]){-1.5, 0.5, 0.0}, (double[3]){-1.5, -0.5, 0.0});
  mote_shape_destroy(shape);
}

static void test_legs(void) {
  mote_shape_def part[3] = {mote_shape_def_box(-2.2, -5.0, -1.0, -0.15, 0.0, 1.0),
                            mote_shape_def_box(0.15, -5.0, -1.0, 2.2, 0.0, 1.0),
                            mote_shape_def_box(-2.2, 0.0, -1.0, 2.2, 2.0, 1.0)};
  mote_shape_def def = mote_shape_def_default();
  def.kind = MOTE_SHAPE_UNION, def.part = part, def.parts = 3;
  mote_shape *shape = make(&def, 3);
  for (int k = 1; k < 4; ++k) {
    double a[3] = {-0.6, -1.2 * k, 0.5}, b[3] = {0.6, -1.2 * k, 0.5};
    expect_none(shape, a, b);
  }
  expect("crotch", shape, 1.0, (double[3]){-0.65, -0.4, 0.5}, (double[3]){0.65, -0.4, 0.5},
         2.0 * sqrt(0.41) + 0.3);
  mote_shape_destroy(shape);
}

// A ring from 0.8 to 3 with a gap at its right: along its inner side, and not across the gap.
static void test_ring(void) {
  mote_shape_def part[3] = {mote_shape_def_sphere(0.0, 0.0, 0.0, 3.0),
                            mote_shape_def_sphere(0.0, 0.0, 0.0, 0.8),
                            mote_shape_def_box(0.0, -0.2, -1.0, 4.0, 0.2, 1.0)};
  mote_shape_def def = mote_shape_def_default();
  def.kind = MOTE_SHAPE_DIFFERENCE, def.part = part, def.parts = 3;
  mote_shape *shape = make(&def, 2);
  double half = 45.0 * 3.14159265358979323846 / 180.0, r = 1.1, touch = acos(0.8 / r);
  double exact = 2.0 * (sqrt(r * r - 0.64) + 0.8 * (half - touch));
  expect("ring", shape, 1.0, (double[3]){-r * cos(half), -r * sin(half), 0.0},
         (double[3]){-r * cos(half), r * sin(half), 0.0}, exact);
  expect_none(shape, (double[3]){2.0, -0.6, 0.0}, (double[3]){2.0, 0.6, 0.0});
  mote_shape_destroy(shape);
}

static void test_mesh(void) {
  mote_mesh mesh = kit_corner();
  mote_shape_def def = mote_shape_def_default();
  def.kind = MOTE_SHAPE_MESH, def.mesh = mesh;
  mote_shape *shape = make(&def, 3);
  double a[3] = {1.3, 0.8, 0.5}, b[3] = {0.8, 1.3, 0.5}, spacing = 0.6;
  expect("mesh", shape, spacing, a, b, 2.0 * sqrt(0.13) / spacing);
  mote_shape_destroy(shape);
  kit_free(&mesh);
}

int main(void) {
  test_slit(2);
  test_slit(3);
  test_legs();
  test_ring();
  test_mesh();
  return test_end();
}
