// Validation: a viscous standing wave between walls without friction at the default settings. Half a
// wavelength in a tank as long as deep, H = 1 m, amplitude 2.5 d at H = 50 d, Re = H sqrt(g H) / nu. It
// begins flat with the velocities of linear theory without viscosity.
#include <math.h>
#include <stdio.h>

#include "cli/base/app_assert.h"
#include "validate/fluids/water_trial.h"

#define TANK_DEPTH 1.0       // H and the length of the tank, m
#define WAVE_AMPLITUDE 0.05  // m
#define WATER_ROWS 50
#define PERIODS_MAX 3
#define PER_PERIOD 40
#define SAMPLES (PERIODS_MAX * PER_PERIOD + 1)

// Roots s = -decay +- i frequency, 1/s, of
//   (s + 2 nu k^2)^2 + g k tanh(k H) = 4 nu^2 k^3 m tanh(k H) / tanh(m H),  m^2 = k^2 + s / nu,  k = pi / H:
// linear waves with viscosity, a free surface without traction and a floor along which the fluid slips (Lamb,
// Hydrodynamics, 349, for finite depth).
static const struct exact_wave {
  double reynolds, decay, frequency;
  int periods;  // observed
} exact[] = {{50, 0.92914, 5.26745, 2}, {500, 0.114397, 5.531981, 3}, {2500, 0.023906, 5.540309, 3}};
#define WAVES ((int)(sizeof exact / sizeof exact[0]))

typedef struct tank {
  double time[SAMPLES], amplitude[SAMPLES];
} tank;

static mote_result take_sample(void *user, mote_world *world, int k, mote_error *error) {
  APP_ASSERT(k < SAMPLES);
  (void)error;
  ((tank *)user)->amplitude[k] = water_mode_amplitude(world, TANK_DEPTH);
  return MOTE_OK;
}

static double viscosity_of(const struct exact_wave *e) {
  return TANK_DEPTH * sqrt(WATER_GRAVITY * TANK_DEPTH) / e->reynolds;
}

static bool run_one(validation *v, int solver, int rows, const struct exact_wave *e, const char *label,
                    water_swing *swing) {
  static tank t;
  free_scene s;
  water_mode mode;
  water_scene_make(&s, solver, TANK_DEPTH, TANK_DEPTH, TANK_DEPTH / rows);
  water_mode_start(&s, TANK_DEPTH, TANK_DEPTH, WAVE_AMPLITUDE, &mode);
  s.water.viscosity = viscosity_of(e) * s.water.density;
  int samples = e->periods * PER_PERIOD + 1;
  for (int n = 0; n < samples; ++n) t.time[n] = n * 2.0 * WATER_PI / (e->frequency * PER_PERIOD);
  fluid_run run = {&s.scene, t.time, samples, take_sample, &t};
  if (!water_run(v, solver, label, &run)) return false;
  *swing = water_swing_fit(t.time, t.amplitude, (size_t)samples, e->frequency);
  return true;
}

// Re 50: decay within 5 %; Re 500: at most 0.04 per period more than the theory's; above: shown.
static void judge(validation *v, int solver, const struct exact_wave *e, const char *label, bool judged,
                  const water_swing *swing) {
  double k = WATER_PI / TANK_DEPTH, period = 2.0 * WATER_PI / e->frequency;
  measure decay = {"decay, 1/s", MEASURE_NEAR, swing->decay, e->decay, 0.05 * e->decay, "linear theory"};
  if (e->reynolds > 100.0) {
    decay = (measure){"decay above theory's, per period",
                      MEASURE_NEAR,
                      fmax((swing->decay - e->decay) * period, 0.0),
                      0.0,
                      0.04,
                      "linear theory"};
  }
  measure rows[] = {
      decay,
      {"frequency, rad/s", MEASURE_NEAR, swing->frequency, e->frequency, 0.015 * e->frequency,
       "linear theory"},
      {"effective viscosity / asked", MEASURE_SHOWN, swing->decay / (2.0 * k * k) / viscosity_of(e),
       e->decay / (2.0 * k * k) / viscosity_of(e), 0.0, "Lamb: decay / 2 k^2"},
  };
  if (!judged) rows[0].kind = MEASURE_SHOWN;
  for (size_t n = 0; n < sizeof rows / sizeof rows[0]; ++n) water_report(v, solver, label, &rows[n]);
}

void validate_viscous_wave(validation *v) {
  bool quick = validation_quick(v);
  int rows = quick ? WATER_ROWS / 2 : WATER_ROWS;
  for (int n = 0; n < (quick ? 1 : WAVES); ++n) {
    char label[32];
    snprintf(label, sizeof label, "Re %g", exact[n].reynolds);
    for (int k = 0; k < water_solvers(v); ++k) {
      water_swing swing;
      bool judged = exact[n].reynolds < 1000.0;
      if (run_one(v, k, rows, &exact[n], label, &swing)) judge(v, k, &exact[n], label, judged, &swing);
    }
  }
}
