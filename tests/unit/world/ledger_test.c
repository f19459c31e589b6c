// The energy ledger: it closes, its entries are the work of known forces and losses, it leaves the motion
// alone, and it is state. docs/theory/energy.md
#include "test.h"
#include "world_kit.h"

#define PI 3.14159265358979323846

static const mote_pressure_kind solvers[] = {MOTE_PRESSURE_DFSPH, MOTE_PRESSURE_PCISPH, MOTE_PRESSURE_WCSPH};
enum { SOLVERS = sizeof solvers / sizeof *solvers };

static double entry_of(const mote_world *world, const char *name) {
  mote_ledger_entry entry;
  for (int k = 0; mote_world_ledger(world, k, &entry); ++k) {
    if (strcmp(entry.name, name) == 0) return entry.energy;
  }
  CHECK(false);
  return (double)NAN;
}

static double energy_of(const mote_world *world) {
  mote_totals t;
  CHECK(mote_world_totals(world, &t, NULL) == MOTE_OK);
  return t.kinetic_energy + t.potential_energy + t.elastic_energy;
}

// The sum of all changes; in *largest the largest of them.
static double sum_of(const mote_world *world, double *largest) {
  mote_ledger_entry entry;
  double sum = 0.0;
  *largest = 0.0;
  for (int k = 0; mote_world_ledger(world, k, &entry); ++k) {
    if (entry.work) continue;
    sum += entry.energy;
    *largest = fmax(*largest, fabs(entry.energy));
  }
  return sum;
}

// The changes add up to that of the energy that mote_world_totals finds.
static void check_closing(const mote_world *world, double energy_before) {
  double largest, sum = sum_of(world, &largest);
  CHECK(largest > 0.0);
  CHECK_NEAR(sum, energy_of(world) - energy_before, 1e-9 * largest);
}

// --- Closing ---

static void floating_box(world_kit *kit) {
  world_kit_tank(kit, 3, 0.1);
  kit->material[1] = mote_material_def_default();
  kit->material[1].name = "wood", kit->material[1].density = 500.0, kit->material[1].model = MOTE_KIND_RIGID;
  kit->scene.materials = 2;
  world_kit_body(kit, "pool", mote_shape_def_box(0.0, 0.0, 0.0, 1.0, 0.4, 1.0));
  world_kit_body(kit, "box", mote_shape_def_box(0.3, 0.5, 0.3, 0.6, 0.8, 0.7))->material = "wood";
}

static void elastic_ball(world_kit *kit) {
  world_kit_tank(kit, 2, 0.05);
  kit->material[1] = mote_material_def_default();
  kit->material[1].name = "rubber", kit->material[1].model = MOTE_KIND_ELASTIC;
  kit->material[1].density = 900.0, kit->material[1].elastic.young = 2e5,
  kit->material[1].elastic.poisson = 0.3;
  kit->scene.materials = 2;
  world_kit_body(kit, "pool", mote_shape_def_box(0.0, 0.0, 0.0, 1.0, 0.3, 1.0));
  world_kit_body(kit, "ball", mote_shape_def_sphere(0.5, 0.6, 0.0, 0.15))->material = "rubber";
}

static void everything(world_kit *kit) {
  world_kit_everything(kit, 2, 0.05);
}

static void shifted(world_kit *kit) {
  world_kit_everything(kit, 2, 0.05);
  kit->material[0].surface_tension = 0.07;
  kit->scene.world.solver.shifting = 2.0;
}

static void individual(world_kit *kit) {
  mote_solver_def *solver = &kit->scene.world.solver;
  world_kit_everything(kit, 2, 0.05);
  solver->steps = MOTE_STEPS_INDIVIDUAL, solver->stiffness = 400.0, solver->exponent = 1.0;
  kit->material[1].xsph = 0.0;
}

// Gravity along a periodic side: potential energy jumps where particles wrap.
static void periodic(world_kit *kit) {
  world_kit_tank(kit, 2, 0.05);
  kit->scene.world.gravity[0] = 2.0;
  kit->scene.world.side[0][0] = kit->scene.world.side[0][1] = MOTE_SIDE_PERIODIC;
  world_kit_body(kit, "layer", mote_shape_def_box(0.0, 0.0, 0.0, 1.0, 0.3, 1.0));
}

// Of a packing that does not fit its vessel, which WCSPH separates before the first step.
static void crowded(world_kit *kit) {
  world_kit_tank(kit, 2, 0.05);
  world_kit_body(kit, "pool", mote_shape_def_sphere(0.5, 0.5, 0.0, 0.45))->fill = MOTE_FILL_CUBIC;
  kit->collider[0] = mote_collider_def_default();
  kit->collider[0].name = "vessel", kit->collider[0].shape = kit->body[0].shape;
  kit->collider[0].shape.inverted = true;
  kit->scene.colliders = 1;
}

static void ledgers_close(void) {
  static void (*const make[])(world_kit *) = {everything, shifted,    floating_box, elastic_ball,
                                              periodic,   individual, crowded};
  for (size_t n = 0; n < sizeof make / sizeof *make; ++n) {
    for (int s = 0; s < SOLVERS; ++s) {
      world_kit kit;
      make[n](&kit);
      if (make[n] == individual && solvers[s] != MOTE_PRESSURE_WCSPH) continue;
      kit.scene.world.solver.pressure = solvers[s];
      kit.scene.outputs.ledger = true;
      mote_world *world = world_kit_create(&kit, NULL);
      double before = energy_of(world);
      CHECK(mote_world_advance(world, 0.3, NULL) == MOTE_OK);
      check_closing(world, before);
      mote_world_destroy(world);
    }
  }
}

// --- Work ---

// A column that falls: the work of gravity is what potential energy loses.
static void gravity_works(void) {
  for (int s = 0; s < SOLVERS; ++s) {
    world_kit kit;
    mote_totals before, after;
    world_kit_dam(&kit, 2, 0.04);
    kit.scene.world.solver.pressure = solvers[s];
    kit.scene.outputs.ledger = true;
    mote_world *world = world_kit_create(&kit, NULL);
    CHECK(mote_world_totals(world, &before, NULL) == MOTE_OK);
    CHECK(mote_world_advance(world, 0.35, NULL) == MOTE_OK);
    CHECK(mote_world_totals(world, &after, NULL) == MOTE_OK);
    double lost = before.potential_energy - after.potential_energy;
    CHECK(lost > 0.2 * before.potential_energy);
    CHECK_NEAR(entry_of(world, "work_gravity"), lost, 0.01 * lost);
    CHECK_NEAR(entry_of(world, "work_gravity"), -entry_of(world, "move"), 1e-6 * lost);
    mote_world_destroy(world);
  }
}

// A dam, half of whose weight is a force field: each half does the same work, and the shift lifts as much
// against each.
static void fields_work_as_gravity(void) {
  for (int s = 0; s < SOLVERS; ++s) {
    world_kit kit;
    world_kit_dam(&kit, 2, 0.04);
    kit.scene.world.solver.pressure = solvers[s];
    kit.scene.outputs.ledger = true;
    kit.scene.world.gravity[1] *= 0.5;
    kit.force[0] = mote_force_def_default();
    kit.force[0].name = "weight";
    kit.force[0].acceleration.y.constant = kit.scene.world.gravity[1];
    kit.scene.forces = 1;
    mote_world *world = world_kit_create(&kit, NULL);
    CHECK(mote_world_advance(world, 0.1, NULL) == MOTE_OK);
    double work = entry_of(world, "work_gravity"), lifted = entry_of(world, "shift");
    CHECK(work > 1.0);
    CHECK(solvers[s] == MOTE_PRESSURE_WCSPH || fabs(lifted) > 1e-3);
    CHECK_NEAR(entry_of(world, "work_fields"), work, 1e-6 * work);
    CHECK_NEAR(entry_of(world, "work_shift"), -lifted, 1e-6 * work);
    mote_world_destroy(world);
  }
}

// Water between two pistons that set it in motion, without gravity and friction: the work of their pressures
// is its kinetic energy. Measured: 0.4 to 0.6 %, by half the square of the change of velocity in a step.
static void walls_work(void) {
  for (int s = 0; s < SOLVERS; ++s) {
    world_kit kit;
    world_kit_tank(&kit, 2, 0.025);
    mote_world_def *def = &kit.scene.world;
    def->gravity[1] = 0.0, def->low[0] = -6.0, def->high[0] = 12.0;
    def->solver.pressure = solvers[s], def->solver.step_max = 0.002;
    for (int k = 0; k < 2; ++k) {
      kit.collider[k] = mote_collider_def_default();
      kit.collider[k].motion.move.x.formula = "0.25*(t - sin(pi*t)/pi)";  // to 0.5 m/s at 1 s
    }
    kit.collider[0].name = "left", kit.collider[1].name = "right";
    kit.collider[0].shape = mote_shape_def_box(-5.0, -0.2, 0.0, 0.1, 1.2, 1.0);
    kit.collider[1].shape = mote_shape_def_box(0.5, -0.2, 0.0, 5.0, 1.2, 1.0);
    kit.scene.colliders = 2;
    world_kit_body(&kit, "plug", mote_shape_def_box(0.1, 0.0, 0.0, 0.5, 1.0, 1.0));
    kit.scene.outputs.ledger = true;
    mote_world *world = world_kit_create(&kit, NULL);
    CHECK(mote_world_advance(world, 1.0, NULL) == MOTE_OK);
    double gained = energy_of(world), lost = entry_of(world, "viscosity") + entry_of(world, "collide");
    CHECK_NEAR(gained, 50.0, 2.0);  // 400 kg at 0.5 m/s; WCSPH oscillates
    CHECK_NEAR(entry_of(world, "work_walls"), gained - lost, 0.01 * gained);
    mote_world_destroy(world);
  }
}

// A jet: mass that came in times v^2/2 + g h.
static void emitters_work(void) {
  for (int s = 0; s < SOLVERS; ++s) {
    world_kit kit;
    world_kit_tank(&kit, 2, 0.05);
    kit.emitter[0] = mote_emitter_def_default();
    kit.emitter[0].name = "jet", kit.emitter[0].material = kit.material[0].name;
    kit.emitter[0].centre[0] = 0.1, kit.emitter[0].centre[1] = 0.8, kit.emitter[0].radius = 0.1;
    kit.emitter[0].direction[0] = 1.0, kit.emitter[0].direction[1] = 0.0;
    kit.emitter[0].speed.constant = 2.0;
    kit.scene.emitters = 1;
    kit.scene.world.solver.pressure = solvers[s];
    kit.scene.outputs.ledger = true;
    mote_world *world = world_kit_create(&kit, NULL);
    CHECK(mote_world_advance(world, 0.3, NULL) == MOTE_OK);
    mote_totals totals;
    CHECK(mote_world_totals(world, &totals, NULL) == MOTE_OK && totals.emitted > 40);
    double brought = totals.mass * (0.5 * 2.0 * 2.0 + 9.81 * 0.8);
    CHECK_NEAR(entry_of(world, "emit"), brought, 0.001 * brought);
    CHECK_NEAR(entry_of(world, "work_emitters"), entry_of(world, "emit"), 1e-9 * brought);
    mote_world_destroy(world);
  }
}

// --- Known losses are found in their stage ---

// A wind brakes a block in flight: 2 m/s to 1 m/s, and nothing else acts.
static void force_fields_are_found(void) {
  world_kit kit;
  world_kit_tank(&kit, 2, 0.05);
  kit.scene.world.gravity[1] = 0.0;
  kit.scene.world.side[0][0] = kit.scene.world.side[0][1] = MOTE_SIDE_PERIODIC;
  world_kit_body(&kit, "block", mote_shape_def_box(0.2, 0.3, 0.0, 0.6, 0.7, 1.0))->velocity =
      mote_value3_make(2.0, 0.0, 0.0);
  kit.force[0] = mote_force_def_default();
  kit.force[0].name = "wind", kit.force[0].acceleration = mote_value3_make(-4.0, 0.0, 0.0);
  kit.scene.forces = 1;
  kit.scene.outputs.ledger = true;
  mote_world *world = world_kit_create(&kit, NULL);
  double before = energy_of(world), lost = -0.75 * before;
  CHECK(mote_world_advance(world, 0.25, NULL) == MOTE_OK);
  CHECK_NEAR(entry_of(world, "force_fields"), lost, 1e-5 * before);
  CHECK_NEAR(energy_of(world) - before, lost, 1e-5 * before);
  CHECK_NEAR(entry_of(world, "gravity"), 0.0, 1e-5 * before);
  mote_world_destroy(world);
}

// A shear wave sin(k y) in a periodic box: viscosity takes 1 - exp(-2 nu k^2 t) of its energy. The Laplacian
// of 20 particles a wave is 0.8 % off.
static void viscosity_is_found(mote_viscosity_solve solve, double viscosity, double time) {
  world_kit kit;
  world_kit_tank(&kit, 2, 0.05);
  kit.scene.world.gravity[1] = 0.0;
  kit.scene.world.solver.viscosity_solve = solve;
  for (int a = 0; a < 2; ++a) kit.scene.world.side[a][0] = kit.scene.world.side[a][1] = MOTE_SIDE_PERIODIC;
  kit.material[0].viscosity = viscosity;
  world_kit_body(&kit, "all", mote_shape_def_box(0.0, 0.0, 0.0, 1.0, 1.0, 1.0))->velocity.x.formula =
      "0.1*sin(2*pi*y)";
  kit.scene.outputs.ledger = true;
  mote_world *world = world_kit_create(&kit, NULL);
  double before = energy_of(world), k = 2.0 * PI;
  CHECK(mote_world_advance(world, time, NULL) == MOTE_OK);
  double lost = -before * (1.0 - exp(-2.0 * 1e-3 * viscosity * k * k * time));
  CHECK_NEAR(entry_of(world, "viscosity"), lost, -0.02 * lost);
  CHECK_NEAR(energy_of(world) - before, entry_of(world, "viscosity"), -0.01 * lost);
  mote_world_destroy(world);
}

// --- What it leaves alone ---

static void ledgers_change_no_motion(void) {
  world_kit kit;
  world_kit_everything(&kit, 2, 0.05);
  mote_world *without = world_kit_create(&kit, NULL);
  kit.scene.outputs.ledger = true;
  mote_world *with = world_kit_create(&kit, NULL), *stopped = world_kit_create(&kit, NULL);
  mote_ledger_entry entry;
  CHECK(!mote_world_ledger(without, 0, &entry) && mote_world_ledger(with, 0, &entry));
  CHECK(!mote_world_ledger(with, -1, &entry) && !mote_world_ledger(with, 1000, &entry));
  CHECK(mote_world_keep_ledger(stopped, false, NULL) == MOTE_OK && !mote_world_ledger(stopped, 0, &entry));
  CHECK(mote_world_advance(without, 0.2, NULL) == MOTE_OK && mote_world_advance(with, 0.2, NULL) == MOTE_OK);
  CHECK(mote_world_advance(stopped, 0.2, NULL) == MOTE_OK);
  CHECK(mote_world_motion_hash(with) == mote_world_motion_hash(without));
  CHECK(mote_world_hash(with) != mote_world_hash(without));
  CHECK(mote_world_hash(stopped) == mote_world_hash(without));
  mote_world_destroy(without);
  mote_world_destroy(with);
  mote_world_destroy(stopped);
}

// --- State ---

static void check_same(const mote_world *a, const mote_world *b) {
  mote_ledger_entry one, other;
  int k = 0;
  for (; mote_world_ledger(a, k, &one) && mote_world_ledger(b, k, &other); ++k)
    CHECK(one.energy == other.energy && strcmp(one.name, other.name) == 0);
  CHECK(k > 10 && mote_world_hash(a) == mote_world_hash(b));
}

// Saved in the middle of a frame, and gone on with on three threads.
static void ledgers_resume(void) {
  for (int s = 0; s < SOLVERS; ++s) {
    world_kit kit;
    mote_env one = world_kit_env(1), three = world_kit_env(3);
    world_kit_everything(&kit, 2, 0.04);
    kit.scene.world.solver.pressure = solvers[s];
    kit.scene.outputs.ledger = true;
    mote_world *straight = world_kit_create(&kit, &one), *first = world_kit_create(&kit, &three);
    mote_world *second = world_kit_create(&kit, &three);
    CHECK(mote_world_advance(straight, 0.1, NULL) == MOTE_OK &&
          mote_world_advance(straight, 0.2, NULL) == MOTE_OK);
    CHECK(mote_world_advance(first, 0.1, NULL) == MOTE_OK);
    for (int n = 0; n < 7; ++n) CHECK(mote_world_step(first, 0.2, NULL) == MOTE_OK);
    kit_bytes bytes = world_kit_save(first);
    CHECK(world_kit_load(second, &bytes, NULL) == MOTE_OK);
    CHECK(mote_world_advance(second, 0.2, NULL) == MOTE_OK &&
          mote_world_advance(first, 0.2, NULL) == MOTE_OK);
    check_same(straight, first);
    check_same(straight, second);
    free(bytes.data);
    mote_world_destroy(straight);
    mote_world_destroy(first);
    mote_world_destroy(second);
  }
}

// A ledger is an output: a snapshot with one is read without, and the other way round it begins there.
static void ledgers_come_and_go(void) {
  world_kit kit;
  world_kit_dam(&kit, 2, 0.05);
  mote_world *without = world_kit_create(&kit, NULL);
  kit.scene.outputs.ledger = true;
  mote_world *with = world_kit_create(&kit, NULL);
  mote_ledger_entry entry;
  CHECK(mote_world_advance(without, 0.1, NULL) == MOTE_OK && mote_world_advance(with, 0.1, NULL) == MOTE_OK);
  kit_bytes has = world_kit_save(with), lacks = world_kit_save(without);
  CHECK(world_kit_load(without, &has, NULL) == MOTE_OK && !mote_world_ledger(without, 0, &entry));
  CHECK(world_kit_load(with, &lacks, NULL) == MOTE_OK && entry_of(with, "gravity") == 0.0);
  double before = energy_of(with);
  CHECK(mote_world_advance(without, 0.2, NULL) == MOTE_OK && mote_world_advance(with, 0.2, NULL) == MOTE_OK);
  CHECK(mote_world_motion_hash(with) == mote_world_motion_hash(without));
  check_closing(with, before);
  free(has.data);
  free(lacks.data);
  mote_world_destroy(without);
  mote_world_destroy(with);
}

int main(void) {
  ledgers_close();
  gravity_works();
  fields_work_as_gravity();
  TEST_LONG(walls_work());
  emitters_work();
  force_fields_are_found();
  viscosity_is_found(MOTE_VISCOSITY_EXPLICIT, 5.0, 1.0);
  viscosity_is_found(MOTE_VISCOSITY_IMPLICIT, 100.0, 0.05);
  viscosity_is_found(MOTE_VISCOSITY_IMPLICIT, 5.0, 0.5);
  viscosity_is_found(MOTE_VISCOSITY_IMPLICIT, 0.5, 0.5);
  ledgers_change_no_motion();
  ledgers_resume();
  ledgers_come_and_go();
  return test_end();
}
