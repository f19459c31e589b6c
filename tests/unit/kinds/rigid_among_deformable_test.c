// Rigid bodies between deformable ones, walls and each other: one solve for all of them.
#include <math.h>

#include "test.h"
#include "world_kit.h"

static mote_world *world_of(double angle, double width) {
  mote_world_def def = mote_world_def_default();
  mote_world *world = NULL;
  def.dimensions = 2, def.spacing = 0.02, def.solver.step_max = 0.005;
  def.gravity[0] = 9.81 * sin(angle), def.gravity[1] = -9.81 * cos(angle);
  def.low[0] = -width, def.high[0] = width, def.low[1] = 0.0, def.high[1] = 1.0;
  for (int a = 0; a < 2; ++a) def.side[a][0] = def.side[a][1] = MOTE_SIDE_WALL;
  CHECK(mote_world_create(&def, NULL, &world, NULL) == MOTE_OK);
  const mote_kind model[3] = {MOTE_KIND_ELASTIC, MOTE_KIND_RIGID, MOTE_KIND_LATTICE};
  const char *name[3] = {"jelly", "stone", "brick"};
  for (int k = 0; k < 3; ++k) {
    mote_material_def m = mote_material_def_default();
    m.name = name[k], m.model = model[k], m.density = k == 1 ? 2000.0 : 1000.0, m.friction = 0.5;
    m.restitution = 0.0;
    if (k == 0) m.elastic.young = 1e5, m.elastic.integrator = MOTE_INTEGRATOR_IMPLICIT;
    if (k == 2) m.elastic.young = 1e6;
    CHECK(mote_world_add_material(world, &m, NULL, NULL) == MOTE_OK);
  }
  return world;
}

static void add(mote_world *world, const char *name, const char *material, double half, double low,
                double high) {
  mote_body_def body = mote_body_def_default();
  body.name = name, body.material = material;
  body.shape = mote_shape_def_box(-half, low, -1.0, half, high, 1.0);
  CHECK(mote_world_add_body(world, &body, NULL, NULL) == MOTE_OK);
}

static mote_body_state state_of(const mote_world *world, size_t k) {
  mote_body_state state = {0};
  CHECK(mote_world_body(world, mote_world_rigid_body(world, k), &state, NULL) == MOTE_OK);
  return state;
}

static void run(mote_world *world, double seconds) {
  while (mote_world_time(world) < seconds)
    if (!CHECK(mote_world_step(world, seconds, NULL) == MOTE_OK)) return;
}

// Three stones between jellies press the lower one, on each other, and come to rest. Solved one after the
// other they hung 2 cm apart, at 5 mm/s, in 18 times as long.
static void test_stack(void) {
  mote_world *world = world_of(0.0, 0.4);
  add(world, "low", "jelly", 0.1, 0.0, 0.1);
  add(world, "first", "stone", 0.1, 0.1, 0.16);
  add(world, "second", "stone", 0.09, 0.16, 0.22);
  add(world, "third", "stone", 0.09, 0.22, 0.28);
  add(world, "top", "jelly", 0.1, 0.28, 0.38);
  run(world, 2.0);
  for (int k = 0; k < 3; ++k) {
    mote_body_state state = state_of(world, (size_t)k);
    printf("stone %d at %.4f m, %.1e m/s, tilt %.1e\n", k, state.position[1], state.velocity[1],
           state.orientation[3]);
    CHECK(fabs(state.velocity[1]) < 1e-4 && fabs(state.orientation[3]) < 1e-4);
    CHECK_NEAR(state.position[1], 0.1263 + 0.06 * k, 1e-4);  // 860 N on 0.2 m, pressed by 4 %
  }
  mote_world_destroy(world);
}

// A stone on a slope carries a lattice: the friction below it and above it are of one solve. With none below,
// and the friction of rigid bodies afterwards, the stone moved up the slope by 5 mm/s.
static void test_slope(void) {
  mote_world *world = world_of(0.26, 1.0);
  add(world, "base", "stone", 0.3, 0.0, 0.1);
  add(world, "load", "brick", 0.08, 0.101, 0.261);
  run(world, 0.5);
  double at = state_of(world, 0).position[0];
  run(world, 1.0);
  double moved = state_of(world, 0).position[0] - at;
  printf("base on a slope: moved %.1e m in 0.5 s\n", moved);
  CHECK(fabs(moved) < 2e-6);
  mote_world_destroy(world);
}

int main(void) {
  test_stack();
  test_slope();
  return test_end();
}
