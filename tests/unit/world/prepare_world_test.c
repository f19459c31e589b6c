// What is made of the definitions: walls where colliders overlap are there once, and water begins beside them
// without being pressed.
#include <mote/world.h>

#include "test.h"
#include "world_kit.h"

// A pool with a block on its floor; the block begins at the floor or far below it.
static mote_world *pool(double bottom) {
  world_kit kit;
  world_kit_tank(&kit, 2, 0.05);
  kit.scene.world.solver.pressure = MOTE_PRESSURE_WCSPH;
  kit.scene.world.solver.stiffness = 2e5;  // not from the height of all things
  kit.collider[0] = mote_collider_def_default();
  kit.collider[0].name = "block";
  kit.collider[0].shape = mote_shape_def_box(0.6, bottom, -1.0, 0.8, 0.4, 1.0);
  kit.scene.colliders = 1;
  world_kit_body(&kit, "left", mote_shape_def_box(0.0, 0.0, 0.0, 0.6, 0.3, 0.0));
  return world_kit_create(&kit, NULL);
}

// Nothing is pressed before anything moves, and the water does as beside the other block.
static void floor_and_block_are_one_solid(void) {
  mote_totals totals[2];
  for (int k = 0; k < 2; ++k) {
    mote_world *world = pool(k == 0 ? 0.0 : -0.4);
    CHECK(mote_world_totals(world, &totals[k], NULL) == MOTE_OK);
    CHECK(totals[k].compression_max < 1e-4);
    CHECK(mote_world_advance(world, 0.1, NULL) == MOTE_OK);
    CHECK(mote_world_totals(world, &totals[k], NULL) == MOTE_OK);
    CHECK(totals[k].speed_max < 0.2);
    mote_world_destroy(world);
  }
  CHECK(totals[0].particles == totals[1].particles);
  CHECK_NEAR(totals[0].centre[1], totals[1].centre[1], 1e-6);
}

// Two blocks side by side and one through the other: the second adds what the first has not.
static void colliders_are_one_solid(void) {
  world_kit kit;
  mote_totals totals;
  world_kit_tank(&kit, 2, 0.05);
  for (int k = 0; k < 2; ++k) {
    kit.collider[k] = mote_collider_def_default();
    kit.collider[k].name = k == 0 ? "high" : "low";
  }
  kit.collider[0].shape = mote_shape_def_box(0.6, 0.0, -1.0, 0.8, 0.4, 1.0);
  kit.collider[1].shape = mote_shape_def_box(0.4, -0.2, -1.0, 0.8, 0.1, 1.0);
  kit.scene.colliders = 2;
  kit.scene.world.solver.pressure = MOTE_PRESSURE_WCSPH;
  world_kit_body(&kit, "step", mote_shape_def_box(0.4, 0.1, 0.0, 0.6, 0.3, 0.0));
  mote_world *world = world_kit_create(&kit, NULL);
  CHECK(mote_world_totals(world, &totals, NULL) == MOTE_OK);
  CHECK(totals.particles == 16 && totals.compression_max < 1e-4);
  mote_world_destroy(world);
}

// A sea that ends at a beach of the same shape, to which its lattice does not fit: all of it is there, and
// WCSPH moves it apart before the first step, which would else throw it up.
static void beaches_are_not_crowded(void) {
  world_kit kit;
  world_kit_tank(&kit, 2, 0.02);
  kit.scene.world.solver.pressure = MOTE_PRESSURE_WCSPH;
  mote_shape_def part[2] = {mote_shape_def_box(0.0, 0.0, 0.0, 1.0, 0.2, 0.0), mote_shape_def_default()};
  part[1].kind = MOTE_SHAPE_HALF_SPACE, part[1].centre[0] = 0.3;
  part[1].normal[0] = -0.21, part[1].normal[1] = 0.98, part[1].normal[2] = 0.0;
  kit.collider[0] = mote_collider_def_default();
  kit.collider[0].name = "beach", kit.collider[0].shape = part[1];
  kit.scene.colliders = 1;
  mote_shape_def sea = mote_shape_def_default();
  sea.kind = MOTE_SHAPE_DIFFERENCE, sea.part = part, sea.parts = 2;
  world_kit_body(&kit, "sea", sea);
  mote_world *world = world_kit_create(&kit, NULL);
  mote_totals begin, end;
  CHECK(mote_world_totals(world, &begin, NULL) == MOTE_OK);
  CHECK_NEAR(begin.mass, 1000.0 * (0.2 - 0.5 * 0.7 * 0.7 * 0.21 / 0.98), 0.4);  // a particle
  CHECK(begin.compression_max > 0.1);  // else what follows says nothing
  CHECK(mote_world_step(world, 1.0, NULL) == MOTE_OK && mote_world_totals(world, &begin, NULL) == MOTE_OK);
  CHECK(begin.compression_max < 0.03);
  CHECK(mote_world_advance(world, 0.04, NULL) == MOTE_OK);
  CHECK(mote_world_totals(world, &end, NULL) == MOTE_OK);
  double energy[2] = {begin.kinetic_energy + begin.potential_energy,
                      end.kinetic_energy + end.potential_energy};
  CHECK(energy[1] < 1.01 * energy[0]);
  mote_world_destroy(world);
}

// A disc as dense as the water stays: its samples keep as much water away as it has volume. Without those
// that the water does not see, and with the cells beside its bounds left out, it sinks by two spacings.
static void bodies_displace_their_volume(void) {
  world_kit kit;
  world_kit_tank(&kit, 2, 0.025);
  mote_solver_def_set_quality(&kit.scene.world.solver, MOTE_QUALITY_STANDARD);
  kit.scene.world.high[0] = 0.8, kit.scene.materials = 2;
  kit.material[1] = kit.material[0];
  kit.material[1].name = "disc", kit.material[1].model = MOTE_KIND_RIGID;
  world_kit_body(&kit, "disc", mote_shape_def_sphere(0.4, 0.3, 0.0, 0.12));
  kit.body[0].material = "disc";
  world_kit_body(&kit, "water", mote_shape_def_box(0.0, 0.0, 0.0, 0.8, 0.6, 0.0));
  mote_world *world = world_kit_create(&kit, NULL);
  CHECK(mote_world_advance(world, 1.5, NULL) == MOTE_OK);
  mote_body_state state;
  CHECK(mote_world_body(world, mote_world_rigid_body(world, 0), &state, NULL) == MOTE_OK);
  CHECK_NEAR(state.position[1], 0.3, 0.8 * 0.025);
  mote_world_destroy(world);
}

typedef struct counted {
  mote_env plain;
  size_t now, most;  // bytes
} counted;

static void *counted_resize(void *user, void *block, size_t old_size, size_t size) {
  counted *c = user;
  c->now += size - old_size;
  if (c->now > c->most) c->most = c->now;
  return c->plain.resize(c->plain.resize_user, block, old_size, size);
}

// A stone falls in a large tank: nothing feels samples of the walls, so there are none, which would take
// 100 MB. Water that is poured in later stands on the floor.
static void walls_are_sampled_for_fluids(void) {
  world_kit kit;
  counted memory = {.plain = mote_env_default()};
  mote_env env = memory.plain;
  env.resize = counted_resize, env.resize_user = &memory;
  world_kit_tank(&kit, 3, 0.01);
  kit.scene.materials = 2;
  kit.material[1] = kit.material[0];
  kit.material[1].name = "stone", kit.material[1].model = MOTE_KIND_RIGID;
  world_kit_body(&kit, "stone", mote_shape_def_sphere(0.5, 0.3, 0.5, 0.1))->material = "stone";
  mote_world *world = world_kit_create(&kit, &env);
  CHECK(mote_world_advance(world, 0.01, NULL) == MOTE_OK);
  CHECK(memory.most > 0 && memory.most < 2000000);
  mote_body_def water = mote_body_def_default();
  water.name = "water", water.shape = mote_shape_def_box(0.0, 0.0, 0.0, 0.1, 0.04, 0.1);
  CHECK(mote_world_add_body(world, &water, NULL, NULL) == MOTE_OK);
  CHECK(mote_world_step(world, 1.0, NULL) == MOTE_OK);
  mote_totals totals;
  CHECK(mote_world_totals(world, &totals, NULL) == MOTE_OK && totals.particles == 400);
  CHECK(totals.compression_max < 0.01);
  CHECK(memory.most > 20000000);
  mote_world_destroy(world);
}

int main(void) {
  walls_are_sampled_for_fluids();
  bodies_displace_their_volume();
  floor_and_block_are_one_solid();
  colliders_are_one_solid();
  beaches_are_not_crowded();
  return test_end();
}
