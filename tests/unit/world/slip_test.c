// Walls without friction are smooth, however coarse their samples: what slides along them slides on. Samples
// push along the surface's normal; were it along the line to the particle, DFSPH would lose half of its speed
// in a second.
#include <mote/world.h>

#include "test.h"
#include "world_kit.h"

// A channel along x, five spacings wide and as deep, in which all moves at 1 m/s.
static void channel(world_kit *kit, mote_pressure_kind pressure) {
  world_kit_tank(kit, 3, 0.02);
  mote_world_def *def = &kit->scene.world;
  def->solver.pressure = pressure;
  def->side[0][0] = def->side[0][1] = MOTE_SIDE_PERIODIC;
  def->high[0] = 0.2, def->high[2] = 0.1;
  kit->material[0].viscosity = 0.0;
  world_kit_body(kit, "all", mote_shape_def_box(0.0, 0.0, 0.0, 0.2, 0.1, 0.1))->velocity.x.constant = 1.0;
}

// Share of the momentum that is left after some time.
static double left_of(const world_kit *kit, double t) {
  mote_world *world = world_kit_create(kit, NULL);
  mote_totals totals;
  CHECK(mote_world_advance(world, t, NULL) == MOTE_OK);
  CHECK(mote_world_totals(world, &totals, NULL) == MOTE_OK);
  mote_world_destroy(world);
  return totals.momentum[0] / totals.mass;
}

static void walls_are_smooth(mote_pressure_kind pressure) {
  world_kit kit;
  channel(&kit, pressure);
  CHECK_NEAR(left_of(&kit, 0.4), 1.0, 1e-3);
}

// A bed that is turned into its place: the normals turn with it. There are no ends to run against.
static void turned_walls_are_smooth(void) {
  world_kit kit;
  channel(&kit, MOTE_PRESSURE_DFSPH);
  mote_world_def *def = &kit.scene.world;
  def->side[0][0] = def->side[0][1] = def->side[1][0] = MOTE_SIDE_OPEN;
  def->low[0] = -1.0, def->high[0] = 2.0, def->low[1] = -0.5;
  kit.collider[0] = mote_collider_def_default();
  kit.collider[0].name = "bed";
  kit.collider[0].shape = mote_shape_def_box(-0.2, -1.5, 0.0, 0.0, 1.0, 0.1);
  kit.collider[0].motion.angle.constant = 1.57079632679489662;
  for (int a = 0; a < 3; ++a) kit.collider[0].motion.pivot[a] = 0.0;
  kit.scene.colliders = 1;
  CHECK_NEAR(left_of(&kit, 0.3), 1.0, 1e-3);
}

int main(void) {
  walls_are_smooth(MOTE_PRESSURE_DFSPH);
  walls_are_smooth(MOTE_PRESSURE_WCSPH);
  turned_walls_are_smooth();
  return test_end();
}
