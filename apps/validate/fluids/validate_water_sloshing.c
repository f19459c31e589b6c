// Validation: sloshing in two dimensions at the default settings. A tank 1 m long and half as deep; the first
// mode begins flat, with the velocities of linear theory, and has an amplitude of a tenth of the depth. Its
// period to second order in the amplitude: Tadjbakhsh & Keller 1960, J. Fluid Mech. 8:442. Without viscosity
// all of the decay is numerical; it is also given as the viscosity that would do it, e^(-2 nu k^2 t) (Lamb).
#include <math.h>
#include <stdio.h>

#include "cli/base/app_assert.h"
#include "validate/fluids/water_trial.h"

#define TANK_LENGTH 1.0                     // of the tank, m
#define WATER_DEPTH (0.5 * TANK_LENGTH)     // m
#define WAVE_AMPLITUDE (0.1 * WATER_DEPTH)  // m
#define DECAY_MAX 0.05                      // largest, per period, at the case's spacing
#define WATER_ROWS 40
#define PERIODS_MAX 4
#define PER_PERIOD 40
#define SAMPLES (PERIODS_MAX * PER_PERIOD + 1)

typedef struct tank {
  double time[SAMPLES], amplitude[SAMPLES];
} tank;

// omega = omega_0 + epsilon^2/2 omega_2, with omega_0^2 = tanh(k h), epsilon = k A and sqrt(g k) the unit.
static double frequency_second_order(void) {
  double k = WATER_PI / TANK_LENGTH, unit = sqrt(WATER_GRAVITY * k), epsilon = k * WAVE_AMPLITUDE;
  double w = water_mode_frequency(TANK_LENGTH, WATER_DEPTH) / unit, w3 = w * w * w;
  double second = (9.0 / (w3 * w3 * w) - 12.0 / w3 - 3.0 * w - 2.0 * w3 * w * w) / 32.0;
  return unit * (w + 0.5 * epsilon * epsilon * second);
}

static mote_result take_sample(void *user, mote_world *world, int k, mote_error *error) {
  APP_ASSERT(k < SAMPLES);
  (void)error;
  ((tank *)user)->amplitude[k] = water_mode_amplitude(world, TANK_LENGTH);
  return MOTE_OK;
}

static bool run_one(validation *v, int solver, int rows, int samples, tank *t) {
  free_scene s;
  water_mode mode;
  char label[32];
  snprintf(label, sizeof label, "%d rows", rows);
  water_scene_make(&s, solver, TANK_LENGTH, WATER_DEPTH, WATER_DEPTH / rows);
  water_mode_start(&s, TANK_LENGTH, WATER_DEPTH, WAVE_AMPLITUDE, &mode);
  double period = 2.0 * WATER_PI / frequency_second_order();
  for (int n = 0; n < samples; ++n) t->time[n] = n * period / PER_PERIOD;
  fluid_run run = {&s.scene, t->time, samples, take_sample, t};
  return water_run(v, solver, label, &run);
}

// `limit`: of the decay per period; infinite: shown.
static void judge(validation *v, int solver, int rows, const tank *t, int samples, double limit) {
  double exact = frequency_second_order(), period = 2.0 * WATER_PI / exact, k = WATER_PI / TANK_LENGTH;
  water_swing swing = water_swing_fit(t->time, t->amplitude, (size_t)samples, exact);
  double found = 2.0 * WATER_PI / swing.frequency;
  char label[32];
  snprintf(label, sizeof label, "%d rows", rows);
  const measure rows_out[] = {
      {"period, s", MEASURE_NEAR, found, period, 0.01 * period, "Tadjbakhsh & Keller 1960"},
      {"decay per period", isfinite(limit) ? MEASURE_NEAR : MEASURE_SHOWN, swing.decay * found, 0.0, limit,
       "no viscosity"},
      {"effective viscosity, m2/s", MEASURE_SHOWN, swing.decay / (2.0 * k * k), 0.0, 0.0, "Lamb"},
      {"first amplitude / linear theory's", MEASURE_SHOWN, hypot(swing.c, swing.s) / WAVE_AMPLITUDE, 1.0, 0.0,
       "of the fit"},
  };
  for (size_t n = 0; n < sizeof rows_out / sizeof rows_out[0]; ++n) {
    water_report(v, solver, label, &rows_out[n]);
  }
}

void validate_sloshing(validation *v) {
  static tank found[WATER_SOLVERS];
  bool quick = validation_quick(v);
  int samples = (quick ? 3 : PERIODS_MAX) * PER_PERIOD + 1;
  fluid_curve curve[WATER_SOLVERS];
  int curves = 0;
  for (int fine = 0; fine <= (validation_release(v) ? 1 : 0); ++fine) {
    int rows = quick ? WATER_ROWS / 2 : fine ? 2 * WATER_ROWS : WATER_ROWS;
    double limit = quick ? (double)INFINITY : fine ? 0.5 * DECAY_MAX : DECAY_MAX;
    curves = 0;
    for (int k = 0; k < water_solvers(v); ++k) {
      if (!run_one(v, k, rows, samples, &found[k])) continue;
      judge(v, k, rows, &found[k], samples, limit);
      curve[curves++] = (fluid_curve){.label = water_solver_name(k),
                                      .x = found[k].time,
                                      .y = found[k].amplitude,
                                      .count = (size_t)samples};
    }
  }
  fluid_plot(v, "sloshing.svg", "t, s", "amplitude, m", curve, curves);
}
