// Many bodies of one definition: whole, apart from each other, by chance, the same every time; what cannot be
// is refused with its key.
#include <math.h>
#include <mote/world.h>
#include <string.h>

#include "test.h"

static mote_body_def brick(void) {
  mote_body_def def = mote_body_def_default();
  def.name = "brick", def.material = "stone";
  def.shape = mote_shape_def_box(0.3, 0.4, 0.5, 0.36, 0.44, 0.52);
  return def;
}

static mote_copies_def in_box(double size) {
  mote_copies_def copies = mote_copies_def_default();
  copies.within = mote_shape_def_box(0.0, 0.0, 0.0, size, size, size);
  return copies;
}

static void bounds_of(const mote_shape_def *def, int dimensions, double low[3], double high[3],
                      double *volume) {
  mote_shape *shape = NULL;
  CHECK(mote_shape_create(def, dimensions, NULL, &shape, NULL) == MOTE_OK);
  mote_shape_bounds(shape, low, high);
  CHECK(mote_shape_volume(shape, volume, NULL) == MOTE_OK);
  mote_shape_destroy(shape);
}

// The world refuses what overlaps.
static void check_apart(const mote_body_list *list) {
  mote_world_def def = mote_world_def_default();
  mote_world *world = NULL;
  mote_material_def stone = mote_material_def_default();
  def.spacing = 0.01;
  stone.name = "stone", stone.model = MOTE_KIND_RIGID;
  CHECK(mote_world_create(&def, NULL, &world, NULL) == MOTE_OK);
  CHECK(mote_world_add_material(world, &stone, NULL, NULL) == MOTE_OK);
  for (size_t k = 0; k < list->count; ++k)
    CHECK(mote_world_add_body(world, &list->body[k], NULL, NULL) == MOTE_OK);
  CHECK(mote_world_rigid_bodies(world) == list->count);
  mote_world_destroy(world);
}

static void test_strewn(void) {
  mote_body_def def = brick();
  mote_copies_def copies = in_box(0.8);
  mote_body_list list, again;
  copies.size[0] = 0.6, copies.size[1] = 1.0, copies.apart = 0.08;
  CHECK(mote_body_copies(&def, &copies, 3, 7, NULL, &list, NULL) == MOTE_OK);
  CHECK(mote_body_copies(&def, &copies, 3, 7, NULL, &again, NULL) == MOTE_OK);
  CHECK(list.count == 1000 && again.count == 1000);
  double mean = 0.0, least = HUGE_VAL, most = 0.0;
  for (size_t k = 0; k < list.count; ++k) {
    double low[3], high[3], volume;
    bounds_of(&list.body[k].shape, 3, low, high, &volume);
    for (int a = 0; a < 3; ++a) CHECK(low[a] > -1e-12 && high[a] < 0.8 + 1e-12);
    double size = cbrt(volume / (0.06 * 0.04 * 0.02)), c = cos(list.body[k].shape.angle);
    double x = list.body[k].shape.axis[0];
    mean += c + (1.0 - c) * x * x;  // the first number of the rotation
    least = fmin(least, size), most = fmax(most, size);
    CHECK(memcmp(list.body[k].shape.move, again.body[k].shape.move, sizeof again.body[k].shape.move) == 0);
  }
  CHECK(least > 0.6 - 1e-9 && least < 0.61 && most < 1.0 + 1e-9 && most > 0.99);
  CHECK_NEAR(mean / 1000.0, 0.0, 0.06);  // 3 standard deviations of the mean of 1000 even attitudes
  CHECK_TEXT(list.body[0].name, "brick-1");
  CHECK_TEXT(list.body[999].name, "brick-1000");
  check_apart(&list);
  mote_body_list_free(&again, NULL);
  CHECK(mote_body_copies(&def, &copies, 3, 8, NULL, &again, NULL) == MOTE_OK);  // another seed
  CHECK(memcmp(list.body[5].shape.move, again.body[5].shape.move, sizeof again.body[5].shape.move) != 0);
  mote_body_list_free(&list, NULL), mote_body_list_free(&again, NULL);
}

// Where they stand as the shape does, they fill the region, from below; its own scale and rotation stay.
static void test_stacked(void) {
  mote_body_def def = brick();
  mote_copies_def copies = in_box(0.12);
  mote_body_list list;
  double low[3], high[3], own_low[3], own_high[3], volume, own_volume;
  def.shape.scale = 0.5, def.shape.axis[2] = 1.0, def.shape.angle = 1.5707963267948966;  // 0.02 x 0.03 x 0.01
  def.shape.pivot[0] = 3.0, def.shape.pivot[1] = -1.0, def.shape.pivot[2] = 0.0, def.shape.move[1] = 5.0;
  bounds_of(&def.shape, 3, own_low, own_high, &own_volume);
  copies.turned = false;
  CHECK(mote_body_copies(&def, &copies, 3, 1, NULL, &list, NULL) == MOTE_OK);
  CHECK(list.count == 6 * 4 * 12);
  for (size_t k = 0; k < list.count; ++k) {
    bounds_of(&list.body[k].shape, 3, low, high, &volume);
    CHECK_NEAR(volume, own_volume, 1e-12 * own_volume);
    for (int a = 0; a < 3; ++a) CHECK_NEAR(high[a] - low[a], own_high[a] - own_low[a], 1e-12);
    if (k < 6 * 12) CHECK_NEAR(low[1], 0.0, 1e-9);
  }
  mote_body_list_free(&list, NULL);
  copies.count = 10;
  CHECK(mote_body_copies(&def, &copies, 3, 1, NULL, &list, NULL) == MOTE_OK && list.count == 10);
  mote_body_list_free(&list, NULL);
}

static void test_flat(void) {
  mote_body_def def = brick();
  mote_copies_def copies = in_box(1.0);
  mote_body_list list;
  def.shape = mote_shape_def_sphere(3.0, 2.0, 0.0, 0.05);
  CHECK(mote_body_copies(&def, &copies, 2, 1, NULL, &list, NULL) == MOTE_OK);
  CHECK(list.count == 100);
  for (size_t k = 0; k < list.count; ++k) {
    CHECK(list.body[k].shape.move[2] == 0.0 && list.body[k].shape.axis[0] == 0.0 &&
          list.body[k].shape.axis[1] == 0.0);
  }
  mote_body_list_free(&list, NULL);
}

static void refuse(const mote_body_def *def, const mote_copies_def *copies, const char *key,
                   const char *text) {
  mote_error error = {0};
  mote_body_list list;
  CHECK(mote_body_copies(def, copies, 3, 1, NULL, &list, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, key);
  CHECK(strstr(error.text, text) != NULL);
  CHECK(list.count == 0 && list.body == NULL);
}

static void test_refused(void) {
  mote_body_def def = brick();
  mote_copies_def copies = in_box(0.2);
  copies.count = 1000;
  refuse(&def, &copies, "copies.count", "only 8 of 1000 pieces fit");
  copies.count = 0;
  refuse(&def, &copies, "copies.count", "0 is not at least 1");
  copies = in_box(0.2), copies.apart = 0.07;
  refuse(&def, &copies, "copies.apart", "could overlap");
  copies = in_box(0.05);
  refuse(&def, &copies, "copies.within", "no piece fits");
  copies = in_box(0.2), copies.within.inverted = true;
  refuse(&def, &copies, "copies.within", "no bounds");
  copies = in_box(1000.0);
  refuse(&def, &copies, "copies.within", "more than 200000");
  copies = in_box(0.2), copies.size[0] = 2.0;
  refuse(&def, &copies, "copies.size", "ascending");
  copies = in_box(0.2), copies.jitter = 2.0;
  refuse(&def, &copies, "copies.jitter", "between 0 and 1");
  copies = in_box(0.2), def.hinge.point[0] = def.hinge.point[1] = def.hinge.point[2] = 0.0;
  refuse(&def, &copies, "hinge", "the same one");
  def = brick(), def.name = "a-name-of-thirty-one-characters";
  refuse(&def, &copies, "name", "too long");
  def = brick(), def.shape.kind = MOTE_SHAPE_HALF_SPACE;
  refuse(&def, &copies, "shape", "bounded shape");
}

// A region of two parts far from each other: the same pieces as in the near one, then those in the far one.
static void test_far_parts(void) {
  mote_body_def def = brick();
  mote_copies_def near = in_box(0.4), far = near;
  mote_shape_def part[2] = {near.within, mote_shape_def_box(1e4, 1e4, 1e4, 1e4 + 0.4, 1e4 + 0.4, 1e4 + 0.4)};
  mote_body_list a, b;
  mote_error error = {0};
  far.within = mote_shape_def_default();
  far.within.kind = MOTE_SHAPE_UNION, far.within.part = part, far.within.parts = 2;
  near.turned = far.turned = false, near.jitter = far.jitter = 0.0;
  near.apart = far.apart = 0.08;
  CHECK(mote_body_copies(&def, &near, 3, 7, NULL, &a, NULL) == MOTE_OK);
  CHECK(mote_body_copies(&def, &far, 3, 7, NULL, &b, NULL) == MOTE_OK);
  CHECK(a.count == 125 && b.count >= 189 && b.count <= 250);
  mote_body_list_free(&a, NULL);
  mote_body_list_free(&b, NULL);
  // What has no parts and is nearly nowhere in its bounds is refused, in time.
  far.within = mote_shape_def_default();
  far.within.kind = MOTE_SHAPE_TORUS, far.within.radius = 1e3, far.within.thickness = 0.05;
  far.within.normal[0] = 0.0, far.within.normal[1] = 1.0, far.within.normal[2] = 0.0;
  CHECK(mote_body_copies(&def, &far, 3, 7, NULL, &b, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, "copies.within");
  CHECK(strstr(error.text, "too large for pieces") != NULL);
}

int main(void) {
  test_strewn();
  test_stacked();
  test_flat();
  test_refused();
  test_far_parts();
  return test_end();
}
