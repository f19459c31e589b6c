// State hash of worlds of fluids and elastic bodies after 60 steps: a dam break against an elastic ball and a
// clamped plate; with every solver, at low and high viscosity. The same on every compiler, build and number
// of threads.
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
    {MOTE_PRESSURE_WCSPH, 0.001, 2, {0xc023353517f2505f, 0x5d179e638fe5007b}},
    {MOTE_PRESSURE_DFSPH, 0.001, 3, {0xf08aea042ac7b927, 0xa01f78cd1e589f74}},
    {MOTE_PRESSURE_PCISPH, 0.001, 2, {0x0f2384995c57198b, 0xcbe65d370d1601ab}},
    {MOTE_PRESSURE_DFSPH, 300.0, 2, {0x1e706826d042933e, 0x6ffe32327a12f0ab}},
};

static world_hashes run(const golden *g, int threads) {
  world_kit kit;
  mote_hold_def hold = mote_hold_def_default();
  double z = g->dimensions == 3 ? 0.2 : 0.0;
  world_kit_dam(&kit, g->dimensions, 0.06);
  kit.scene.world.solver.pressure = g->pressure;
  kit.material[0].viscosity = g->viscosity;
  kit.material[1] = mote_material_def_default();
  kit.material[1].name = "foam", kit.material[1].model = MOTE_KIND_ELASTIC;
  kit.material[1].density = 300.0, kit.material[1].elastic.young = 3e4;
  kit.scene.materials = 2;
  hold.shape = mote_shape_def_box(0.0, -1.0, -1.0, 2.0, 0.07, 2.0);
  mote_body_def *plate = world_kit_body(&kit, "plate", mote_shape_def_box(0.84, 0.0, 0.0, 0.96, 0.42, 0.18));
  plate->material = "foam", plate->hold = &hold, plate->holds = 1;
  world_kit_body(&kit, "ball", mote_shape_def_sphere(0.58, 0.16, z, 0.13))->material = "foam";
  mote_env env = world_kit_env(threads);
  mote_world *world = world_kit_create(&kit, &env);
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
