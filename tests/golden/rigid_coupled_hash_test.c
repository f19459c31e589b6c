// State hash of worlds of fluids and rigid bodies after 60 steps: a dam break against boxes, a floating ball,
// a hinged flap, a fixed post; with every solver, at low and high viscosity. The same on every compiler,
// build and number of threads.
#include <inttypes.h>

#include "test.h"
#include "world_kit.h"

#define STEPS 60

typedef struct golden {
  mote_pressure_kind pressure;
  double viscosity;
  int dimensions;
  world_hashes hash;
} golden;

static const golden table[] = {
    {MOTE_PRESSURE_WCSPH, 0.001, 3, {0x96b2aaa5da57dc01, 0xcaee1f7484c37a7b}},
    {MOTE_PRESSURE_DFSPH, 0.001, 3, {0x4698fb95cb20c7d1, 0xc1f3eccf7446d97b}},
    {MOTE_PRESSURE_PCISPH, 0.001, 3, {0xfc3e1787b100d05c, 0x471306797a7a2274}},
    {MOTE_PRESSURE_DFSPH, 300.0, 2, {0x40779ef30f6eb101, 0x8251f24526c974ca}},
};

static void add_body(mote_world *world, const char *name, mote_shape_def shape, bool fixed, bool hinged) {
  mote_body_def def = mote_body_def_default();
  def.name = name, def.material = "wood", def.shape = shape, def.fixed = fixed;
  if (hinged) def.hinge.point[0] = 0.55, def.hinge.point[1] = 0.68, def.hinge.point[2] = 0.2;
  CHECK(mote_world_add_body(world, &def, NULL, NULL) == MOTE_OK);
}

static world_hashes run(const golden *g, int threads) {
  world_kit kit;
  world_kit_dam(&kit, g->dimensions, 0.06);
  kit.scene.world.solver.pressure = g->pressure;
  kit.material[0].viscosity = g->viscosity;
  kit.material[1] = mote_material_def_default();
  kit.material[1].name = "wood", kit.material[1].model = MOTE_KIND_RIGID, kit.material[1].density = 400.0;
  kit.scene.materials = 2;
  mote_env env = world_kit_env(threads);
  mote_world *world = world_kit_create(&kit, &env);
  add_body(world, "box", mote_shape_def_box(0.45, 0.0, 0.1, 0.65, 0.15, 0.3), false, false);
  add_body(world, "top", mote_shape_def_box(0.47, 0.15, 0.12, 0.63, 0.3, 0.28), false, false);
  add_body(world, "flap", mote_shape_def_box(0.5, 0.4, 0.05, 0.6, 0.7, 0.35), false, true);
  add_body(world, "post", mote_shape_def_box(0.8, 0.0, 0.0, 0.9, 0.5, 0.2), true, false);
  double z = g->dimensions == 3 ? 0.2 : 0.0;
  add_body(world, "ball", mote_shape_def_sphere(0.2, 0.55, z, 0.12), false, false);
  for (int n = 0; n < STEPS; ++n) CHECK(mote_world_step(world, 2.0, NULL) == MOTE_OK);
  world_hashes hash = world_kit_hashes(world);
  mote_world_destroy(world);
  return hash;
}

int main(void) {
  for (size_t k = 0; k < sizeof table / sizeof *table; ++k) {
    world_hashes one = run(&table[k], 1), many = run(&table[k], 4);
    if (!CHECK(world_hashes_same(one, table[k].hash) && world_hashes_same(many, one))) {
      fprintf(stderr,
              "  case %zu: {0x%016" PRIx64 ", 0x%016" PRIx64 "}, with four threads {0x%016" PRIx64
              ", 0x%016" PRIx64 "}\n",
              k, one.state, one.motion, many.state, many.motion);
    }
  }
  return test_end();
}
