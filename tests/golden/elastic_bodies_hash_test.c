// State hash of a world of elastic bodies after 40 steps: boxes and a ball that fall on a floor, on each
// other and on a rigid body, with friction, a moving hold and plastic clay; explicit and implicit. The same
// on every compiler, build and number of threads.
#include <inttypes.h>

#include "test.h"
#include "world_kit.h"

#define STEPS 40

static const world_hashes expected_explicit = {0xdaa93f4970728f24, 0x332a9bcba2900f91};
static const world_hashes expected_implicit = {0x635b3ff137b7aec8, 0x635a42bcd9320e84};

static void add(mote_world *world, const char *name, const char *material, mote_shape_def shape,
                const mote_hold_def *hold) {
  mote_body_def def = mote_body_def_default();
  def.name = name, def.material = material, def.shape = shape;
  def.hold = hold, def.holds = hold != NULL;
  if (hold == NULL) def.velocity.y.constant = -2.0, def.spin[2] = 3.0;
  CHECK(mote_world_add_body(world, &def, NULL, NULL) == MOTE_OK);
}

static world_hashes run(mote_integrator integrator, int threads) {
  world_kit kit;
  mote_material_def stuff[3], *wood = &stuff[2];
  mote_hold_def hold = mote_hold_def_default();
  mote_env env = world_kit_env(threads);
  world_kit_tank(&kit, 3, 0.05);
  mote_world *world = world_kit_create(&kit, &env);
  CHECK(mote_material_def_preset("jelly", &stuff[0]) && mote_material_def_preset("clay", &stuff[1]));
  stuff[0].elastic.young = 3e4, stuff[1].elastic.young = 5e4;
  *wood = mote_material_def_default();
  wood->name = "wood", wood->model = MOTE_KIND_RIGID, wood->density = 700.0;
  for (int k = 0; k < 3; ++k) {
    if (k < 2) stuff[k].elastic.integrator = integrator;
    CHECK(mote_world_add_material(world, &stuff[k], NULL, NULL) == MOTE_OK);
  }
  hold.shape = mote_shape_def_box(0.0, 0.75, 0.0, 1.0, 1.0, 1.0);
  hold.motion.move.x.formula = "0.1*sin(9*t)";
  add(world, "plank", "wood", mote_shape_def_box(0.2, 0.01, 0.2, 0.6, 0.11, 0.5), NULL);
  add(world, "box", "jelly", mote_shape_def_box(0.2, 0.15, 0.2, 0.45, 0.35, 0.4), NULL);
  add(world, "ball", "clay", mote_shape_def_sphere(0.75, 0.2, 0.4, 0.15), NULL);
  add(world, "rope", "jelly", mote_shape_def_box(0.3, 0.5, 0.6, 0.5, 0.9, 0.75), &hold);
  for (int n = 0; n < STEPS; ++n) CHECK(mote_world_step(world, 2.0, NULL) == MOTE_OK);
  CHECK(mote_world_report(world).elastic_contacts > 0);
  world_hashes hash = world_kit_hashes(world);
  mote_world_destroy(world);
  return hash;
}

static void check(const char *name, mote_integrator integrator, world_hashes expected) {
  world_hashes many = run(integrator, 3), one = TEST_SHORT ? many : run(integrator, 1);
  if (CHECK(world_hashes_same(one, expected) && world_hashes_same(many, one))) return;
  printf("%s: {0x%016" PRIx64 ", 0x%016" PRIx64 "}, with three threads {0x%016" PRIx64 ", 0x%016" PRIx64
         "}\n",
         name, one.state, one.motion, many.state, many.motion);
}

int main(void) {
  check("explicit", MOTE_INTEGRATOR_EXPLICIT, expected_explicit);
  check("implicit", MOTE_INTEGRATOR_IMPLICIT, expected_implicit);
  return test_end();
}
