// Validation: a still pool in three dimensions at the default settings, from rest and from a drop of half a
// spacing. Water at rest must come to rest: speeds of all particles as parts of sqrt(g H), the slope of the
// pressure (as in world-still) and the level.
#include <math.h>
#include <stdio.h>

#include "validate/fluids/water_trial.h"
#include "validate/world/vessels.h"

#define FRAMES_PER_S 10

typedef struct pool_times {
  int rows, begin, end;  // observed from frame begin on to frame end
} pool_times;

typedef struct calm {
  double speed_max, speed_rms;  // largest of any frame, m/s
  double slope;                 // of the pressure over depth, as a part of rho g
  double level;                 // at the end, m
  double ledger_error;
} calm;

static mote_result observe(mote_world *world, mote_probe gauge, const vessel *pool, pool_times times,
                           calm *out, mote_error *error) {
  vessel_fit inner = {0}, to_floor = {0};
  mote_totals totals = {0};
  mote_reading reading = {0};
  water_ledger ledger;
  mote_result result = water_ledger_begin(&ledger, world, error);
  for (int k = 1; k <= times.end && !result; ++k) {
    result = mote_world_advance(world, (double)k / FRAMES_PER_S, error);
    if (!result) result = mote_world_totals(world, &totals, error);
    if (result || k < times.begin) continue;
    out->speed_max = fmax(out->speed_max, totals.speed_max);
    out->speed_rms = fmax(out->speed_rms, sqrt(2.0 * totals.kinetic_energy / totals.mass));
    vessel_add_pressures(world, pool, &inner, &to_floor);
  }
  out->slope = vessel_slope(&inner);
  if (!result) result = mote_world_probe(world, gauge, &reading, error);
  out->level = reading.level;
  return result ? result : water_ledger_error(&ledger, world, &out->ledger_error, error);
}

static void judge(validation *v, int solver, const char *label, const vessel *pool, const calm *c) {
  double root = sqrt(WATER_GRAVITY * pool->depth);
  measure_kind speeds = validation_quick(v) ? MEASURE_SHOWN : MEASURE_NEAR;  // judged from 5 s on
  const measure rows[] = {
      {"largest speed / sqrt(gH)", speeds, c->speed_max / root, 0.0, 0.02, "at rest"},
      {"rms speed / sqrt(gH)", speeds, c->speed_rms / root, 0.0, 0.002, "at rest"},
      {"slope of p(y) / (rho g)", MEASURE_NEAR, c->slope, 1.0, 0.02, "hydrostatics"},
      {"level - nominal, in d", MEASURE_NEAR, (c->level - pool->depth) / pool->def.spacing, 0.0, 0.25,
       "a quarter of a spacing"},
      {"ledger error / largest entry", MEASURE_NEAR, c->ledger_error, 0.0, 1e-5, "docs/theory/energy.md"},
  };
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) water_report(v, solver, label, &rows[k]);
}

static void run_one(validation *v, int solver, bool dropped, pool_times times) {
  vessel pool;
  vessel_make(VESSEL_BOX, water_pressure(solver), times.rows, &pool);
  if (dropped) pool.lift = 0.5 * pool.def.spacing;
  mote_world *world = NULL;
  mote_probe gauge;
  mote_error error;
  calm c = {0};
  mote_result result = vessel_create(&pool, validation_env(v), &world, &gauge, &error);
  if (!result) result = observe(world, gauge, &pool, times, &c, &error);
  mote_world_destroy(world);
  if (result) {
    validation_error(v, &error);
    return;
  }
  char label[32];
  snprintf(label, sizeof label, "%d rows, %s", times.rows, dropped ? "dropped" : "at rest");
  judge(v, solver, label, &pool, &c);
}

static void run_all(validation *v, bool dropped) {
  pool_times times = {16, 50, 100};
  // With 8 rows all but two are within three spacings of the surface or the floor, and slopes are 0.95 to
  // 0.98.
  if (validation_quick(v)) times = (pool_times){10, 10, 20};
  if (validation_release(v)) times = (pool_times){32, 20, 200};
  // WCSPH's many steps take longer than the others together: with --release.
  int solvers = validation_quick(v) ? 1 : validation_release(v) ? WATER_SOLVERS : 2;
  for (int k = 0; k < solvers; ++k) run_one(v, k, dropped, times);
}

void validate_pool(validation *v) {
  run_all(v, false);
}

void validate_pool_dropped(validation *v) {
  run_all(v, true);
}
