// Surfaces that slide along themselves: they drag what sticks to them, nothing that slips, and compress
// nothing.
#include <mote/world.h>

#include "test.h"
#include "world_kit.h"

// A thick layer on a plate that slides in a world that is periodic along x.
static void layer(world_kit *kit, double friction) {
  world_kit_tank(kit, 2, 0.1);
  mote_world_def *def = &kit->scene.world;
  def->side[0][0] = def->side[0][1] = MOTE_SIDE_PERIODIC;
  def->side[1][0] = def->side[1][1] = MOTE_SIDE_OPEN;
  def->low[1] = -1.0;
  kit->material[0].viscosity = 500.0;
  kit->collider[0] = mote_collider_def_default();
  kit->collider[0].name = "plate", kit->collider[0].friction = friction;
  kit->collider[0].shape = mote_shape_def_box(-1.0, -0.5, -1.0, 2.0, 0.0, 1.0);
  kit->collider[0].surface_velocity.x.constant = 0.25;
  kit->scene.colliders = 1;
  world_kit_body(kit, "layer", mote_shape_def_box(0.0, 0.0, 0.0, 1.0, 0.3, 0.0));
}

static double momentum_of(const world_kit *kit, double t, double *mass) {
  mote_world *world = world_kit_create(kit, NULL);
  mote_totals totals;
  CHECK(mote_world_advance(world, t, NULL) == MOTE_OK);
  CHECK(mote_world_totals(world, &totals, NULL) == MOTE_OK);
  CHECK(totals.particles == 30 && totals.compression_max < 0.01);
  mote_world_destroy(world);
  *mass = totals.mass;
  return totals.momentum[0];
}

static void belts_drag(void) {
  world_kit kit;
  double mass;
  layer(&kit, 1.0);
  double taken = momentum_of(&kit, 1.0, &mass);  // ten times what diffusion needs: all moves as the belt
  CHECK_NEAR(taken, 0.25 * mass, 0.01 * mass);
  kit.collider[0].surface_velocity.x.formula = "y < -1 ? 9 : 0.25";
  CHECK(momentum_of(&kit, 1.0, &mass) == taken);
  layer(&kit, 0.0);
  taken = momentum_of(&kit, 0.2, &mass);
  CHECK_NEAR(taken, 0.0, 1e-6 * mass);
}

// The same, said of a wall of the domain.
static void walls_are_belts_too(void) {
  world_kit kit;
  double mass;
  layer(&kit, 0.0);
  kit.scene.colliders = 0;
  kit.scene.world.low[1] = 0.0, kit.scene.world.side[1][0] = MOTE_SIDE_WALL;
  kit.scene.world.wall_friction = 1.0, kit.scene.world.wall_velocity.x.formula = "0.2 + 0*x";
  double taken = momentum_of(&kit, 1.0, &mass);
  CHECK_NEAR(taken, 0.2 * mass, 0.01 * mass);
}

// Between a wall at rest and one that slides: each drags by its own part of the friction.
static void walls_have_parts_of_friction(void) {
  static const double low[] = {1.0, 0.0, 1.0, 0.0}, high[] = {1.0, 1.0, 0.0, 0.0};
  static const double mean[] = {0.1, 0.2, 0.0, 0.0};  // of the velocity
  for (int k = 0; k < 4; ++k) {
    world_kit kit;
    double mass;
    layer(&kit, 0.0);
    kit.scene.colliders = 0;
    mote_world_def *def = &kit.scene.world;
    def->low[1] = 0.0, def->high[1] = 0.3, def->side[1][0] = def->side[1][1] = MOTE_SIDE_WALL;
    def->gravity[1] = 0.0, def->wall_friction = 1.0, def->wall_velocity.x.formula = "y > 0.15 ? 0.2 : 0";
    def->wall_friction_low[1] = low[k], def->wall_friction_high[1] = high[k];
    double taken = momentum_of(&kit, 1.0, &mass);
    CHECK_NEAR(taken, mean[k] * mass, 0.01 * mass);
  }
}

// A belt that starts at 0.5 s and turns round at 1.5 s; a world that is resumed goes on with the same bits.
static void belts_vary(void) {
  world_kit kit;
  double mass;
  layer(&kit, 1.0);
  kit.collider[0].surface_velocity.x.formula = "t < 0.5 ? 0 : t < 1.5 ? 0.25 : -0.25";
  double still = momentum_of(&kit, 0.5, &mass), forth = momentum_of(&kit, 1.5, &mass),
         back = momentum_of(&kit, 2.5, &mass);
  CHECK_NEAR(still, 0.0, 1e-6 * mass);
  CHECK_NEAR(forth, 0.25 * mass, 0.01 * mass);
  CHECK_NEAR(back, -0.25 * mass, 0.01 * mass);
  mote_world *whole = world_kit_create(&kit, NULL), *resumed = world_kit_create(&kit, NULL);
  CHECK(mote_world_advance(whole, 0.6, NULL) == MOTE_OK);
  kit_bytes bytes = world_kit_save(whole);
  CHECK(world_kit_load(resumed, &bytes, NULL) == MOTE_OK);
  CHECK(mote_world_advance(whole, 0.7, NULL) == MOTE_OK && mote_world_advance(resumed, 0.7, NULL) == MOTE_OK);
  CHECK(mote_world_hash(whole) == mote_world_hash(resumed));
  free(bytes.data);
  mote_world_destroy(whole), mote_world_destroy(resumed);
}

static void belts_are_finite(void) {
  world_kit kit;
  mote_error error;
  layer(&kit, 1.0);
  kit.collider[0].surface_velocity.x.formula = "1/(x - x)";
  mote_world *world = NULL;
  CHECK(mote_world_create_scene(&kit.scene, NULL, &world, &error) == MOTE_ERROR_NUMERIC);
  CHECK(strstr(error.text, "plate") != NULL);
  mote_world_destroy(world);
}

int main(void) {
  belts_drag();
  walls_are_belts_too();
  walls_have_parts_of_friction();
  belts_vary();
  belts_are_finite();
  return test_end();
}
