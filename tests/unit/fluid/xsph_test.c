// XSPH between walls: free slip does not drag, friction does, belts and bodies move with the fluid, momentum
// is kept; the form that only moves particles takes no energy.
#include <mote/world.h>

#include "test.h"
#include "world_kit.h"

#define XI 0.1

// A layer that slides at 1 m/s over a floor, in a world that is periodic along x; without viscosity.
static mote_totals slide(double friction, double belt, mote_pressure_kind pressure, mote_xsph_form form) {
  world_kit kit;
  world_kit_tank(&kit, 2, 0.1);
  mote_world_def *def = &kit.scene.world;
  def->side[0][0] = def->side[0][1] = MOTE_SIDE_PERIODIC;
  def->solver.pressure = pressure, def->solver.xsph_form = form;
  def->wall_friction = friction, def->wall_velocity.x.constant = belt;
  kit.material[0].xsph = XI, kit.material[0].viscosity = 0.0;
  world_kit_body(&kit, "layer", mote_shape_def_box(0.0, 0.0, 0.0, 1.0, 0.4, 0.0))->velocity =
      mote_value3_make(1.0, 0.0, 0.0);
  mote_world *world = world_kit_create(&kit, NULL);
  mote_totals totals;
  CHECK(mote_world_advance(world, 0.2, NULL) == MOTE_OK);
  CHECK(mote_world_totals(world, &totals, NULL) == MOTE_OK);
  mote_world_destroy(world);
  return totals;
}

// What is left of the speed of four rows after so many steps: rows next to each other, and the lowest and
// the wall, exchange the part xi d^2 (W(d) + 2 W(sqrt 2 d)) of their difference in every step; the cubic
// spline of support 2 d on a square lattice.
static double left_after(uint64_t steps) {
  double W = 10.0 / (7.0 * 3.14159265358979), part = XI * W * (0.25 + 2.0 * 0.25 * pow(2.0 - sqrt(2.0), 3.0));
  double v[4] = {1.0, 1.0, 1.0, 1.0};
  for (uint64_t n = 0; n < steps; ++n) {
    const double u[4] = {v[0], v[1], v[2], v[3]};
    for (int k = 0; k < 4; ++k) {
      v[k] += part * ((k > 0 ? u[k - 1] : 0.0) - u[k]);
      if (k < 3) v[k] += part * (u[k + 1] - u[k]);
    }
  }
  return 0.25 * (v[0] + v[1] + v[2] + v[3]);
}

static void walls_take_part(void) {
  for (int p = 0; p < 3; ++p) {
    mote_pressure_kind pressure = (mote_pressure_kind)p;
    mote_totals slips = slide(0.0, 0.0, pressure, MOTE_XSPH_KEEP);
    CHECK_NEAR(slips.momentum[0], slips.mass, 0.02 * slips.mass);
    mote_totals sticks = slide(1.0, 0.0, pressure, MOTE_XSPH_KEEP);
    CHECK_NEAR(sticks.momentum[0] / sticks.mass, left_after(sticks.step), 0.02);
    mote_totals half = slide(0.5, 0.0, pressure, MOTE_XSPH_KEEP);
    CHECK(half.momentum[0] > sticks.momentum[0] && half.momentum[0] < slips.momentum[0]);
    mote_totals carried = slide(1.0, 1.0, pressure, MOTE_XSPH_KEEP);  // the belt has the layer's speed
    CHECK_NEAR(carried.momentum[0], carried.mass, 0.02 * carried.mass);
  }
}

// Moved by smoothed velocities, but not braked by them.
static void motion_takes_nothing(void) {
  for (int p = 0; p < 3; ++p) {
    mote_totals moved = slide(1.0, 0.0, (mote_pressure_kind)p, MOTE_XSPH_MOVE);
    CHECK_NEAR(moved.momentum[0], moved.mass, 0.02 * moved.mass);
    CHECK(moved.compression_mean < 0.01);
  }
}

// A block in a drop, without gravity: the drop moves, the block is taken along; both momenta's sum is kept.
static void bodies_take_part(double density, mote_pressure_kind pressure) {
  world_kit kit;
  world_kit_tank(&kit, 2, 0.05);
  for (int a = 0; a < 3; ++a) {
    kit.scene.world.side[a][0] = kit.scene.world.side[a][1] = MOTE_SIDE_OPEN;
    kit.scene.world.gravity[a] = 0.0;
    kit.scene.world.low[a] = -2.0, kit.scene.world.high[a] = 3.0;
  }
  kit.scene.world.solver.pressure = pressure;
  kit.material[0].xsph = 0.5, kit.material[0].viscosity = 0.0;
  kit.material[1] = mote_material_def_default();
  kit.material[1].name = "wood", kit.material[1].model = MOTE_KIND_RIGID, kit.material[1].density = density;
  kit.scene.materials = 2;
  world_kit_body(&kit, "block", mote_shape_def_box(0.4, 0.4, 0.0, 0.6, 0.6, 0.0))->material = "wood";
  world_kit_body(&kit, "drop", mote_shape_def_box(0.0, 0.0, 0.0, 1.0, 1.0, 0.0))->velocity =
      mote_value3_make(0.5, 0.0, 0.0);
  mote_world *world = world_kit_create(&kit, NULL);
  mote_totals before, after;
  CHECK(mote_world_totals(world, &before, NULL) == MOTE_OK);
  CHECK(mote_world_advance(world, 0.2, NULL) == MOTE_OK);
  CHECK(mote_world_totals(world, &after, NULL) == MOTE_OK);
  CHECK_NEAR(after.momentum[0], before.momentum[0], 1e-4 * before.momentum[0]);
  CHECK_NEAR(after.momentum[1], 0.0, 1e-4 * before.momentum[0]);
  CHECK(after.kinetic_energy <= before.kinetic_energy * (1.0 + 1e-3));
  mote_world_destroy(world);
}

int main(void) {
  walls_take_part();
  motion_takes_nothing();
  bodies_take_part(600.0, MOTE_PRESSURE_DFSPH);
  bodies_take_part(600.0, MOTE_PRESSURE_WCSPH);
  bodies_take_part(20.0, MOTE_PRESSURE_DFSPH);
  return test_end();
}
