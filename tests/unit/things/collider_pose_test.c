// Poses by definition: the same as the world's own at that time, whatever the motion.
#include <math.h>
#include <mote/world.h>

#include "stingy.h"
#include "test.h"

// A box that slides and turns about its middle.
static mote_collider_def paddle(void) {
  mote_collider_def def = mote_collider_def_default();
  def.name = "paddle";
  def.shape = mote_shape_def_box(0.2, 0.1, 0, 0.6, 0.3, 0.4);
  def.motion.move.x.formula = "0.1*sin(t)";
  def.motion.angle.formula = "2*t";
  def.motion.axis[0] = 0, def.motion.axis[1] = 0, def.motion.axis[2] = 1;
  return def;
}

static mote_world *world_with(const mote_collider_def *def) {
  mote_world_def world_def = mote_world_def_default();
  mote_world *world = NULL;
  mote_body_def body = mote_body_def_default();
  mote_material_def water = mote_material_def_default();
  body.name = "drop", body.material = water.name, body.shape = mote_shape_def_sphere(3, 3, 3, 0.2);
  world_def.spacing = 0.1;
  bool made = mote_world_create(&world_def, NULL, &world, NULL) == MOTE_OK &&
              mote_world_add_material(world, &water, NULL, NULL) == MOTE_OK &&
              mote_world_add_collider(world, def, NULL, NULL) == MOTE_OK &&
              mote_world_add_body(world, &body, NULL, NULL) == MOTE_OK;
  CHECK(made);
  return world;
}

static void is_where_the_world_has_it(void) {
  mote_collider_def def = paddle();
  mote_world *world = world_with(&def);
  mote_collider collider = mote_world_find_collider(world, "paddle");
  for (int frame = 0; frame < 4; ++frame) {
    mote_pose theirs = {0}, ours = {0};
    CHECK(mote_world_pose(world, collider, &theirs, NULL) == MOTE_OK);
    CHECK(mote_collider_def_pose(&def, 3, mote_world_time(world), NULL, &ours, NULL) == MOTE_OK);
    CHECK(memcmp(&theirs, &ours, sizeof ours) == 0);
    CHECK_NEAR(ours.pivot[0], 0.4, 1e-15);
    while (mote_world_time(world) < 0.02 * (frame + 1) &&
           CHECK(mote_world_step(world, 0.02 * (frame + 1), NULL) == MOTE_OK)) {
    }
  }
  CHECK(mote_world_time(world) > 0.05);
  mote_world_destroy(world);
}

static void trouble_is_told(void) {
  mote_collider_def def = paddle();
  mote_pose pose;
  mote_error error;
  CHECK(mote_collider_def_pose(NULL, 3, 0, NULL, &pose, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_collider_def_pose(&def, 3, 0, NULL, NULL, &error) == MOTE_ERROR_ARGUMENT);
  def.motion.angle.formula = "2*tt";
  CHECK(mote_collider_def_pose(&def, 3, 0, NULL, &pose, &error) == MOTE_ERROR_FORMAT);
  CHECK_TEXT(error.key, "angle");
  def = paddle();
  mote_result result = MOTE_ERROR_MEMORY;
  int granted = 0;
  for (; granted < 100 && result != MOTE_OK; ++granted) {
    stingy s;
    mote_env env = stingy_env(&s, granted);
    result = mote_collider_def_pose(&def, 3, 1, &env, &pose, &error);
    CHECK(result == MOTE_OK || result == MOTE_ERROR_MEMORY);
    CHECK(s.held == 0);
  }
  CHECK(result == MOTE_OK && granted > 2);
}

int main(void) {
  is_where_the_world_has_it();
  trouble_is_told();
  return test_end();
}
