// The watchdog of bodies: quiet where all is well, and one note for each kind of fault.
#include "kinds/rigid/body_watch.h"

#include <mote/mote.h>

#include "matter/watchdog.h"
#include "test.h"

static int notes;

static void count_note(void *user, mote_log_level level, const char *text) {
  (void)user;
  (void)text;
  notes += level == MOTE_LOG_WARNING;
}

static mote_world *make_world(void) {
  mote_world_def def = mote_world_def_default();
  mote_env env = mote_env_default();
  mote_world *world = NULL;
  env.log = count_note;
  def.spacing = 0.02;
  for (int a = 0; a < 3; ++a) {
    def.low[a] = -0.2, def.high[a] = 0.2;
    def.side[a][0] = def.side[a][1] = MOTE_SIDE_WALL;
  }
  CHECK(mote_world_create(&def, &env, &world, NULL) == MOTE_OK);
  mote_material_def wood = mote_material_def_default();
  wood.name = "wood", wood.model = MOTE_KIND_RIGID, wood.density = 600.0;
  wood.friction = 0.3, wood.restitution = 0.5;
  CHECK(mote_world_add_material(world, &wood, NULL, NULL) == MOTE_OK);
  notes = 0;
  return world;
}

// A needle that spins in a closed box comes to rest inside of it, and nothing is said.
static void test_needle(void) {
  mote_world *world = make_world();
  mote_body_def needle = mote_body_def_default();
  mote_body body;
  mote_body_state state;
  mote_totals first, last;
  needle.name = "needle", needle.material = "wood";
  needle.shape = mote_shape_def_box(-0.15, -0.004, -0.004, 0.15, 0.004, 0.004);
  needle.spin[0] = 100.0, needle.spin[1] = 100.0, needle.spin[2] = 300.0;
  CHECK(mote_world_add_body(world, &needle, &body, NULL) == MOTE_OK);
  CHECK(mote_world_totals(world, &first, NULL) == MOTE_OK);
  for (int k = 1; k <= 50; ++k) CHECK(mote_world_advance(world, 0.04 * k, NULL) == MOTE_OK);
  CHECK(mote_world_totals(world, &last, NULL) == MOTE_OK);
  CHECK(mote_world_body(world, body, &state, NULL) == MOTE_OK);
  CHECK(last.kinetic_energy < first.kinetic_energy);
  for (int a = 0; a < 3; ++a) CHECK(state.position[a] > -0.2 && state.position[a] < 0.2);
  CHECK(notes == 0 && mote_world_body_fault(world).fault == MOTE_BODY_FAULT_NONE);
  mote_world_destroy(world);
}

// The energy that a fluid may have is that of the bodies in it, too: they may give it all.
static void test_stirred(void) {
  mote_world *world = make_world();
  mote_material_def water = mote_material_def_default();
  mote_body_def pool = mote_body_def_default(), wheel = mote_body_def_default();
  mote_totals totals;
  water.name = "water";
  CHECK(mote_world_add_material(world, &water, NULL, NULL) == MOTE_OK);
  wheel.name = "wheel", wheel.material = "wood", wheel.spin[2] = 100.0;
  wheel.shape = mote_shape_def_box(-0.1, 0.02, -0.04, 0.1, 0.06, 0.04);
  pool.name = "pool", pool.material = "water";
  pool.shape = mote_shape_def_box(-0.2, -0.2, -0.2, 0.2, -0.1, 0.2);
  CHECK(mote_world_add_body(world, &wheel, NULL, NULL) == MOTE_OK);
  CHECK(mote_world_add_body(world, &pool, NULL, NULL) == MOTE_OK);
  CHECK(mote_world_advance(world, 0.002, NULL) == MOTE_OK);
  CHECK(mote_world_totals(world, &totals, NULL) == MOTE_OK);
  CHECK(totals.kinetic_energy > 1.0);
  CHECK_NEAR(mote_watchdog_kinetic(world), totals.kinetic_energy, 1e-9 * totals.kinetic_energy);
  mote_world_destroy(world);
}

// A box that turns 2 rad in 5 ms makes shorter steps where it may meet a wall, and long ones far from all.
static void test_spin(void) {
  for (int far = 0; far < 2; ++far) {
    mote_world *world = make_world();
    mote_body_def box = mote_body_def_default();
    box.name = "box", box.material = "wood", box.spin[2] = 400.0;
    box.shape = mote_shape_def_box(-0.03, -0.03, -0.03, 0.03, 0.03, 0.03);
    box.shape.move[0] = far ? 0.0 : 0.15;
    CHECK(mote_world_add_body(world, &box, NULL, NULL) == MOTE_OK);
    CHECK(mote_world_step(world, 1.0, NULL) == MOTE_OK);
    CHECK(far ? mote_world_time(world) > 0.002 : mote_world_time(world) < 0.001);
    mote_world_destroy(world);
  }
}

static void judge(mote_body_sight sight, mote_body_fault expected) {
  mote_world *world = make_world();
  mote_body_sight calm = {.bodies = 1, .kinetic = 1.0, .energy = 1.0, .weight = 1.0};
  mote_body_watch_judge(world, &calm);
  CHECK(notes == 0);
  mote_body_watch_judge(world, &sight);
  mote_body_watch_judge(world, &sight);
  CHECK(mote_world_body_fault(world).fault == expected);
  CHECK(notes == (expected != MOTE_BODY_FAULT_NONE));
  CHECK((mote_body_fault_text(expected)[0] != '\0') == (expected != MOTE_BODY_FAULT_NONE));
  mote_world_destroy(world);
}

static void test_faults(void) {
  mote_body_sight calm = {.bodies = 1, .kinetic = 1.0, .energy = 1.0, .weight = 1.0}, s = calm;
  judge(s, MOTE_BODY_FAULT_NONE);
  s.energy = 1.05, judge(s, MOTE_BODY_FAULT_ENERGY);
  s.driven = true, judge(s, MOTE_BODY_FAULT_NONE);
  s = calm, s.speed = 1e9, s.fastest = "it", judge(s, MOTE_BODY_FAULT_SPEED);
  s = calm, s.overlap = 0.03, judge(s, MOTE_BODY_FAULT_OVERLAP);
  s = calm, s.outside = "it", judge(s, MOTE_BODY_FAULT_OUTSIDE);
}

int main(void) {
  test_needle();
  test_stirred();
  test_spin();
  test_faults();
  return test_end();
}
