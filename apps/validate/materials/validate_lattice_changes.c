// Validation of lattices (WIC06) whose neighbours change: energy while they flow, docking by rates, cracks
// that stay open, bodies that do not weld. Theory: docs/theory/lattice.md
#include <math.h>
#include <mote/numeric.h>
#include <mote/world.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/files/input_file.h"
#include "validate/materials/lattice_trial.h"
#include "validate/trial_materials.h"

// --- Energy ------------------------------------------------------------------------------------------------

static double stored_in(mote_lattice_solver *solver) {
  mote_lattice_state state = mote_lattice_solver_state(solver);
  return state.elastic_energy + state.contact_energy;
}

// *most: largest energy over the first; *by_changes: sum of what changes of sites give, over the first.
static void shear(validation *v, int dimensions, double damping, double *most, double *by_changes,
                  size_t *changes) {
  lattice_trial_def def = {
      .dimensions = dimensions, .size = {8.1, 8.1, 5.1}, .poisson = 0.2, .damping = damping};
  lattice_trial t;
  const double none[3] = {0, 0, 0};
  mote_error error;
  if (dimensions == 3) def.size[0] = def.size[1] = 5.1;
  *most = *by_changes = (double)NAN, *changes = 0;
  if (!lattice_trial_open(v, &def, &t)) return;
  double rate = (dimensions == 2 ? 0.3 : 0.35) * mote_lattice_solver_sound(t.solver) / t.edge;
  for (size_t i = 0; i < t.count; ++i) t.v[3 * i] = rate * t.x[3 * i + 1];
  double start = lattice_trial_energy(&t), dt = 0.8 * mote_lattice_solver_limit(t.solver);
  *most = 1, *by_changes = 0;
  for (int k = 0; k < 400; ++k) {
    double before = stored_in(t.solver);
    mote_result result = mote_lattice_solver_assign(t.solver, 0, NULL, &error);
    *by_changes += (stored_in(t.solver) - before) / start;
    if (result == MOTE_OK) result = mote_lattice_solver_advance(t.solver, none, dt, &error);
    if (result != MOTE_OK) {
      validation_error(v, &error);
      break;
    }
    *most = fmax(*most, lattice_trial_energy(&t) / start);
  }
  *changes = mote_lattice_solver_state(t.solver).changes / 2;
  lattice_trial_close(&t);
}

void validate_lattice_energy(validation *v) {
  for (int dimensions = 2; dimensions <= 3; ++dimensions) {
    for (int damped = 0; damped < 2; ++damped) {
      double most, by_changes;
      size_t changes;
      char name[96];
      shear(v, dimensions, damped ? (double)NAN : 0, &most, &by_changes, &changes);
      snprintf(name, sizeof name, "%dD, sheared%s: largest energy over the first", dimensions,
               damped ? ", default damping" : "");
      validation_report(v, &(measure){name, MEASURE_NEAR, fmax(0, most - 1), 0, damped ? 0.001 : 0.02,
                                      "energy does not grow"});
      snprintf(name, sizeof name, "%dD, sheared%s: energy that changes of sites took, over the first",
               dimensions, damped ? ", default damping" : "");
      validation_report(v, &(measure){name, MEASURE_AT_LEAST, -by_changes, 0, 0, "in sum not above 0"});
      snprintf(name, sizeof name, "%dD, sheared%s: pairs that changed", dimensions,
               damped ? ", default damping" : "");
      validation_report(
          v, &(measure){name, damped ? MEASURE_SHOWN : MEASURE_AT_LEAST, (double)changes, 100, 0, "a flow"});
    }
  }
}

// Two squares or boxes in a world that hit each other head-on, undamped: speed of parting over that of
// approach.
static double restitution(validation *v, int dimensions) {
  mote_world_def def = mote_world_def_default();
  mote_material_def material = mote_material_def_default();
  mote_world *world = NULL;
  mote_error error;
  double speed = 0.05 * sqrt(TRIAL_YOUNG / TRIAL_DENSITY), side = 5 * TRIAL_SPACING, mean[2] = {0, 0};
  def.dimensions = dimensions, def.spacing = TRIAL_SPACING;
  memset(def.gravity, 0, sizeof def.gravity);
  make_lattice(&material);
  material.name = "m", material.density = TRIAL_DENSITY;
  material.elastic.young = TRIAL_YOUNG, material.elastic.poisson = 0.2, material.lattice.damping = 0;
  mote_result result = mote_world_create(&def, validation_env(v), &world, &error);
  if (result == MOTE_OK) result = mote_world_add_material(world, &material, NULL, &error);
  for (int k = 0; k < 2 && result == MOTE_OK; ++k) {
    mote_body_def body = mote_body_def_default();
    double x = k == 0 ? 0 : side + 0.5 * TRIAL_SPACING, y = 0.02 * k, z = dimensions == 3 ? side : 0;
    body.name = k == 0 ? "left" : "right", body.material = "m";
    body.shape = mote_shape_def_box(x, y, 0, x + side, y + side, z);
    body.velocity.x.constant = k == 0 ? speed : -speed;
    result = mote_world_add_body(world, &body, NULL, &error);
  }
  if (result == MOTE_OK) result = mote_world_advance(world, 3 * side / speed, &error);
  for (int k = 0; k < 2 && result == MOTE_OK; ++k) {
    mote_body_info info;
    result = mote_world_body_about(world, mote_world_body_at(world, (size_t)k), &info, &error);
    if (result == MOTE_OK) mean[k] = info.velocity[0];
  }
  mote_world_destroy(world);
  if (result != MOTE_OK) return validation_error(v, &error), (double)NAN;
  return (mean[1] - mean[0]) / (2 * speed);
}

void validate_lattice_restitution(validation *v) {
  for (int dimensions = 2; dimensions <= 3; ++dimensions) {
    double e = restitution(v, dimensions);
    char name[96];
    snprintf(name, sizeof name, "%dD: restitution of two undamped bodies", dimensions);
    validation_report(v, &(measure){name, MEASURE_SHOWN, e, 1, 0, "they part, with less than they had"});
    snprintf(name, sizeof name, "%dD: 1 - restitution", dimensions);
    validation_report(v, &(measure){name, MEASURE_AT_LEAST, e > 0 ? 1 - e : -1, 0, 0, "at most 1"});
  }
}

// --- Docking -----------------------------------------------------------------------------------------------

#define PAIR_COUNT 10000

// Pairs that are still apart after `seconds`, in steps of dt.
static double apart_after(validation *v, double rate, double dt, double seconds, uint64_t seed) {
  mote_lattice_solver_def def = mote_lattice_solver_def_default();
  mote_lattice_solver *solver;
  mote_error error;
  double *x = input_take(6 * PAIR_COUNT, sizeof *x), D = TRIAL_SPACING * sqrt(2 / sqrt(3.0));
  for (size_t k = 0; k < PAIR_COUNT; ++k) {
    x[6 * k] = 6 * D * (double)(k % 100), x[6 * k + 1] = 6 * D * (double)(k / 100), x[6 * k + 2] = 0;
    x[6 * k + 3] = x[6 * k] + D, x[6 * k + 4] = x[6 * k + 1], x[6 * k + 5] = 0;
  }
  def.dimensions = 2, def.spacing = TRIAL_SPACING, def.density = TRIAL_DENSITY, def.young = TRIAL_YOUNG;
  def.docking_rate = rate, def.seed = seed, def.apart = true, def.count = 2 * PAIR_COUNT, def.position = x;
  mote_result result = mote_lattice_solver_create(&def, validation_env(v), &solver, &error);
  free(x);
  if (result != MOTE_OK) return validation_error(v, &error), (double)NAN;
  for (double t = 0; t < seconds - 0.5 * dt; t += dt) {
    if (mote_lattice_solver_assign(solver, dt, NULL, &error) != MOTE_OK) validation_error(v, &error);
  }
  double joined = (double)mote_lattice_solver_state(solver).pairs;
  mote_lattice_solver_destroy(solver);
  return PAIR_COUNT - joined;
}

void validate_lattice_docking(validation *v) {
  for (int k = 0; k < 3; ++k) {
    double dt = 0.1 / (1 << k), expected = PAIR_COUNT * mote_exp(-2 * 0.4),
           found = apart_after(v, 2, dt, 0.4, 7 + (uint64_t)k);
    double chi2 = (found - expected) * (found - expected) * (1 / expected + 1 / (PAIR_COUNT - expected));
    char name[96];
    snprintf(name, sizeof name, "pairs that joined at 2/s within 0.4 s, steps of %g s: chi-square", dt);
    validation_report(v, &(measure){name, MEASURE_NEAR, chi2, 0, 10.83, "Poisson, p above 0.001"});
  }
}

// --- Cracks and welds --------------------------------------------------------------------------------------

// Two squares pressed together and drawn apart.
void validate_lattice_weld(validation *v) {
  lattice_trial_def def = {.dimensions = 2, .size = {6.1, 6.1}, .poisson = 0.2, .damping = 0, .second = true};
  lattice_trial t;
  mote_error error;
  def.shift[0] = 7.5 * TRIAL_SPACING;
  if (!lattice_trial_open(v, &def, &t)) return;
  size_t pairs = mote_lattice_solver_state(t.solver).pairs;
  for (int k = 0; k < 200; ++k) {
    double by = (k < 100 ? -0.006 : 0.006) * t.edge;
    for (size_t i = t.first; i < t.count; ++i) t.x[3 * i] += by;
    if (mote_lattice_solver_assign(t.solver, 0.01, NULL, &error) != MOTE_OK) validation_error(v, &error);
  }
  double grown = (double)mote_lattice_solver_state(t.solver).pairs - (double)pairs;
  validation_report(v, &(measure){"pairs that hold together then and did not before", MEASURE_NEAR, grown, 0,
                                  0, "exact: none"});
  lattice_trial_close(&t);
}

enum { CRACK_ROWS = 8, CRACK_COUNT = CRACK_ROWS * CRACK_ROWS };

static mote_lattice_solver *crack_square(validation *v, bool docking, bool two_objects) {
  mote_lattice_solver_def def = mote_lattice_solver_def_default();
  mote_lattice_solver *solver = NULL;
  mote_error error;
  double x[3 * CRACK_COUNT], D = TRIAL_SPACING * sqrt(2 / sqrt(3.0));
  uint32_t object[CRACK_COUNT];
  for (size_t k = 0; k < CRACK_COUNT; ++k) {
    size_t a = k % CRACK_ROWS, b = k / CRACK_ROWS;
    x[3 * k] = D * ((double)a + 0.5 * (double)(b % 2)), x[3 * k + 1] = D * sqrt(0.75) * (double)b,
          x[3 * k + 2] = 0;
    object[k] = two_objects && b >= CRACK_ROWS / 2 ? 2 : 1;
  }
  def.dimensions = 2, def.spacing = TRIAL_SPACING, def.density = TRIAL_DENSITY, def.young = TRIAL_YOUNG;
  def.count = CRACK_COUNT, def.position = x, def.object = object;
  if (docking) def.docking_rate = 100, def.docking_gain = 1e4;
  if (mote_lattice_solver_create(&def, validation_env(v), &solver, &error) != MOTE_OK)
    validation_error(v, &error);
  return solver;
}

static double pairs_of(mote_lattice_solver *solver) {
  return (double)mote_lattice_solver_state(solver).pairs;
}

// A square cut in two by drawing its halves apart, then pressed shut: pairs across the crack over those
// before. Those within the halves are the pairs of two objects.
static double healed(validation *v, bool docking) {
  mote_lattice_solver *solver = crack_square(v, docking, false), *halves = crack_square(v, docking, true);
  double left = (double)NAN, D = TRIAL_SPACING * sqrt(2 / sqrt(3.0));
  mote_error error;
  if (solver != NULL && halves != NULL) {
    double across = pairs_of(solver) - pairs_of(halves), *now = mote_lattice_solver_position(solver);
    for (int k = 0; k < 160; ++k) {
      for (size_t i = CRACK_COUNT / 2; i < CRACK_COUNT; ++i) now[3 * i + 1] += (k < 80 ? 0.03 : -0.03) * D;
      if (mote_lattice_solver_assign(solver, 0.01, NULL, &error) != MOTE_OK) validation_error(v, &error);
    }
    left = (pairs_of(solver) - pairs_of(halves)) / across;
  }
  mote_lattice_solver_destroy(solver), mote_lattice_solver_destroy(halves);
  return left;
}

void validate_lattice_crack(validation *v) {
  validation_report(v, &(measure){"a crack pressed shut, no docking: pairs across it over those before",
                                  MEASURE_NEAR, healed(v, false), 1, 0, "WIC06 4.2: it heals"});
  validation_report(v, &(measure){"a crack pressed shut, docking closed: pairs across it over those before",
                                  MEASURE_NEAR, healed(v, true), 0, 0, "WIC06 4.2: it stays open"});
}
