// Sweeps: first contacts against fine marching, walls of any thinness, containers.
#include <mote/mote.h>

#include "mesh_kit.h"
#include "shape_kit.h"
#include "test.h"

static double distance_at(const mote_shape *shape, const double a[3], const double b[3], double t) {
  double x[3];
  for (int k = 0; k < 3; ++k) x[k] = a[k] + t * (b[k] - a[k]);
  return mote_shape_distance(shape, x);
}

// Up to the contact the segment keeps away, and there it touches; without a contact it keeps away all along.
static void check_sweep(const mote_shape *shape, const double a[3], const double b[3], double clearance) {
  double t = mote_shape_sweep(shape, a, b, clearance), end = t <= 1.0 ? t : 1.0;
  enum { STEPS = 50 };
  CHECK((t >= 0.0 && t <= 1.0) || t == 2.0);
  if (t <= 1.0 && t > 0.0) CHECK_NEAR(distance_at(shape, a, b, t), clearance, 1e-9);
  if (t == 0.0) CHECK(distance_at(shape, a, b, 0.0) <= clearance + 1e-9);
  for (int k = 0; k < STEPS && t > 0.0; ++k) {
    // A grazing contact may be missed by 1e-5 of the clearance (docs/theory/shapes.md).
    CHECK(distance_at(shape, a, b, end * k / STEPS) >= clearance * (1.0 - 1e-4) - 1e-9);
  }
}

static void test_kinds(int dimensions) {
  mote_shape_def parts[2] = {kit_single(MOTE_SHAPE_BOX, dimensions),
                             kit_single(MOTE_SHAPE_TORUS, dimensions)};
  for (int kind = MOTE_SHAPE_BOX; kind < MOTE_SHAPE_KINDS; ++kind) {
    if (kind == MOTE_SHAPE_MESH) continue;
    mote_shape_def def = kit_single((mote_shape_kind)kind, dimensions);
    def.part = parts, def.parts = 2;
    if (kind > MOTE_SHAPE_FIGURE) def.angle = 0.0;
    for (int inverted = 0; inverted < 2; ++inverted) {
      def.inverted = inverted;
      mote_shape *shape = kit_shape(&def, dimensions);
      if (!CHECK(shape != NULL)) continue;
      for (uint64_t i = 0; i < 200; ++i) {
        double a[3], b[3];
        kit_point(4, 2 * i, -1.2, 1.2, a);
        kit_point(4, 2 * i + 1, -1.2, 1.2, b);
        if (dimensions == 2) a[2] = b[2] = 0.0;
        check_sweep(shape, a, b, i % 2 ? 0.0 : 0.03);
      }
      mote_shape_destroy(shape);
    }
  }
}

static void test_meshes(void) {
  mote_mesh meshes[3] = {kit_sphere(2), kit_torus(0.7, 0.3, 24, 12), kit_corner()};
  for (int m = 0; m < 3; ++m) {
    mote_shape_def def = mote_shape_def_default();
    def.kind = MOTE_SHAPE_MESH, def.mesh = meshes[m];
    for (int inverted = 0; inverted < 2; ++inverted) {
      def.inverted = inverted;
      mote_shape *shape = kit_shape(&def, 3);
      if (!CHECK(shape != NULL)) continue;
      for (uint64_t i = 0; i < 300; ++i) {
        double a[3], b[3];
        kit_point(6, 2 * i, -1.5, 1.5, a);
        kit_point(6, 2 * i + 1, -1.5, 1.5, b);
        check_sweep(shape, a, b, i % 2 ? 0.0 : 0.05);
      }
      mote_shape_destroy(shape);
    }
    kit_free(meshes + m);
  }
}

// Through a wall of thickness 1e-6: as a box, a mesh, a shell of two balls and one of two boxes.
static void test_thin_walls(void) {
  mote_mesh plate = kit_box(-1, -1, 0, 1, 1, 1e-6);
  mote_shape_def balls[2] = {mote_shape_def_sphere(0, 0, 0, 0.5), mote_shape_def_sphere(0, 0, 0, 0.499999)};
  mote_shape_def boxes[2] = {mote_shape_def_box(-1, -1, 0, 1, 1, 1),
                             mote_shape_def_box(-2, -2, 1e-6, 2, 2, 2)};
  mote_shape_def walls[4] = {mote_shape_def_box(-1, -1, 0, 1, 1, 1e-6), mote_shape_def_default(),
                             mote_shape_def_default(), mote_shape_def_default()};
  walls[1].kind = MOTE_SHAPE_MESH, walls[1].mesh = plate;
  walls[2].kind = MOTE_SHAPE_DIFFERENCE, walls[2].part = balls, walls[2].parts = 2;
  walls[3].kind = MOTE_SHAPE_DIFFERENCE, walls[3].part = boxes, walls[3].parts = 2;
  for (int w = 0; w < 4; ++w) {
    mote_shape *shape = kit_shape(walls + w, 3);
    if (!CHECK(shape != NULL)) continue;
    for (uint64_t i = 0; i < 2000; ++i) {
      double a[3], b[3];
      kit_point(9, 2 * i, -0.9, 0.9, a);
      kit_point(9, 2 * i + 1, -0.9, 0.9, b);
      a[2] = w == 2 ? 0.0 : 3.0, b[2] = w == 2 ? 7.0 : -2.0;
      if (w == 2) a[0] *= 0.3, a[1] *= 0.3;
      double t = mote_shape_sweep(shape, a, b, i % 2 ? 0.0 : 1e-7);
      CHECK(t > 0.0 && t < 1.0);
      if (t < 1.0) CHECK_NEAR(distance_at(shape, a, b, t), i % 2 ? 0.0 : 1e-7, 1e-9);
    }
    mote_shape_destroy(shape);
  }
  kit_free(&plate);
}

// Along a wall, at exactly the clearance and a hair farther: parallel flight ends at once and never hangs.
static void test_parallel(void) {
  mote_shape_def def = mote_shape_def_box(0, 0, 0, 1, 1, 1);
  mote_shape *shape = kit_shape(&def, 3);
  double a[3] = {-5, 0.5, 1.1}, b[3] = {5, 0.5, 1.1};
  CHECK(mote_shape_sweep(shape, a, b, 0.099999999) == 2.0);
  CHECK(mote_shape_sweep(shape, a, b, 0.100000001) < 1.0);
  mote_shape_destroy(shape);
}

static void test_ends(void) {
  mote_shape_def def = mote_shape_def_sphere(0, 0, 0, 1);
  mote_shape *shape = kit_shape(&def, 3);
  double out[3] = {2, 0, 0}, in[3] = {0.5, 0, 0}, bad[3] = {(double)NAN, 0, 0};
  CHECK(mote_shape_sweep(shape, out, out, 0.0) == 2.0);
  CHECK(mote_shape_sweep(shape, in, in, 0.0) == 0.0);
  CHECK(mote_shape_sweep(shape, in, out, 0.0) == 0.0);
  CHECK(mote_shape_sweep(shape, bad, out, 0.0) == 0.0);
  CHECK(mote_shape_sweep(shape, out, bad, 0.0) == 0.0);
  CHECK_NEAR(mote_shape_sweep(shape, out, in, 0.25), 0.5, 1e-12);
  mote_shape_destroy(shape);
}

int main(void) {
  test_kinds(2);
  test_kinds(3);
  test_meshes();
  test_thin_walls();
  test_parallel();
  test_ends();
  return test_end();
}
