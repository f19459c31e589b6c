// A run that is saved at any step and gone on with by another world has the bits of one that was not: also in
// the middle of a frame, also after the watchdog has gone back, and whatever was looked at on the way.
#include "base/random.h"
#include "test.h"
#include "world_kit.h"

#define FRAMES 5
#define FPS 25.0

static void make(world_kit *kit, int dimensions, bool trouble) {
  world_kit_everything(kit, dimensions, dimensions == 2 ? 0.05 : 0.1);
  if (!trouble) kit->material[1].viscosity = 500.0;  // solved for
  if (!trouble) return;
  // A gust in one moment, too much for a step of full length; what it stirs up may be too fast for any step,
  // and then both runs must end with the same state.
  kit->scene.world.solver.step_min = kit->scene.world.solver.step_max = 0.004;
  kit->scene.world.speed_limit = 2.6;
  kit->force[0].shape = mote_shape_def_box(0.0, 0.0, 0.0, 0.5, 1.0, 1.0);  // not against the jet
  kit->force[0].acceleration = mote_value3_make(0.0, 0.0, 0.0);
  kit->force[0].acceleration.y.formula = "abs(t - 0.06) < 1e-6 ? 950 : 0";
}

static uint64_t run_straight(const world_kit *kit, bool calm, int *tries) {
  mote_world *world = world_kit_create(kit, NULL);
  mote_result result = MOTE_OK;
  for (int frame = 1; frame <= FRAMES && result == MOTE_OK; ++frame) {
    result = mote_world_advance(world, frame / FPS, NULL);
    if (mote_world_report(world).tries > *tries) *tries = mote_world_report(world).tries;
  }
  CHECK(result == MOTE_OK || !calm);
  uint64_t hash = mote_world_hash(world);
  mote_world_destroy(world);
  return hash;
}

static mote_world *reincarnate(mote_world *world, const world_kit *kit) {
  kit_bytes bytes = world_kit_save(world);
  mote_world_destroy(world);
  world = world_kit_create(kit, NULL);
  CHECK(world_kit_load(world, &bytes, NULL) == MOTE_OK);
  free(bytes.data);
  return world;
}

// Dies after every tenth step or so; a frame that went back counts its steps again, so the clock is the
// draw's.
static uint64_t run_mortal(const world_kit *kit, uint64_t seed, int *deaths) {
  mote_world *world = world_kit_create(kit, NULL);
  uint64_t draw = 0;
  mote_result result = MOTE_OK;
  for (int frame = 1; frame <= FRAMES && result == MOTE_OK; ++frame) {
    while (mote_world_time(world) < frame / FPS) {
      mote_reading reading;
      result = mote_world_step(world, frame / FPS, NULL);
      if (result != MOTE_OK) break;
      CHECK(mote_world_probe(world, (mote_probe){0, 1}, &reading, NULL) == MOTE_OK);
      bool back = mote_world_report(world).tries > 0 && mote_world_report(world).step == 0.0;
      if (!back && mote_random_unit(seed, 0, draw++) > 0.1) continue;
      world = reincarnate(world, kit);
      ++*deaths;
    }
  }
  uint64_t hash = mote_world_hash(world);
  mote_world_destroy(world);
  return hash;
}

int main(void) {
  for (int k = 0; k < 5; ++k) {
    world_kit kit;
    make(&kit, 2 + k % 2, k == 2 || k == 3);
    if (k == 4) {  // its densities are state
      kit.scene.world.solver.pressure = MOTE_PRESSURE_WCSPH;
      kit.scene.world.solver.density = MOTE_DENSITY_FOLLOWED;
    }
    int tries = 0;
    uint64_t straight = run_straight(&kit, k != 2 && k != 3, &tries);
    CHECK((tries > 0) == (k == 2 || k == 3));
    for (uint64_t seed = 0; seed < 4; ++seed) {
      int deaths = 0;
      CHECK(run_mortal(&kit, seed, &deaths) == straight);
      CHECK(deaths > 0);
    }
  }
  return test_end();
}
