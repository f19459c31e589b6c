// Individual steps against exact motions: free fall, whose steps shrink, also when blocks are cut short; and
// oscillators, of order 2. Blocks end where frames do, and waste nothing where all steps are the same.
#include "test.h"
#include "world_kit.h"

#define PI 3.14159265358979323846

// An open world, soft enough that speed limits steps, not sound.
static void sky(world_kit *kit, double spacing) {
  world_kit_tank(kit, 2, spacing);
  for (int a = 0; a < 2; ++a) {
    kit->scene.world.low[a] = -HUGE_VAL, kit->scene.world.high[a] = HUGE_VAL;
    kit->scene.world.side[a][0] = kit->scene.world.side[a][1] = MOTE_SIDE_OPEN;
  }
  mote_solver_def *solver = &kit->scene.world.solver;
  solver->pressure = MOTE_PRESSURE_WCSPH, solver->steps = MOTE_STEPS_INDIVIDUAL;
  solver->stiffness = 1e-3, solver->exponent = 1.0;
  kit->scene.world.speed_limit = 1e6;
}

// A particle alone.
static mote_body_def *lone(world_kit *kit, const char *name, double x, double y) {
  double r = 0.5 * kit->scene.world.spacing;
  return world_kit_body(kit, name, mote_shape_def_box(x - r, y - r, 0.0, x + r, y + r, 0.0));
}

// The position of particle `id`.
static void place_of(const mote_world *world, uint64_t id, double x[3]) {
  mote_field_view ids = mote_world_view(world, "id"), places = mote_world_view(world, "position");
  for (size_t i = 0; i < ids.count; ++i) {
    if (((const uint64_t *)ids.data)[i] == id) memcpy(x, (const double *)places.data + 3 * i, 3 * sizeof *x);
  }
}

static void fall(world_kit *kit) {
  sky(kit, 0.1);
  lone(kit, "slow", 0.0, 0.0)->velocity = mote_value3_make(0.25, 0.0, 0.0);
  lone(kit, "fast", 2.0, 0.0)->velocity = mote_value3_make(20.0, 1.0, 0.0);
}

static void check_fall(const mote_world *world, double g) {
  const double x0[2] = {0.0, 2.0}, u[2] = {0.25, 20.0}, v[2] = {0.0, 1.0};
  double t = mote_world_time(world);
  for (size_t k = 0; k < 2; ++k) {
    double x[3] = {0};
    place_of(world, k, x);
    CHECK_NEAR(x[0], x0[k] + u[k] * t, 1e-5);
    CHECK_NEAR(x[1], v[k] * t + 0.5 * g * t * t, 1e-5);
  }
}

static void free_fall_is_exact(void) {
  world_kit kit;
  fall(&kit);
  mote_world *world = world_kit_create(&kit, NULL);
  CHECK(mote_world_advance(world, 0.3, NULL) == MOTE_OK && mote_world_time(world) == 0.3);
  check_fall(world, kit.scene.world.gravity[1]);
  CHECK(mote_world_advance(world, 0.7, NULL) == MOTE_OK && mote_world_time(world) == 0.7);
  check_fall(world, kit.scene.world.gravity[1]);
  mote_totals totals;
  CHECK(mote_world_totals(world, &totals, NULL) == MOTE_OK);
  CHECK(totals.evaluations < totals.evaluations_all && totals.evaluations_all == 2 * mote_world_steps(world));
  mote_world_destroy(world);
}

// Steps that end before their time: positions are corrected, DES96 5.2.
static void cut_blocks_are_exact(void) {
  world_kit kit;
  fall(&kit);
  kit.scene.world.solver.step_max = 0.04;  // then an uncorrected position is wrong by a millimetre
  mote_world *world = world_kit_create(&kit, NULL);
  for (int n = 1; n <= 20; ++n) {
    for (int k = 0; k < 3; ++k) CHECK(mote_world_step(world, 10.0 + n, NULL) == MOTE_OK);
    CHECK(mote_world_advance(world, mote_world_time(world) + 1e-3 * n, NULL) == MOTE_OK);
    check_fall(world, kit.scene.world.gravity[1]);
  }
  mote_world_destroy(world);
}

// The larger error of two oscillators after 1.1 s; they have steps that differ, and change as they swing.
static double swing(double cfl, uint64_t *evaluations, uint64_t *all) {
  world_kit kit;
  sky(&kit, 0.1);
  kit.scene.world.gravity[1] = 0.0;
  kit.scene.world.solver.cfl = cfl, kit.scene.world.solver.step_max = 0.04 * cfl;  // all steps as cfl
  kit.force[0] = mote_force_def_default();
  kit.force[0].name = "spring";
  kit.force[0].acceleration.x.formula = "-(2*pi)^2*(y < 1 ? 1 : 36)*x";
  kit.scene.forces = 1;
  lone(&kit, "slow", 0.3, 0.0);
  lone(&kit, "fast", 0.3, 2.0);
  mote_world *world = world_kit_create(&kit, NULL);
  CHECK(mote_world_advance(world, 1.1, NULL) == MOTE_OK);
  double worst = 0.0;
  for (size_t k = 0; k < 2; ++k) {
    double x[3] = {0};
    place_of(world, k, x);
    worst = fmax(worst, fabs(x[0] - 0.3 * cos(2.0 * PI * (k == 0 ? 1.0 : 6.0) * 1.1)));
  }
  mote_totals totals;
  CHECK(mote_world_totals(world, &totals, NULL) == MOTE_OK);
  *evaluations = totals.evaluations, *all = totals.evaluations_all;
  mote_world_destroy(world);
  return worst;
}

static void oscillators_are_of_order_two(void) {
  uint64_t made, all;
  double coarse = swing(0.1, &made, &all), fine = swing(0.025, &made, &all);
  double order = log(coarse / fine) / log(4.0);
  if (!CHECK(order > 1.8)) printf("errors %g, %g: order %g\n", coarse, fine, order);
  CHECK(fine < 1e-3 && all > 6 * made / 5);
}

// Where all have the same limit, steps are those of one step for all, and frames are met.
static void equal_steps_are_global(void) {
  uint64_t steps[2];
  for (int k = 0; k < 2; ++k) {
    world_kit kit;
    world_kit_dam(&kit, 2, 0.05);
    kit.scene.world.solver.pressure = MOTE_PRESSURE_WCSPH;
    kit.scene.world.solver.steps = k == 0 ? MOTE_STEPS_GLOBAL : MOTE_STEPS_INDIVIDUAL;
    mote_world *world = world_kit_create(&kit, NULL);
    for (int n = 1; n <= 5; ++n) {
      CHECK(mote_world_advance(world, 0.01 * n, NULL) == MOTE_OK && mote_world_time(world) == 0.01 * n);
    }
    steps[k] = mote_world_steps(world);
    mote_world_destroy(world);
  }
  CHECK(steps[1] <= steps[0] + steps[0] / 50);
}

int main(void) {
  free_fall_is_exact();
  cut_blocks_are_exact();
  oscillators_are_of_order_two();
  equal_steps_are_global();
  return test_end();
}
