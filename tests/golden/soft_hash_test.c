// The state of a world of elastic bodies after 40 steps: boxes and a ball that fall on a floor, on each other
// and on a rigid body, with friction, a hold that moves and clay that flows; explicit and implicit. The same
// on every compiler, build and number of threads.
#include <inttypes.h>

#include "test.h"
#include "world_kit.h"

#define STEPS 40
#define EXPLICIT UINT64_C(0x2842c4d45dc18687)
#define IMPLICIT UINT64_C(0x3ed0e134eee2cad5)

static void add(mote_world *world, const char *name, const char *material, mote_shape_def shape,
                const mote_hold_def *hold) {
  mote_body_def def = mote_body_def_default();
  def.name = name, def.material = material, def.shape = shape;
  def.hold = hold, def.holds = hold != NULL;
  if (hold == NULL) def.velocity.y.constant = -2.0, def.spin[2] = 3.0;
  CHECK(mote_world_add_body(world, &def, NULL, NULL) == MOTE_OK);
}

static uint64_t run(mote_integrator integrator, int threads) {
  world_kit kit;
  mote_material_def stuff[3], *wood = &stuff[2];
  mote_hold_def hold = mote_hold_def_default();
  mote_env env = world_kit_env(threads);
  world_kit_tank(&kit, 3, 0.05);
  mote_world *world = world_kit_create(&kit, &env);
  CHECK(mote_material_def_preset("jelly", &stuff[0]) && mote_material_def_preset("clay", &stuff[1]));
  stuff[0].solid.young = 3e4, stuff[1].solid.young = 5e4;
  *wood = mote_material_def_default();
  wood->name = "wood", wood->model = MOTE_MODEL_RIGID, wood->density = 700.0;
  for (int k = 0; k < 3; ++k) {
    if (k < 2) stuff[k].solid.integrator = integrator;
    CHECK(mote_world_add_material(world, &stuff[k], NULL, NULL) == MOTE_OK);
  }
  hold.shape = mote_shape_def_box(0.0, 0.75, 0.0, 1.0, 1.0, 1.0);
  hold.motion.move.x.formula = "0.1*sin(9*t)";
  add(world, "plank", "wood", mote_shape_def_box(0.2, 0.01, 0.2, 0.6, 0.11, 0.5), NULL);
  add(world, "box", "jelly", mote_shape_def_box(0.2, 0.15, 0.2, 0.45, 0.35, 0.4), NULL);
  add(world, "ball", "clay", mote_shape_def_sphere(0.75, 0.2, 0.4, 0.15), NULL);
  add(world, "rope", "jelly", mote_shape_def_box(0.3, 0.5, 0.6, 0.5, 0.9, 0.75), &hold);
  for (int n = 0; n < STEPS; ++n) CHECK(mote_world_step(world, 2.0, NULL) == MOTE_OK);
  CHECK(mote_world_report(world).touches > 0);
  uint64_t hash = mote_world_hash(world);
  mote_world_destroy(world);
  return hash;
}

int main(void) {
  uint64_t small = run(MOTE_INTEGRATOR_EXPLICIT, 1), large = run(MOTE_INTEGRATOR_IMPLICIT, 1);
  printf("explicit %016" PRIx64 ", implicit %016" PRIx64 "\n", small, large);
  CHECK(small == run(MOTE_INTEGRATOR_EXPLICIT, 3) && large == run(MOTE_INTEGRATOR_IMPLICIT, 3));
  CHECK(small == EXPLICIT && large == IMPLICIT);
  return test_end();
}
