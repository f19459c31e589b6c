// The same bits for 1, 2 and 7 threads and for sums over 1, 3 and 7 ranges of rows, for all solvers in 2D and
// 3D; and for two worlds that step at once.
#include <pthread.h>

#include "base/parallel.h"
#include "test.h"
#include "world_kit.h"

static uint64_t run(int dimensions, mote_pressure_kind pressure, int threads, double until) {
  world_kit kit;
  world_kit_everything(&kit, dimensions, dimensions == 2 ? 0.025 : 0.06);
  kit.scene.world.solver.pressure = pressure;
  kit.material[0].xsph = 0.05;
  mote_env env = world_kit_env(threads);
  mote_world *world = world_kit_create(&kit, &env);
  mote_result result = mote_world_advance(world, 0.5 * until, NULL);
  if (result == MOTE_OK) result = mote_world_advance(world, until, NULL);
  uint64_t hash = result == MOTE_OK && mote_world_particles(world) > 300 ? mote_world_hash(world) : 0;
  mote_world_destroy(world);
  return hash;
}

static void threads_change_nothing(void) {
  for (int k = 0; k < 2 * MOTE_PRESSURE_KINDS; ++k) {
    mote_pressure_kind pressure = (mote_pressure_kind)(k / 2);
    double until = pressure == MOTE_PRESSURE_WCSPH ? 0.015 : 0.06;
    uint64_t one = run(2 + k % 2, pressure, 1, until);
    CHECK(one != 0 && run(2 + k % 2, pressure, 2, until) == one && run(2 + k % 2, pressure, 7, until) == one);
  }
}

// Alone in the process: the ranges are those of all sums.
static void cuts_change_nothing(void) {
  for (int k = 0; k < 2 * MOTE_PRESSURE_KINDS; ++k) {
    mote_pressure_kind pressure = (mote_pressure_kind)(k / 2);
    double until = pressure == MOTE_PRESSURE_WCSPH ? 0.005 : 0.02;
    uint64_t hash[4];
    const size_t ranges[4] = {0, 1, 3, 7};
    for (int r = 0; r < 4; ++r) {
      mote_parallel_cut_sums(ranges[r]);
      hash[r] = run(2 + k % 2, pressure, 1, until);
    }
    mote_parallel_cut_sums(0);
    CHECK(hash[0] != 0 && hash[1] == hash[0] && hash[2] == hash[0] && hash[3] == hash[0]);
  }
}

static uint64_t run_stepped(mote_density_kind density, int threads) {
  world_kit kit;
  world_kit_everything(&kit, 2, 0.025);
  mote_solver_def *solver = &kit.scene.world.solver;
  solver->pressure = MOTE_PRESSURE_WCSPH, solver->steps = MOTE_STEPS_INDIVIDUAL, solver->density = density;
  solver->stiffness = 400.0, solver->exponent = 1.0, solver->step_max = 0.01;
  kit.material[1].xsph = 0.0;
  kit.emitter[0].speed.constant = 12.0;
  mote_env env = world_kit_env(threads);
  mote_world *world = world_kit_create(&kit, &env);
  mote_totals totals = {0};
  bool good = mote_world_advance(world, 0.06, NULL) == MOTE_OK && !mote_world_totals(world, &totals, NULL) &&
              3 * totals.evaluations < 2 * totals.evaluations_all;
  uint64_t hash = good ? mote_world_hash(world) : 0;
  mote_world_destroy(world);
  return hash;
}

static void threads_do_not_change_ticks(void) {
  for (int k = 0; k < MOTE_DENSITY_KINDS; ++k) {
    uint64_t one = run_stepped((mote_density_kind)k, 1);
    CHECK(one != 0 && run_stepped((mote_density_kind)k, 2) == one &&
          run_stepped((mote_density_kind)k, 7) == one);
  }
}

static void *run_other(void *hash) {
  *(uint64_t *)hash = run(2, MOTE_PRESSURE_DFSPH, 2, 0.05);
  return NULL;
}

static void worlds_do_not_meet(void) {
  uint64_t alone = run(2, MOTE_PRESSURE_DFSPH, 1, 0.05), both[2] = {0};
  pthread_t thread[2];
  for (int k = 0; k < 2; ++k) CHECK(pthread_create(&thread[k], NULL, run_other, &both[k]) == 0);
  for (int k = 0; k < 2; ++k) CHECK(pthread_join(thread[k], NULL) == 0);
  CHECK(alone != 0 && both[0] == alone && both[1] == alone);
}

int main(void) {
  threads_change_nothing();
  cuts_change_nothing();
  threads_do_not_change_ticks();
  worlds_do_not_meet();
  return test_end();
}
