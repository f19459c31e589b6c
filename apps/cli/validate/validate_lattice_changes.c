// Validation of lattices (WIC06) whose neighbours change: energy while they flow, docking by rates, cracks
// that stay open, bodies that do not weld. Theory: docs/theory/lattice.md
#include <math.h>
#include <mote/numeric.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lattice_trial.h"
#include "sample_input.h"

// --- Energy ------------------------------------------------------------------------------------------------

static void shear(validation *v, int dimensions, double damping, double *most, size_t *changes) {
  lattice_trial_def def = {
      .dimensions = dimensions, .size = {8.1, 8.1, 5.1}, .poisson = 0.2, .damping = damping};
  lattice_trial t;
  const double none[3] = {0, 0, 0};
  mote_error error;
  if (dimensions == 3) def.size[0] = def.size[1] = 5.1;
  *most = (double)NAN, *changes = 0;
  if (!lattice_trial_open(v, &def, &t)) return;
  double rate = (dimensions == 2 ? 0.3 : 0.35) * mote_lattice_solver_sound(t.solver) / t.edge;
  for (size_t i = 0; i < t.count; ++i) t.v[3 * i] = rate * t.x[3 * i + 1];
  double start = lattice_trial_energy(&t), dt = 0.8 * mote_lattice_solver_limit(t.solver);
  *most = 1;
  for (int k = 0; k < 400; ++k) {
    if (mote_lattice_solver_advance(t.solver, none, dt, &error) != MOTE_OK) {
      validation_error(v, &error);
      break;
    }
    *most = fmax(*most, lattice_trial_energy(&t) / start);
  }
  *changes = mote_lattice_solver_state(t.solver).changes / 2;
  lattice_trial_close(&t);
}

static void run_energy(validation *v) {
  for (int dimensions = 2; dimensions <= 3; ++dimensions) {
    for (int damped = 0; damped < 2; ++damped) {
      double most;
      size_t changes;
      char name[96];
      shear(v, dimensions, damped ? (double)NAN : 0, &most, &changes);
      snprintf(name, sizeof name, "%dD, sheared%s: largest energy over the first", dimensions,
               damped ? ", default damping" : "");
      validation_report(v, &(measure){name, MEASURE_NEAR, fmax(0, most - 1), 0, damped ? 0.001 : 0.02,
                                      "energy does not grow"});
      snprintf(name, sizeof name, "%dD, sheared%s: pairs that changed", dimensions,
               damped ? ", default damping" : "");
      validation_report(
          v, &(measure){name, damped ? MEASURE_SHOWN : MEASURE_AT_LEAST, (double)changes, 100, 0, "a flow"});
    }
  }
}

// --- Docking -----------------------------------------------------------------------------------------------

#define PAIRS 10000

// Pairs that are still apart after `seconds`, in steps of dt.
static double apart_after(validation *v, double rate, double dt, double seconds, uint64_t seed) {
  mote_lattice_solver_def def = mote_lattice_solver_def_default();
  mote_lattice_solver *solver;
  mote_error error;
  double *x = input_take(6 * PAIRS, sizeof *x), D = TRIAL_SPACING * sqrt(2 / sqrt(3.0));
  for (size_t k = 0; k < PAIRS; ++k) {
    x[6 * k] = 6 * D * (double)(k % 100), x[6 * k + 1] = 6 * D * (double)(k / 100), x[6 * k + 2] = 0;
    x[6 * k + 3] = x[6 * k] + D, x[6 * k + 4] = x[6 * k + 1], x[6 * k + 5] = 0;
  }
  def.dimensions = 2, def.spacing = TRIAL_SPACING, def.density = TRIAL_DENSITY, def.young = TRIAL_YOUNG;
  def.docking_rate = rate, def.seed = seed, def.apart = true, def.count = 2 * PAIRS, def.position = x;
  mote_result result = mote_lattice_solver_create(&def, validation_env(v), &solver, &error);
  free(x);
  if (result != MOTE_OK) return validation_error(v, &error), (double)NAN;
  for (double t = 0; t < seconds - 0.5 * dt; t += dt) {
    if (mote_lattice_solver_assign(solver, dt, NULL, &error) != MOTE_OK) validation_error(v, &error);
  }
  double joined = (double)mote_lattice_solver_state(solver).pairs;
  mote_lattice_solver_destroy(solver);
  return PAIRS - joined;
}

static void run_docking(validation *v) {
  for (int k = 0; k < 3; ++k) {
    double dt = 0.1 / (1 << k), expected = PAIRS * mote_exp(-2 * 0.4),
           found = apart_after(v, 2, dt, 0.4, 7 + (uint64_t)k);
    double chi2 = (found - expected) * (found - expected) * (1 / expected + 1 / (PAIRS - expected));
    char name[96];
    snprintf(name, sizeof name, "pairs that joined at 2/s within 0.4 s, steps of %g s: chi-square", dt);
    validation_report(v, &(measure){name, MEASURE_NEAR, chi2, 0, 10.83, "Poisson, p above 0.001"});
  }
}

// --- Cracks and welds --------------------------------------------------------------------------------------

// Two squares pressed together and drawn apart: the largest force between them that pulls, over the largest.
static void run_weld(validation *v) {
  lattice_trial_def def = {.dimensions = 2, .size = {6.1, 6.1}, .poisson = 0.2, .damping = 0, .second = true};
  lattice_trial t;
  double pushed = 0, pulled = 0;
  mote_error error;
  def.shift[0] = 7.5 * TRIAL_SPACING;
  if (!lattice_trial_open(v, &def, &t)) return;
  size_t pairs = mote_lattice_solver_state(t.solver).pairs;
  for (int k = 0; k < 200; ++k) {
    double by = (k < 100 ? -0.006 : 0.006) * t.edge, sum = 0;
    for (size_t i = t.first; i < t.count; ++i) t.x[3 * i] += by;
    if (mote_lattice_solver_assign(t.solver, 0.01, NULL, &error) != MOTE_OK) validation_error(v, &error);
    mote_lattice_solver_forces(t.solver, t.force);
    for (size_t i = t.first; i < t.count; ++i) sum += t.force[3 * i];
    pushed = fmax(pushed, sum), pulled = fmax(pulled, -sum);
  }
  double grown = (double)mote_lattice_solver_state(t.solver).pairs - (double)pairs;
  validation_report(v, &(measure){"two objects pressed together: force that pulls, over that which pushes",
                                  MEASURE_NEAR, pulled / pushed, 0, 1e-12, "exact: none"});
  validation_report(v, &(measure){"pairs that hold together then and did not before", MEASURE_NEAR, grown, 0,
                                  0, "exact: none"});
  lattice_trial_close(&t);
}

// A square cut in two by drawing its halves apart, then pressed shut: with docking nothing joins, without all
// does.
static double healed(validation *v, bool docking) {
  mote_lattice_solver_def def = mote_lattice_solver_def_default();
  mote_lattice_solver *solver;
  mote_error error;
  enum { ROWS = 8 };
  double x[3 * ROWS * ROWS], D = TRIAL_SPACING * sqrt(2 / sqrt(3.0));
  for (size_t k = 0; k < ROWS * ROWS; ++k) {
    size_t a = k % ROWS, b = k / ROWS;
    x[3 * k] = D * ((double)a + 0.5 * (double)(b % 2)), x[3 * k + 1] = D * sqrt(0.75) * (double)b,
          x[3 * k + 2] = 0;
  }
  def.dimensions = 2, def.spacing = TRIAL_SPACING, def.density = TRIAL_DENSITY, def.young = TRIAL_YOUNG;
  def.count = ROWS * ROWS, def.position = x;
  if (docking) def.docking_rate = 100, def.docking_gain = 1e4;
  if (mote_lattice_solver_create(&def, validation_env(v), &solver, &error) != MOTE_OK)
    return validation_error(v, &error), (double)NAN;
  double whole = (double)mote_lattice_solver_state(solver).pairs, *now = mote_lattice_solver_position(solver);
  for (int k = 0; k < 160; ++k) {
    double by = k < 80 ? 0.03 * D : -0.03 * D;
    for (size_t i = ROWS * ROWS / 2; i < ROWS * ROWS; ++i) now[3 * i + 1] += by;
    if (mote_lattice_solver_assign(solver, 0.01, NULL, &error) != MOTE_OK) validation_error(v, &error);
  }
  double left = (double)mote_lattice_solver_state(solver).pairs;
  mote_lattice_solver_destroy(solver);
  return left / whole;
}

static void run_crack(validation *v) {
  double open = healed(v, true), shut = healed(v, false);
  validation_report(v, &(measure){"a crack pressed shut, no docking: pairs over those before", MEASURE_NEAR,
                                  shut, 1, 0, "WIC06 4.2: it heals"});
  validation_report(v, &(measure){"a crack pressed shut, docking closed: pairs over those before",
                                  MEASURE_SHOWN, open, 1, 0, "WIC06 4.2: fewer, it stays open"});
}

const validation_case validate_lattice_change_cases[] = {
    {"lattice-energy", "materials", "energy of a sheared lattice whose pairs change", run_energy},
    {"lattice-docking", "materials", "pairs join by their rates whatever the step", run_docking},
    {"lattice-weld", "materials", "two objects pressed together do not weld", run_weld},
    {"lattice-crack", "materials", "an opened crack stays open", run_crack},
    {NULL, NULL, NULL, NULL},
};
