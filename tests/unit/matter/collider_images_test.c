// Moving colliders over periodic sides: hard contact meets the nearest image of all there are, plates longer
// than the period are sampled once and drag what lies on them for many periods.
#include "matter/collider_images.h"

#include <mote/world.h>

#include "test.h"
#include "things/motion.h"
#include "world_kit.h"

// A thick layer on a plate that moves along a periodic axis.
static void layer(world_kit *kit, mote_shape_def plate, const char *move) {
  world_kit_tank(kit, 2, 0.1);
  mote_world_def *def = &kit->scene.world;
  def->side[0][0] = def->side[0][1] = MOTE_SIDE_PERIODIC;
  def->side[1][0] = def->side[1][1] = MOTE_SIDE_OPEN;
  def->low[1] = -1.0;
  kit->material[0].viscosity = 500.0;
  kit->collider[0] = mote_collider_def_default();
  kit->collider[0].name = "plate", kit->collider[0].friction = 1.0;
  kit->collider[0].shape = plate;
  kit->collider[0].motion.move.x.formula = move;
  kit->scene.colliders = 1;
  world_kit_body(kit, "layer", mote_shape_def_box(0.0, 0.0, 0.0, 1.0, 0.3, 0.0));
}

static mote_shape_def plate_of(double length) {
  return mote_shape_def_box(0.2 - 0.5 * length, -0.5, -1.0, 0.2 + 0.5 * length, 0.0, 1.0);
}

static mote_shape_def floor_without_end(void) {
  mote_shape_def def = mote_shape_def_default();
  def.kind = MOTE_SHAPE_HALF_SPACE;
  def.normal[0] = 0.0, def.normal[1] = 1.0, def.normal[2] = 0.0;
  return def;
}

// The layer begins without compression, stays above the plate and comes to move as the plate does.
static void drags(mote_shape_def plate, mote_pressure_kind pressure) {
  world_kit kit;
  layer(&kit, plate, "2.3*t");
  kit.scene.world.solver.pressure = pressure;
  mote_world *world = world_kit_create(&kit, NULL);
  mote_totals totals;
  CHECK(mote_world_totals(world, &totals, NULL) == MOTE_OK);
  CHECK(totals.compression_max < 1e-4);
  CHECK(mote_world_advance(world, 1.5, NULL) == MOTE_OK);
  CHECK(mote_world_totals(world, &totals, NULL) == MOTE_OK);
  CHECK(totals.particles == 30 && totals.compression_max < 0.01);
  CHECK_NEAR(totals.momentum[0], 2.3 * totals.mass, 0.02 * 2.3 * totals.mass);
  CHECK_NEAR(totals.centre[1], 0.15, 0.01);
  mote_world_destroy(world);
}

static void long_plates_drag(void) {
  const double length[4] = {1.0, 1.45, 2.95, 7.0};  // of 2.95 the cut falls on samples
  for (int k = 0; k < 4; ++k) {
    drags(plate_of(length[k]), MOTE_PRESSURE_DFSPH);
    drags(plate_of(length[k]), MOTE_PRESSURE_WCSPH);
  }
  drags(floor_without_end(), MOTE_PRESSURE_DFSPH);
}

// Of all images the listed ones have the nearest, unless that is farther than the reach.
static void nearest_image_is_listed(void) {
  const double length[4] = {0.3, 1.0, 1.45, 3.0}, move[5] = {0.0, 0.4, -0.7, 12.3, -1e3};
  for (int n = 0; n < 20; ++n) {
    world_kit kit;
    layer(&kit, plate_of(length[n % 4]), "t");
    mote_world *world = world_kit_create(&kit, NULL);
    const mote_collider_item *item = mote_collider_at(world, 0);
    mote_pose pose = mote_pose_identity();
    pose.move[0] = move[n / 4];
    double shift[MOTE_COLLIDER_IMAGES_MAX][3], reach = mote_collider_images_reach(world);
    size_t count = mote_collider_images(world, item, &pose, shift);
    CHECK(count >= 1 && count <= 4 && (length[n % 4] < 2.0 || count == 1));
    for (int k = 0; k < 50; ++k) {
      double x[3] = {k / 50.0, 0.01 + 0.3 * (k % 7), 0.0}, listed = reach, all = reach;
      for (size_t j = 0; j < count; ++j) {
        double at[3] = {x[0] - pose.move[0] - shift[j][0], x[1], 0.0};
        listed = fmin(listed, mote_shape_distance(item->shape, at));
      }
      for (int j = -1010; j <= 1010; ++j) {
        double at[3] = {x[0] - pose.move[0] - j, x[1], 0.0};
        all = fmin(all, mote_shape_distance(item->shape, at));
      }
      CHECK_NEAR(listed, all, 1e-9);
    }
    mote_world_destroy(world);
  }
}

// Both sides of the domain are one place: the image of a block that moves over the side stops water.
static void blocks_are_repeated(void) {
  world_kit kit;
  layer(&kit, mote_shape_def_box(0.3, -0.5, -1.0, 0.5, 1.0, 1.0), "0.6*t");
  kit.scene.world.side[1][0] = MOTE_SIDE_WALL, kit.scene.world.low[1] = 0.0;
  kit.material[0].viscosity = 1.0;
  mote_world *world = world_kit_create(&kit, NULL);
  mote_totals totals;
  CHECK(mote_world_advance(world, 2.0, NULL) == MOTE_OK);
  CHECK(mote_world_totals(world, &totals, NULL) == MOTE_OK);
  CHECK(totals.particles == 24 && totals.momentum[0] > 0.4 * totals.mass);
  const double *x = mote_store_f64(mote_world_store(world), MOTE_PARTICLE_POSITION);
  for (size_t i = 0; i < 24; ++i) CHECK(x[3 * i] <= 0.5 || x[3 * i] >= 0.7);  // 1.5 to 1.7, less the period
  mote_world_destroy(world);
}

static void long_plates_do_not_turn(void) {
  world_kit kit;
  mote_error error;
  mote_world *world = NULL;
  layer(&kit, plate_of(1.2), "t");
  kit.collider[0].motion.angle.formula = "0.1*t";
  CHECK(mote_world_create_scene(&kit.scene, NULL, &world, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, "colliders.plate.motion");
  kit.collider[0].shape = plate_of(0.7);
  world = world_kit_create(&kit, NULL);
  mote_world_destroy(world);
}

// A body that is longer than the period, and one whose image meets another.
static void bodies_do_not_lie_upon_each_other(void) {
  world_kit kit;
  mote_error error;
  mote_world *world = NULL;
  layer(&kit, plate_of(3.0), "t");
  kit.body[0].shape = mote_shape_def_box(0.0, 0.0, 0.0, 1.5, 0.3, 0.0);
  CHECK(mote_world_create_scene(&kit.scene, NULL, &world, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, "bodies.layer.shape");
  kit.body[0].shape = mote_shape_def_box(0.8, 0.0, 0.0, 1.2, 0.3, 0.0);
  world_kit_body(&kit, "other", mote_shape_def_box(0.1, 0.0, 0.0, 0.4, 0.3, 0.0));
  CHECK(mote_world_create_scene(&kit.scene, NULL, &world, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, "bodies.other.shape");
  kit.body[1].shape = mote_shape_def_box(0.2, 0.0, 0.0, 0.8, 0.3, 0.0);
  world = world_kit_create(&kit, NULL);
  mote_world_destroy(world);
}

int main(void) {
  long_plates_drag();
  nearest_image_is_listed();
  blocks_are_repeated();
  long_plates_do_not_turn();
  bodies_do_not_lie_upon_each_other();
  return test_end();
}
