// Probes of forces: contact of rigid bodies, and pressures of fluids, on bodies and colliders.
#include <math.h>

#include "test.h"
#include "world_kit.h"

static mote_probe add_probe(mote_world *world, const char *of) {
  mote_probe_def def = mote_probe_def_default();
  mote_probe probe;
  def.name = of, def.kind = MOTE_PROBE_FORCE, def.of = of;
  CHECK(mote_world_add_probe(world, &def, &probe, NULL) == MOTE_OK);
  return probe;
}

static double vertical_force(mote_world *world, mote_probe probe) {
  mote_reading r;
  CHECK(mote_world_probe(world, probe, &r, NULL) == MOTE_OK);
  return r.force[1];
}

// Each is pushed with its own weight, the floor with that of both.
static void test_stack(void) {
  mote_world_def def = mote_world_def_default();
  mote_material_def stone = mote_material_def_default();
  mote_body_def box = mote_body_def_default();
  mote_collider_def floor = mote_collider_def_default();
  mote_world *world = NULL;
  double light = 1000.0 * 0.04 * 9.81, heavy = 1000.0 * 0.08 * 9.81;
  stone.name = "stone", stone.model = MOTE_KIND_RIGID, stone.density = 1000.0, stone.friction = 0.5;
  floor.name = "floor", floor.shape = mote_shape_def_box(-1.0, -0.2, -1.0, 1.0, 0.0, 1.0);
  def.dimensions = 2, def.spacing = 0.04;
  CHECK(mote_world_create(&def, NULL, &world, NULL) == MOTE_OK);
  CHECK(mote_world_add_material(world, &stone, NULL, NULL) == MOTE_OK);
  CHECK(mote_world_add_collider(world, &floor, NULL, NULL) == MOTE_OK);
  box.name = "lower", box.material = "stone";
  box.shape = mote_shape_def_box(-0.2, 0.0, -0.1, 0.2, 0.2, 0.1);
  CHECK(mote_world_add_body(world, &box, NULL, NULL) == MOTE_OK);
  box.name = "upper", box.shape = mote_shape_def_box(-0.1, 0.2, -0.1, 0.1, 0.4, 0.1);
  CHECK(mote_world_add_body(world, &box, NULL, NULL) == MOTE_OK);
  mote_probe lower = add_probe(world, "lower"), upper = add_probe(world, "upper"),
             ground = add_probe(world, "floor");
  CHECK(vertical_force(world, lower) == 0.0);  // before the first step
  CHECK(mote_world_advance(world, 0.5, NULL) == MOTE_OK);
  CHECK_NEAR(vertical_force(world, lower), heavy, 1e-6 * heavy);
  CHECK_NEAR(vertical_force(world, upper), light, 1e-6 * light);
  CHECK_NEAR(vertical_force(world, ground), -light - heavy, 1e-6 * heavy);
  mote_world_destroy(world);
}

enum { COLLIDER, RIGID, ELASTIC };

static void add_block(mote_world *world, int kind) {
  mote_shape_def shape = mote_shape_def_box(0.35, 0.2, 0.0, 0.65, 0.4, 0.0);
  mote_material_def stuff = mote_material_def_default();
  mote_body_def body = mote_body_def_default();
  mote_hold_def hold = mote_hold_def_default();
  mote_collider_def collider = mote_collider_def_default();
  if (kind == COLLIDER) {
    collider.name = "block", collider.shape = shape;
    CHECK(mote_world_add_collider(world, &collider, NULL, NULL) == MOTE_OK);
    return;
  }
  stuff.name = "stuff", stuff.model = kind == RIGID ? MOTE_KIND_RIGID : MOTE_KIND_ELASTIC;
  stuff.elastic.young = 1e6;
  hold.shape = shape, body.name = "block", body.material = "stuff", body.shape = shape;
  if (kind == RIGID) body.fixed = true;
  if (kind == ELASTIC) body.hold = &hold, body.holds = 1;
  CHECK(mote_world_add_material(world, &stuff, NULL, NULL) == MOTE_OK);
  CHECK(mote_world_add_body(world, &body, NULL, NULL) == MOTE_OK);
}

// Archimedes, as a mean over half a second.
static void test_buoyancy(int kind, mote_pressure_kind solver) {
  enum { LOOKS = 40 };
  world_kit kit;
  double sum = 0.0, weight = 1000.0 * 9.81 * 0.3 * 0.2;
  world_kit_tank(&kit, 2, 0.05);
  kit.scene.world.solver.pressure = solver;
  world_kit_body(&kit, "pool", mote_shape_def_box(0.0, 0.0, 0.0, 1.0, 0.6, 0.0));
  kit.scene.bodies = 0;
  mote_env env = world_kit_env(1);
  mote_world *world = world_kit_create(&kit, &env);
  add_block(world, kind);
  CHECK(mote_world_add_body(world, &kit.body[0], NULL, NULL) == MOTE_OK);
  mote_probe probe = add_probe(world, "block");
  for (int k = 0; k < LOOKS; ++k) {
    CHECK(mote_world_advance(world, 0.5 + 0.5 * k / LOOKS, NULL) == MOTE_OK);
    sum += vertical_force(world, probe) / LOOKS;
  }
  printf("force over weight of the water: %.3f\n", sum / weight);
  CHECK_NEAR(sum / weight, 1.0, 0.15);  // walls are known to half a spacing, of a height of four
  mote_world_destroy(world);
}

int main(void) {
  test_stack();
  test_buoyancy(COLLIDER, MOTE_PRESSURE_DFSPH);
  test_buoyancy(COLLIDER, MOTE_PRESSURE_WCSPH);
  test_buoyancy(COLLIDER, MOTE_PRESSURE_PCISPH);
  test_buoyancy(RIGID, MOTE_PRESSURE_DFSPH);
  test_buoyancy(ELASTIC, MOTE_PRESSURE_DFSPH);
  return test_end();
}
