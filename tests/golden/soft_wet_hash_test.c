// The state of worlds of fluids and elastic bodies after 60 steps: a dam meets a soft ball and a plate that
// is held; by every solver, thin and thick. The same on every compiler, build and number of threads.
#include <inttypes.h>

#include "test.h"
#include "world_kit.h"

#define STEPS 60

typedef struct golden {
  mote_pressure_kind pressure;
  double viscosity;
  int dimensions;
  uint64_t hash;
} golden;

static const golden table[] = {
    {MOTE_PRESSURE_WCSPH, 0.001, 2, UINT64_C(0x5f3091b243dab2c4)},
    {MOTE_PRESSURE_DFSPH, 0.001, 3, UINT64_C(0xb01aa5a3521441c7)},
    {MOTE_PRESSURE_PCISPH, 0.001, 2, UINT64_C(0x1a46a4de1b11306c)},
    {MOTE_PRESSURE_DFSPH, 300.0, 2, UINT64_C(0x00e40d5f1d0192cd)},
};

static uint64_t run(const golden *g, int threads) {
  world_kit kit;
  mote_hold_def hold = mote_hold_def_default();
  double z = g->dimensions == 3 ? 0.2 : 0.0;
  world_kit_dam(&kit, g->dimensions, 0.06);
  kit.scene.world.solver.pressure = g->pressure;
  kit.material[0].viscosity = g->viscosity;
  kit.material[1] = mote_material_def_default();
  kit.material[1].name = "foam", kit.material[1].model = MOTE_MODEL_ELASTIC;
  kit.material[1].density = 300.0, kit.material[1].solid.young = 3e4;
  kit.scene.materials = 2;
  hold.shape = mote_shape_def_box(0.0, -1.0, -1.0, 2.0, 0.07, 2.0);
  mote_body_def *plate = world_kit_body(&kit, "plate", mote_shape_def_box(0.84, 0.0, 0.0, 0.96, 0.42, 0.18));
  plate->material = "foam", plate->hold = &hold, plate->holds = 1;
  world_kit_body(&kit, "ball", mote_shape_def_sphere(0.58, 0.16, z, 0.13))->material = "foam";
  mote_env env = world_kit_env(threads);
  mote_world *world = world_kit_create(&kit, &env);
  for (int n = 0; n < STEPS; ++n) CHECK(mote_world_step(world, 2.0, NULL) == MOTE_OK);
  uint64_t hash = mote_world_hash(world);
  mote_world_destroy(world);
  return hash;
}

int main(void) {
  for (size_t k = 0; k < sizeof table / sizeof *table; ++k) {
    uint64_t one = run(&table[k], 1), many = run(&table[k], 4);
    if (!CHECK(one == table[k].hash && many == table[k].hash)) {
      fprintf(stderr, "  case %zu: 0x%016" PRIx64 " with one thread, 0x%016" PRIx64 " with four\n", k, one,
              many);
    }
  }
  return test_end();
}
