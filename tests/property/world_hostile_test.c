// Worlds that nobody means to make: empty, of one particle, drained at once, without room, asked for times
// that are none. None of them crashes, hangs or holds a number that is none. And with all kinds of things in
// it a world that does not grow allocates nothing.
#include <pthread.h>

#include "store_kit.h"
#include "test.h"
#include "world_kit.h"

static bool all_finite(const mote_world *world) {
  mote_field_view x = mote_world_view(world, "position"), v = mote_world_view(world, "velocity");
  bool finite = true;
  for (size_t k = 0; k < 3 * x.count; ++k) finite = finite && isfinite(((const double *)x.data)[k]);
  for (size_t k = 0; k < 3 * v.count; ++k) finite = finite && isfinite(((const float *)v.data)[k]);
  return finite;
}

// Some steps; what comes of it is OK or NUMERIC, and then the world can still be read and saved.
static size_t survive(const world_kit *kit) {
  mote_world *world = world_kit_create(kit, NULL);
  mote_result result = mote_world_advance(world, 0.02, NULL);
  CHECK(result == MOTE_OK || result == MOTE_ERROR_NUMERIC);
  CHECK(mote_world_time(world) == (result == MOTE_OK ? 0.02 : 0.0));
  CHECK(all_finite(world));
  size_t particles = mote_world_particles(world);
  kit_bytes bytes = world_kit_save(world);
  mote_world *twin = world_kit_create(kit, NULL);
  CHECK(world_kit_load(twin, &bytes, NULL) == MOTE_OK && mote_world_hash(twin) == mote_world_hash(world));
  free(bytes.data);
  mote_world_destroy(twin);
  mote_world_destroy(world);
  return particles;
}

static void few_particles(void) {
  for (int dimensions = 2; dimensions <= 3; ++dimensions) {
    for (int k = 0; k < MOTE_PRESSURE_KINDS; ++k) {
      world_kit kit;
      world_kit_tank(&kit, dimensions, 0.1);
      kit.scene.world.solver.pressure = (mote_pressure_kind)k;
      CHECK(survive(&kit) == 0);
      world_kit_body(&kit, "one", mote_shape_def_box(0.5, 0.5, 0.5, 0.6, 0.6, 0.6));
      CHECK(survive(&kit) == 1);
    }
  }
}

static void drained_at_once(void) {
  world_kit kit;
  world_kit_everything(&kit, 2, 0.05);
  kit.drain[0].shape = mote_shape_def_box(-9.0, -9.0, -9.0, 9.0, 9.0, 9.0);
  CHECK(survive(&kit) == 0);
}

// A block that fills the tank in 0.01 s, at 100 m/s.
static void no_room(void) {
  world_kit kit;
  world_kit_dam(&kit, 2, 0.05);
  kit.collider[0] = mote_collider_def_default();
  kit.collider[0].name = "press";
  kit.collider[0].shape = mote_shape_def_box(1.0, -1.0, -1.0, 3.0, 2.0, 2.0);
  kit.collider[0].motion.move.x.formula = "-100*t";
  kit.scene.colliders = 1;
  survive(&kit);
}

static void nozzle_in_a_wall(void) {
  world_kit kit;
  world_kit_everything(&kit, 2, 0.05);
  kit.collider[0].motion = mote_collider_def_default().motion;
  kit.collider[0].shape = mote_shape_def_box(0.6, 0.7, 0.0, 1.0, 1.0, 1.0);
  CHECK(survive(&kit) > 0);
}

static void times_that_are_none(void) {
  world_kit kit;
  world_kit_dam(&kit, 2, 0.1);
  mote_world *world = world_kit_create(&kit, NULL);
  CHECK(mote_world_advance(world, 0.01, NULL) == MOTE_OK);
  uint64_t hash = mote_world_hash(world);
  const double until[] = {(double)NAN, HUGE_VAL, -HUGE_VAL, -1.0, 0.0, 0.005};
  for (size_t k = 0; k < sizeof until / sizeof *until; ++k) {
    if (until[k] == HUGE_VAL) continue;  // a step towards it is a step
    mote_world_step(world, until[k], NULL);
    CHECK(mote_world_advance(world, until[k], NULL) != MOTE_ERROR_NUMERIC);
    CHECK(mote_world_time(world) == 0.01 && mote_world_hash(world) == hash);
  }
  mote_world_destroy(world);
}

static void nothing_is_allocated(void) {
  for (int k = 0; k < 4; ++k) {
    world_kit kit;
    kit_memory memory;
    mote_env env = kit_env(&memory);
    world_kit_everything(&kit, 2 + k / 2, 0.1);
    kit.emitter[0].most = 4;
    kit.scene.world.solver.pressure = (mote_pressure_kind)(k % 2);
    mote_world *world = world_kit_create(&kit, &env);
    CHECK(mote_world_advance(world, 0.8, NULL) == MOTE_OK);  // the dam lies on the floor
    size_t calls = memory.calls;
    for (int n = 0; n < 50; ++n) CHECK(mote_world_step(world, 10.0, NULL) == MOTE_OK);
    CHECK(memory.calls == calls);
    mote_world_destroy(world);
    CHECK(memory.live == 0);
  }
}

// Worlds of two kinds in two threads that share their definitions.
static world_kit shared[2];

static void *run_shared(void *hash) {
  for (int k = 0; k < 2; ++k) {
    mote_env env = world_kit_env(2);
    mote_world *world = world_kit_create(&shared[k], &env);
    for (int n = 0; n < 10; ++n) mote_world_step(world, 1.0, NULL);
    ((uint64_t *)hash)[k] = mote_world_steps(world) == 10 ? mote_world_hash(world) : 0;
    mote_world_destroy(world);
  }
  return NULL;
}

static void definitions_are_shared(void) {
  world_kit_everything(&shared[0], 2, 0.05);
  world_kit_everything(&shared[1], 3, 0.1);
  uint64_t alone[2], hash[2][2];
  run_shared(alone);
  pthread_t thread[2];
  for (int k = 0; k < 2; ++k) CHECK(pthread_create(&thread[k], NULL, run_shared, hash[k]) == 0);
  for (int k = 0; k < 2; ++k) CHECK(pthread_join(thread[k], NULL) == 0);
  CHECK(alone[0] != 0 && alone[1] != 0);
  CHECK(memcmp(hash[0], alone, sizeof alone) == 0 && memcmp(hash[1], alone, sizeof alone) == 0);
}

int main(void) {
  few_particles();
  drained_at_once();
  no_room();
  nozzle_in_a_wall();
  times_that_are_none();
  nothing_is_allocated();
  definitions_are_shared();
  return test_end();
}
