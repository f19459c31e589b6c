// Definitions: what is refused and which member is named; transforms; names.
#include <mote/mote.h>
#include <stdint.h>

#include "shape_kit.h"
#include "stingy.h"
#include "test.h"

static void refuses(const mote_shape_def *def, int dimensions, const char *key) {
  mote_error error = {0};
  mote_shape *shape = NULL;
  CHECK(mote_shape_create(def, dimensions, NULL, &shape, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, key);
  CHECK(error.text[0] != '\0');
  CHECK(shape == NULL);
}

static void test_refusals(void) {
  mote_shape_def def = mote_shape_def_default();
  refuses(&def, 3, "kind");
  def.kind = (mote_shape_kind)99;
  refuses(&def, 3, "kind");
  def = mote_shape_def_box(0, 0, 0, 1, -1, 1);
  refuses(&def, 3, "high");
  def = mote_shape_def_box(0, 0, 0, 1, (double)NAN, 1);
  refuses(&def, 3, "high");
  def = mote_shape_def_sphere(0, 0, 0, 0);
  refuses(&def, 3, "radius");
  def = mote_shape_def_sphere(0, HUGE_VAL, 0, 1);
  refuses(&def, 2, "centre");
  def = kit_single(MOTE_SHAPE_ELLIPSOID, 3);
  def.radii[1] = -1;
  refuses(&def, 3, "radii");
  def = kit_single(MOTE_SHAPE_CYLINDER, 3);
  for (int k = 0; k < 3; ++k) def.to[k] = def.from[k];
  refuses(&def, 3, "to");
  def = kit_single(MOTE_SHAPE_TORUS, 3);
  def.thickness = 0.7;
  refuses(&def, 3, "thickness");
  def = kit_single(MOTE_SHAPE_HALF_SPACE, 3);
  def.normal[0] = def.normal[1] = def.normal[2] = 0;
  refuses(&def, 3, "normal");
  def = mote_shape_def_sphere(0, 0, 0, 1);
  def.scale = 0;
  refuses(&def, 3, "scale");
  def.scale = 1;
  def.angle = (double)NAN;
  refuses(&def, 3, "angle");
  def.angle = 1;
  def.axis[2] = 0;
  refuses(&def, 3, "axis");
  def.axis[0] = 1;
  refuses(&def, 2, "axis");
  def.angle = 0;
  def.move[1] = HUGE_VAL;
  refuses(&def, 3, "move");
}

static void test_refusals_2d(void) {
  mote_shape_def def = kit_single(MOTE_SHAPE_CAPSULE, 2);
  def.to[2] = 0.5;
  refuses(&def, 2, "to");
  def = kit_single(MOTE_SHAPE_HALF_SPACE, 2);
  def.normal[2] = 1;
  refuses(&def, 2, "normal");
  def = kit_single(MOTE_SHAPE_MESH, 2);
  refuses(&def, 2, "mesh");
}

static void test_parts(void) {
  mote_shape_def parts[2] = {mote_shape_def_sphere(0, 0, 0, 1), mote_shape_def_sphere(0, 0, 0, -1)};
  mote_shape_def def = mote_shape_def_default();
  def.kind = MOTE_SHAPE_UNION;
  refuses(&def, 3, "part");
  def.part = parts, def.parts = 2;
  refuses(&def, 3, "part[1].radius");
  mote_shape_def outer = mote_shape_def_default();
  outer.kind = MOTE_SHAPE_DIFFERENCE, outer.part = &def, outer.parts = 1;
  refuses(&outer, 3, "part[0].part[1].radius");
  // A definition that is part of itself ends at the depth allowed.
  def.part = &def, def.parts = 1;
  mote_error error;
  mote_shape *shape = NULL;
  CHECK(mote_shape_create(&def, 3, NULL, &shape, &error) == MOTE_ERROR_ARGUMENT);
  def.parts = 2;
  mote_shape_def twice[2] = {def, def};
  twice[0].part = twice[1].part = twice;
  CHECK(mote_shape_create(twice, 3, NULL, &shape, &error) == MOTE_ERROR_ARGUMENT);
}

static void test_unbounded_pivot(void) {
  mote_shape_def part = kit_single(MOTE_SHAPE_HALF_SPACE, 3), def = mote_shape_def_default();
  def.kind = MOTE_SHAPE_UNION, def.part = &part, def.parts = 1;
  def.angle = 0.5;
  refuses(&def, 3, "pivot");
  def.pivot[0] = def.pivot[1] = def.pivot[2] = 0.0;
  mote_shape *shape = kit_shape(&def, 3);
  CHECK(shape != NULL);
  mote_shape_destroy(shape);
}

static void test_nulls(void) {
  mote_shape_def def = mote_shape_def_sphere(0, 0, 0, 1);
  mote_shape *shape = NULL;
  CHECK(mote_shape_create(NULL, 3, NULL, &shape, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_shape_create(&def, 3, NULL, NULL, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_shape_create(&def, 1, NULL, &shape, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_shape_create(&def, 4, NULL, &shape, NULL) == MOTE_ERROR_ARGUMENT);
  mote_shape_destroy(NULL);
}

// A box from (0,0,0) to (2,1,1), doubled and turned by a right angle about a corner, then moved.
static void test_transform(void) {
  mote_shape_def def = mote_shape_def_box(0, 0, 0, 2, 1, 1);
  def.scale = 2, def.angle = 1.5707963267948966;
  def.pivot[0] = def.pivot[1] = def.pivot[2] = 0.0;
  def.move[0] = 10;
  mote_shape *shape = kit_shape(&def, 3);
  double low[3], high[3];
  mote_shape_bounds(shape, low, high);
  const double expect_low[3] = {8, 0, 0}, expect_high[3] = {10, 4, 2};
  for (int k = 0; k < 3; ++k) {
    CHECK_NEAR(low[k], expect_low[k], 1e-12);
    CHECK_NEAR(high[k], expect_high[k], 1e-12);
  }
  mote_shape_destroy(shape);
  def.pivot[0] = def.pivot[1] = def.pivot[2] = (double)NAN;  // about the middle (1, 0.5, 0.5)
  shape = kit_shape(&def, 3);
  mote_shape_bounds(shape, low, high);
  const double middle_low[3] = {10, -1.5, -0.5}, middle_high[3] = {12, 2.5, 1.5};
  for (int k = 0; k < 3; ++k) {
    CHECK_NEAR(low[k], middle_low[k], 1e-12);
    CHECK_NEAR(high[k], middle_high[k], 1e-12);
  }
  mote_shape_destroy(shape);
}

static void count_notes(void *user, mote_log_level level, const char *text) {
  CHECK(level == MOTE_LOG_WARNING && strstr(text, "overlap") != NULL);
  ++*(int *)user;
}

// Boxes of a union that only touch are spoken of; those that overlap, or meet in an edge, are not.
static void test_seams(void) {
  const double from[4] = {1.0, 0.9, 1.1, 1.0};
  for (int k = 0; k < 4; ++k) {
    mote_shape_def parts[2] = {mote_shape_def_box(0, 0, 0, 1, 1, 1),
                               mote_shape_def_box(from[k], 0, 0, 2, 1, 1)};
    mote_shape_def def = mote_shape_def_default();
    if (k == 3) parts[1].low[1] = 1.0, parts[1].high[1] = 2.0;
    def.kind = MOTE_SHAPE_UNION, def.part = parts, def.parts = 2, def.angle = 0.3;
    int notes = 0;
    mote_env env = mote_env_default();
    env.log = count_notes, env.log_user = &notes;
    mote_shape *shape = NULL;
    CHECK(mote_shape_create(&def, 3, &env, &shape, NULL) == MOTE_OK);
    CHECK(notes == (k == 0));
    mote_shape_destroy(shape);
  }
}

static void test_memory(void) {
  mote_shape_def parts[2] = {mote_shape_def_sphere(0, 0, 0, 1), kit_single(MOTE_SHAPE_FIGURE, 3)};
  mote_shape_def def = mote_shape_def_default();
  def.kind = MOTE_SHAPE_UNION, def.part = parts, def.parts = 2;
  for (int granted = 0; granted < 40; ++granted) {
    stingy s;
    mote_env env = stingy_env(&s, granted);
    mote_shape *shape = NULL;
    mote_error error;
    mote_result result = mote_shape_create(&def, 3, &env, &shape, &error);
    CHECK(result == MOTE_OK || result == MOTE_ERROR_MEMORY);
    if (!result) mote_shape_destroy(shape);
    CHECK(s.held == 0);
    if (!result) break;
  }
}

int main(void) {
  CHECK_TEXT(mote_shape_kind_name(MOTE_SHAPE_BOX), "box");
  CHECK_TEXT(mote_shape_kind_name(MOTE_SHAPE_NONE), "none");
  CHECK_TEXT(mote_shape_kind_name(MOTE_SHAPE_INTERSECTION), "intersection");
  CHECK_TEXT(mote_shape_kind_name((mote_shape_kind)-1), "?");
  test_refusals();
  test_refusals_2d();
  test_parts();
  test_unbounded_pivot();
  test_nulls();
  test_transform();
  test_seams();
  test_memory();
  return test_end();
}
