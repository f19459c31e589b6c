// Time: frames are met exactly, no step is a crumb, fixed steps stay fixed; stages are timed; after the first
// steps nothing is allocated.
#include "store_kit.h"
#include "test.h"
#include "world_kit.h"

static void frames_are_met_exactly(void) {
  world_kit kit;
  world_kit_dam(&kit, 2, 0.1);
  kit.scene.fps = 30.0;
  mote_world *world = world_kit_create(&kit, NULL);
  for (size_t n = 2; n <= 12; ++n) {
    double until = mote_scene_frame_time(&kit.scene, n), shortest = 1.0, longest = 0.0;
    CHECK(mote_world_begin_frame(world, NULL) == MOTE_OK);
    while (mote_world_time(world) < until) {
      CHECK(mote_world_step(world, until, NULL) == MOTE_OK);
      double dt = mote_world_report(world).step;
      shortest = fmin(shortest, dt), longest = fmax(longest, dt);
    }
    CHECK(mote_world_time(world) == until);
    CHECK(shortest >= 0.4 * longest && longest <= mote_world_def_step_max(&kit.scene.world));
  }
  mote_world_destroy(world);
}

static void fixed_steps_stay_fixed(void) {
  world_kit kit;
  world_kit_dam(&kit, 2, 0.1);
  kit.scene.world.solver.step_min = kit.scene.world.solver.step_max = 0.001;
  mote_world *world = world_kit_create(&kit, NULL);
  CHECK(mote_world_advance(world, 0.04, NULL) == MOTE_OK && mote_world_steps(world) == 40);
  CHECK(mote_world_advance(world, 0.08, NULL) == MOTE_OK && mote_world_steps(world) == 80);
  mote_error past = {0};
  CHECK(mote_world_advance(world, 0.08, NULL) == MOTE_OK);
  CHECK(mote_world_advance(world, 0.05, &past) == MOTE_ERROR_ARGUMENT && mote_world_steps(world) == 80);
  CHECK(strstr(past.text, "0.05 s is in the past") != NULL);
  mote_world_destroy(world);
}

static void stages_are_timed(void) {
  world_kit kit;
  world_kit_everything(&kit, 2, 0.05);
  mote_world *world = world_kit_create(&kit, NULL);
  CHECK(mote_world_advance(world, 0.1, NULL) == MOTE_OK);
  double all = 0.0, seconds = -1.0;
  CHECK(mote_world_stages(world) == 19);
  for (int k = 0; k < mote_world_stages(world); ++k) {
    CHECK(mote_world_stage(world, k, &seconds) != NULL && seconds >= 0.0);
    all += seconds;
  }
  CHECK(all > 0.0 && mote_world_stage(world, 19, &seconds) == NULL &&
        mote_world_stage(world, -1, NULL) == NULL);
  CHECK_TEXT(mote_world_stage(world, 1, NULL), "search");
  mote_world_destroy(world);
}

// All solvers, in both dimensions, with frames begun on the way.
static void nothing_is_allocated_after_warm_up(void) {
  for (int k = 0; k < 2 * MOTE_PRESSURE_KINDS; ++k) {
    world_kit kit;
    kit_memory memory;
    mote_env env = kit_env(&memory);
    world_kit_tank(&kit, 2 + k / MOTE_PRESSURE_KINDS, 0.1);
    world_kit_body(&kit, "pool", mote_shape_def_box(0.0, 0.0, 0.0, 1.0, 0.5, 1.0));
    kit.scene.world.solver.pressure = (mote_pressure_kind)(k % MOTE_PRESSURE_KINDS);
    kit.material[0].xsph = 0.1;
    mote_world *world = world_kit_create(&kit, &env);
    for (int n = 0; n < 40; ++n) CHECK(mote_world_step(world, 10.0, NULL) == MOTE_OK);
    size_t calls = memory.calls;
    for (int n = 0; n < 50; ++n) {
      if (n % 10 == 0) CHECK(mote_world_begin_frame(world, NULL) == MOTE_OK);
      CHECK(mote_world_step(world, 10.0, NULL) == MOTE_OK);
    }
    CHECK(memory.calls == calls && mote_world_steps(world) == 90);
    mote_world_destroy(world);
    CHECK(memory.live == 0);
  }
}

// Memory that runs out in a step is an error, and the world is at the frame's beginning and can go on.
static void memory_may_run_out(void) {
  world_kit kit;
  kit_memory memory;
  mote_env env = kit_env(&memory);
  world_kit_everything(&kit, 2, 0.1);
  mote_world *world = world_kit_create(&kit, &env), *twin = world_kit_create(&kit, NULL);
  CHECK(mote_world_begin_frame(world, NULL) == MOTE_OK);
  int failures = 0;
  for (size_t granted = 0; granted < 200; ++granted) {
    memory.refuse = memory.calls + granted;
    mote_result result = mote_world_step(world, 0.05, NULL);
    memory.refuse = SIZE_MAX;
    CHECK(result == MOTE_OK || (result == MOTE_ERROR_MEMORY && mote_world_time(world) == 0.0));
    failures += result != MOTE_OK;
    if (result == MOTE_OK) break;
  }
  CHECK(failures > 0);
  CHECK(mote_world_advance(world, 0.05, NULL) == MOTE_OK);
  CHECK(mote_world_begin_frame(twin, NULL) == MOTE_OK && mote_world_step(twin, 0.05, NULL) == MOTE_OK);
  CHECK(mote_world_advance(twin, 0.05, NULL) == MOTE_OK && mote_world_hash(twin) == mote_world_hash(world));
  mote_world_destroy(world);
  mote_world_destroy(twin);
  CHECK(memory.live == 0);
}

int main(void) {
  frames_are_met_exactly();
  fixed_steps_stay_fixed();
  stages_are_timed();
  nothing_is_allocated_after_warm_up();
  memory_may_run_out();
  return test_end();
}
