// What is a vessel and what is not, of shapes as scenes have them.
// Links apps/cli/bodies/vessel.c
#include "cli/bodies/vessel.h"

#include <mote/draw.h>

#include "test.h"

static mote_shape_def box(double x0, double y0, double z0, double x1, double y1, double z1) {
  return mote_shape_def_box(x0, y0, z0, x1, y1, z1);
}

static mote_shape_def cylinder(double y0, double y1, double radius) {
  mote_shape_def def = mote_shape_def_default();
  def.kind = MOTE_SHAPE_CYLINDER, def.radius = radius;
  for (int k = 0; k < 3; ++k) def.from[k] = k == 1 ? y0 : 0, def.to[k] = k == 1 ? y1 : 0;
  return def;
}

static bool is_vessel(const mote_shape_def *def) {
  const double low[3] = {-1.6, -1.6, -1.6}, high[3] = {1.6, 1.6, 1.6};
  mote_shape *shape = NULL;
  mote_mesh mesh = {0};
  CHECK(mote_shape_create(def, 3, NULL, &shape, NULL) == MOTE_OK);
  CHECK(mote_shape_triangles(shape, 3, low, high, 40, NULL, &mesh, NULL) == MOTE_OK);
  CHECK(mesh.triangles > 0);
  bool vessel = mesh_is_vessel(&mesh);
  mote_shape_destroy(shape);
  mote_mesh_free(&mesh, NULL);
  return vessel;
}

static bool is_vessel_of(mote_shape_kind kind, mote_shape_def a, mote_shape_def b) {
  const mote_shape_def part[2] = {a, b};
  mote_shape_def def = mote_shape_def_default();
  def.kind = kind, def.part = part, def.parts = 2;
  return is_vessel(&def);
}

static void vessels(void) {
  const mote_shape_kind less = MOTE_SHAPE_DIFFERENCE;
  CHECK(is_vessel_of(less, cylinder(-1, 1, 0.8), cylinder(-0.9, 1.1, 0.7)));                      // cup
  CHECK(is_vessel_of(less, cylinder(-1, 1, 0.8), cylinder(-1.1, 1.1, 0.7)));                      // tube
  CHECK(is_vessel_of(less, box(-1, -0.3, -1, 1, 0.3, 1), box(-0.9, -0.2, -0.9, 0.9, 0.4, 0.9)));  // basin
  mote_shape_def ball = mote_shape_def_sphere(0, 0.5, 0, 1), hollow = mote_shape_def_sphere(0, 0.5, 0, 0.9);
  mote_shape_def lid = box(-1.5, 0.5, -1.5, 1.5, 2, 1.5);
  const mote_shape_def part[3] = {ball, hollow, lid};
  mote_shape_def bowl = mote_shape_def_default();
  bowl.kind = less, bowl.part = part, bowl.parts = 3;
  CHECK(is_vessel(&bowl));
}

static void others(void) {
  const mote_shape_kind less = MOTE_SHAPE_DIFFERENCE, both = MOTE_SHAPE_UNION;
  mote_shape_def post = box(-0.2, -1, -0.2, 0.2, 1, 0.2), ball = mote_shape_def_sphere(0, 0, 0, 1);
  CHECK(!is_vessel(&post) && !is_vessel(&ball));
  CHECK(!is_vessel_of(both, box(-1, -1, -1, 1, -0.5, 1), box(0, -1, -1, 1, 0, 1)));            // steps
  CHECK(!is_vessel_of(both, box(-1, -1, -1, 1, -0.9, 1), box(-1, -1, -1, -0.9, 1, 1)));        // a corner
  CHECK(!is_vessel_of(less, box(-1, -1, -1, 1, 1, 1), box(-0.8, -0.8, -1.1, 0.8, 1.1, 1.1)));  // a channel
  CHECK(!is_vessel_of(less, box(-1, -0.5, -1, 1, 0.5, 1), cylinder(-0.3, 0.6, 0.4)));  // a block with a hole
}

int main(void) {
  vessels();
  others();
  CHECK(!mesh_is_vessel(&(mote_mesh){0}));
  return test_end();
}
