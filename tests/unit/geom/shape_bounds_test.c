// Bounds and volumes of trees, inverted and half infinite shapes.
#include <mote/mote.h>

#include "geom/triple.h"
#include "shape_kit.h"
#include "test.h"

static double volume_of(const mote_shape_def *def, int dimensions) {
  mote_shape *shape = kit_shape(def, dimensions);
  double volume = -1.0;
  CHECK(mote_shape_volume(shape, &volume, NULL) == MOTE_OK);
  mote_shape_destroy(shape);
  return volume;
}

static mote_shape_def join(mote_shape_kind kind, const mote_shape_def parts[2]) {
  mote_shape_def def = mote_shape_def_default();
  def.kind = kind, def.part = parts, def.parts = 2;
  def.angle = 0.4;
  return def;
}

static void test_joined_volumes(void) {
  const double pi = 3.14159265358979323846;
  mote_shape_def boxes[2] = {mote_shape_def_box(0, 0, 0, 1, 1, 1), mote_shape_def_box(0.5, 0, 0, 2, 1, 0.5)};
  mote_shape_def def = join(MOTE_SHAPE_UNION, boxes);
  CHECK_NEAR(volume_of(&def, 3), 1.5, 0.002 * 1.5);
  CHECK_NEAR(volume_of(&def, 2), 2.0, 0.002 * 2.0);
  def.kind = MOTE_SHAPE_DIFFERENCE;
  CHECK_NEAR(volume_of(&def, 3), 0.75, 0.002 * 0.75);
  def.kind = MOTE_SHAPE_INTERSECTION;
  CHECK_NEAR(volume_of(&def, 3), 0.25, 0.002 * 0.25);
  // A thin shell: what remains is a seventh of the ball.
  mote_shape_def balls[2] = {mote_shape_def_sphere(0, 0, 0, 1), mote_shape_def_sphere(0, 0, 0, 0.95)};
  def = join(MOTE_SHAPE_DIFFERENCE, balls);
  double shell = 4.0 / 3.0 * pi * (1.0 - 0.95 * 0.95 * 0.95);
  CHECK_NEAR(volume_of(&def, 3), shell, 0.002 * shell);
  balls[1].radius = 2.0;
  CHECK_NEAR(volume_of(&def, 3), 0.0, 0.0);  // nothing is left
}

static void test_infinite(void) {
  double low[3], high[3], volume;
  mote_shape_def def = mote_shape_def_sphere(0, 0, 0, 1);
  def.inverted = true;
  mote_shape *shape = kit_shape(&def, 3);
  mote_shape_bounds(shape, low, high);
  CHECK(isinf(low[0]) && isinf(high[2]));
  CHECK(mote_shape_volume(shape, &volume, NULL) == MOTE_OK && isinf(volume));
  mote_shape_destroy(shape);
  def = mote_shape_def_default();
  def.kind = MOTE_SHAPE_HALF_SPACE;
  def.centre[2] = 0.25;
  shape = kit_shape(&def, 3);
  mote_shape_bounds(shape, low, high);
  CHECK(isinf(low[2]) && high[2] == 0.25 && isinf(high[0]));
  mote_shape_destroy(shape);
  def.inverted = true;
  shape = kit_shape(&def, 3);
  mote_shape_bounds(shape, low, high);
  CHECK(low[2] == 0.25 && isinf(high[2]));
  mote_shape_destroy(shape);
}

// A box without its inside: bounded although a part is not.
static void test_bounded_intersection(void) {
  mote_shape_def parts[2] = {mote_shape_def_box(0, 0, 0, 1, 1, 1), mote_shape_def_box(0, 0, 0.5, 1, 1, 1)};
  parts[1].inverted = true;
  mote_shape_def def = join(MOTE_SHAPE_INTERSECTION, parts);
  CHECK_NEAR(volume_of(&def, 3), 0.5, 0.001);
}

// A mesh keeps its triangles, and goes where its shape does.
static void test_mesh(void) {
  double vertex[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, far = -1.0;
  uint32_t triangle[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  mote_shape_def def = mote_shape_def_default(), sphere = mote_shape_def_sphere(0, 0, 0, 1);
  def.kind = MOTE_SHAPE_MESH;
  def.mesh = (mote_mesh){.vertices = 4, .triangles = 4, .vertex = vertex, .triangle = triangle};
  def.scale = 2.0, def.move[0] = 5.0, def.angle = 0.7;
  def.axis[0] = 1.0, def.axis[1] = def.axis[2] = 0.0;
  for (int k = 0; k < 3; ++k) def.pivot[k] = 0.0;
  mote_shape *shape = kit_shape(&def, 3), *ball = kit_shape(&sphere, 3);
  const mote_mesh *mesh = mote_shape_mesh(shape);
  if (CHECK(mesh != NULL && mesh->triangles == 4 && mesh->vertices == 4)) {
    for (size_t v = 0; v < 4; ++v) far = fmax(far, mesh->vertex[3 * v]);
    CHECK_NEAR(far, 7.0, 1e-12);
    for (size_t v = 0; v < 4; ++v) {
      double x[3], least = HUGE_VAL;
      mote_shape_mesh_point(shape, vertex + 3 * v, x);
      for (size_t w = 0; w < 4; ++w) least = fmin(least, distance3(x, mesh->vertex + 3 * w));
      CHECK(least < 1e-14);
    }
  }
  CHECK(mote_shape_mesh(ball) == NULL);
  mote_shape_destroy(shape);
  mote_shape_destroy(ball);
}

int main(void) {
  test_mesh();
  test_joined_volumes();
  test_infinite();
  test_bounded_intersection();
  CHECK(mote_shape_volume(NULL, NULL, NULL) == MOTE_ERROR_ARGUMENT);
  return test_end();
}
