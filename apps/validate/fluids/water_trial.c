// What the cases of water at the default settings share: see water_trial.h.
#include "validate/fluids/water_trial.h"

#include <math.h>
#include <mote/numeric.h>
#include <stdio.h>

#include "cli/base/app_assert.h"
#include "validate/fluids/free_references.h"

static const struct {
  mote_pressure_kind pressure;
  const char *name;
} solvers[WATER_SOLVERS] = {
    {MOTE_PRESSURE_DFSPH, "DFSPH"}, {MOTE_PRESSURE_PCISPH, "PCISPH"}, {MOTE_PRESSURE_WCSPH, "WCSPH"}};

mote_pressure_kind water_pressure(int solver) {
  return solvers[solver].pressure;
}

const char *water_solver_name(int solver) {
  return solvers[solver].name;
}

int water_solvers(const validation *v) {
  return validation_quick(v) ? 1 : WATER_SOLVERS;
}

void water_scene_make(free_scene *s, int solver, double length, double depth, double spacing) {
  APP_ASSERT(solver >= 0 && solver < WATER_SOLVERS);
  free_scene_make(s, 2, spacing);
  mote_world_def *world = &s->scene.world;
  world->solver = mote_world_def_default().solver;
  world->solver.pressure = water_pressure(solver);
  world->low[0] = world->low[1] = 0.0, world->high[0] = length;
  world->side[0][0] = world->side[0][1] = world->side[1][0] = MOTE_SIDE_WALL;
  s->water.viscosity = 0.0;
  s->body.shape = mote_shape_def_box(0, 0, 0, length, depth, 1);
}

// --- The first mode ---------------------------------------------------------------------------------------

double water_mode_frequency(double length, double depth) {
  return wave_frequency(WATER_GRAVITY, WATER_PI / length, depth);
}

// A omega / sinh(k h) times -cosh(k y) sin(k x) and sinh(k y) cos(k x)
void water_mode_start(free_scene *s, double length, double depth, double amplitude, water_mode *formulas) {
  APP_ASSERT(length > 0.0 && depth > 0.0);
  double k = WATER_PI / length;
  double speed = amplitude * water_mode_frequency(length, depth) / (1.0 - mote_exp(-2.0 * k * depth));
  snprintf(formulas->across, sizeof formulas->across,
           "%.17g*(exp(%.17g*(y-%g))+exp(-%.17g*(y+%g)))*sin(%.17g*x)", -speed, k, depth, k, depth, k);
  snprintf(formulas->up, sizeof formulas->up, "%.17g*(exp(%.17g*(y-%g))-exp(-%.17g*(y+%g)))*cos(%.17g*x)",
           speed, k, depth, k, depth, k);
  s->body.velocity.x.formula = formulas->across, s->body.velocity.y.formula = formulas->up;
}

double water_mode_amplitude(const mote_world *world, double length) {
  mote_field_view x = mote_world_view(world, "position"), m = mote_world_view(world, "mass");
  double sum = 0.0;
  for (size_t i = 0; i < x.count; ++i) {
    double phase = WATER_PI / length * ((const double *)x.data)[3 * i];
    sum += (double)((const float *)m.data)[i] * mote_cos(phase);
  }
  return 2.0 * sum / (mote_material_def_default().density * length);
}

// --- The ledger -------------------------------------------------------------------------------------------

static mote_result energy_of(const mote_world *world, double *out, mote_error *error) {
  mote_totals totals;
  mote_result result = mote_world_totals(world, &totals, error);
  if (!result) *out = totals.kinetic_energy + totals.potential_energy + totals.elastic_energy;
  return result;
}

mote_result water_ledger_begin(water_ledger *ledger, mote_world *world, mote_error *error) {
  mote_result result = mote_world_keep_ledger(world, true, error);
  return result ? result : energy_of(world, &ledger->energy, error);
}

mote_result water_ledger_error(const water_ledger *ledger, const mote_world *world, double *out,
                               mote_error *error) {
  double energy = 0.0, sum = 0.0, largest = 0.0;
  mote_ledger_entry entry;
  mote_result result = energy_of(world, &energy, error);
  for (int k = 0; mote_world_ledger(world, k, &entry); ++k) {
    if (entry.work) continue;
    sum += entry.energy, largest = fmax(largest, fabs(entry.energy));
  }
  *out = fabs(sum - (energy - ledger->energy)) / largest;
  return result;
}

// --- Runs and rows ----------------------------------------------------------------------------------------

typedef struct ledger_sample {
  const fluid_run *run;
  water_ledger ledger;
  double error;
} ledger_sample;

static mote_result take_sample(void *user, mote_world *world, int k, mote_error *error) {
  APP_ASSERT(k < ((const ledger_sample *)user)->run->times);
  ledger_sample *l = user;
  mote_result result = k == 0 ? water_ledger_begin(&l->ledger, world, error) : MOTE_OK;
  if (!result) result = l->run->measure(l->run->user, world, k, error);
  if (!result && k == l->run->times - 1) result = water_ledger_error(&l->ledger, world, &l->error, error);
  return result;
}

bool water_run(validation *v, int solver, const char *label, const fluid_run *run) {
  ledger_sample with = {.run = run};
  fluid_run kept = *run;
  kept.measure = take_sample, kept.user = &with;
  mote_error error;
  if (fluid_run_scene(&kept, validation_env(v), &error)) {
    validation_error(v, &error);
    return false;
  }
  const measure row = {"ledger error / largest entry", MEASURE_NEAR, with.error, 0.0, 1e-5,
                       "docs/theory/energy.md"};
  water_report(v, solver, label, &row);
  return true;
}

void water_report(validation *v, int solver, const char *label, const measure *m) {
  APP_ASSERT(solver >= 0 && solver < WATER_SOLVERS);
  char name[160];
  measure row = *m;
  snprintf(name, sizeof name, "%s, %s, %s", m->name, label, solvers[solver].name);
  row.name = name;
  validation_report(v, &row);
}

// --- A damped swing ---------------------------------------------------------------------------------------

#define UNKNOWN_COUNT 4
#define FIT_STEPS 40

// Solves the normal equations a x = b by elimination with pivots.
static bool eliminate(double a[UNKNOWN_COUNT][UNKNOWN_COUNT + 1], double x[UNKNOWN_COUNT]) {
  for (int k = 0; k < UNKNOWN_COUNT; ++k) {
    int pivot = k;
    for (int i = k + 1; i < UNKNOWN_COUNT; ++i) pivot = fabs(a[i][k]) > fabs(a[pivot][k]) ? i : pivot;
    if (a[pivot][k] == 0.0) return false;
    for (int j = 0; j <= UNKNOWN_COUNT; ++j) {
      double swap = a[k][j];
      a[k][j] = a[pivot][j], a[pivot][j] = swap;
    }
    for (int i = k + 1; i < UNKNOWN_COUNT; ++i) {
      double factor = a[i][k] / a[k][k];
      for (int j = k; j <= UNKNOWN_COUNT; ++j) a[i][j] -= factor * a[k][j];
    }
  }
  for (int k = UNKNOWN_COUNT - 1; k >= 0; --k) {
    x[k] = a[k][UNKNOWN_COUNT];
    for (int j = k + 1; j < UNKNOWN_COUNT; ++j) x[k] -= a[k][j] * x[j];
    x[k] /= a[k][k];
  }
  return true;
}

// Derivatives of the swing by c, s, decay and frequency; returns its value.
static double swing_at(const water_swing *w, double t, double slope[UNKNOWN_COUNT]) {
  double e = mote_exp(-w->decay * t), c = e * mote_cos(w->frequency * t), s = e * mote_sin(w->frequency * t);
  double value = w->c * c + w->s * s;
  slope[0] = c, slope[1] = s, slope[2] = -t * value, slope[3] = t * (w->s * c - w->c * s);
  return value;
}

water_swing water_swing_fit(const double *time, const double *value, size_t count, double frequency) {
  APP_ASSERT(count >= UNKNOWN_COUNT && frequency > 0.0);
  water_swing w = {.frequency = frequency};
  for (int n = 0; n < FIT_STEPS; ++n) {
    double a[UNKNOWN_COUNT][UNKNOWN_COUNT + 1] = {{0}}, x[UNKNOWN_COUNT], slope[UNKNOWN_COUNT];
    for (size_t k = 0; k < count; ++k) {
      double rest = value[k] - swing_at(&w, time[k], slope);
      for (int i = 0; i < UNKNOWN_COUNT; ++i) {
        for (int j = 0; j < UNKNOWN_COUNT; ++j) a[i][j] += slope[i] * slope[j];
        a[i][UNKNOWN_COUNT] += slope[i] * rest;
      }
    }
    if (n == 0) a[2][2] = a[3][3] = 1.0;  // without an amplitude neither decay nor frequency is felt
    if (!eliminate(a, x)) break;
    w.c += x[0], w.s += x[1], w.decay += x[2], w.frequency += x[3];
  }
  return w;
}
