// Validation: waves behind a piston in two dimensions at the default settings. A piston of amplitude a moves
// by a (1 - e^(-(t/T)^2)) sin(omega t); after its start the waves are as high as Biesel's transfer function
// says, H / 2a = 2 (cosh 2kh - 1)/(sinh 2kh + 2kh) (Biesel & Suquet 1951). The reference is linear theory of
// the same tank, gauges and start: with cosines of k_n = n pi/L the surface is
//   eta = x_p h / L + 2/L sum_n cos(k_n x) tanh(k_n h)/k_n q_n,  q_n'' + omega_n^2 q_n = x_p'',
// (Kennard 1949, Q. Appl. Math. 7:303, for a tank of finite length). Heights are twice the first harmonic.
#include <math.h>
#include <mote/numeric.h>
#include <stdio.h>

#include "cli/base/app_assert.h"
#include "validate/fluids/free_references.h"
#include "validate/fluids/water_trial.h"

#define WAVE_LENGTH 1.0                    // m
#define WATER_DEPTH (0.325 * WAVE_LENGTH)  // m; not less: harmonics would take a part of the first
#define WAVE_HEIGHT (0.05 * WAVE_LENGTH)   // H of Biesel's steady wave, m
#define PISTON_THICKNESS 0.1               // thickness behind its face, m
#define PISTON_MARGIN 0.05                 // of the piston beyond the water's sides, m
#define GAUGE_COUNT 3                      // at one, two and three wavelengths from the piston at rest
#define PER_PERIOD 40
#define WINDOW_SAMPLES (2 * PER_PERIOD)  // samples of the first harmonic
#define SAMPLES_MAX (10 * PER_PERIOD + 1)
#define MODE_COUNT 240
#define THEORY_SUBSTEPS 25  // of linear theory in a sample

typedef struct flume {
  int rows;       // of the water
  int gauges;     // that are read
  double length;  // of the water, m
  int begin;      // sample at which the window begins
  double time[SAMPLES_MAX], level[GAUGE_COUNT][SAMPLES_MAX];
} flume;

static double wave_number(void) {
  return 2.0 * WATER_PI / WAVE_LENGTH;
}

static double frequency(void) {
  return wave_frequency(WATER_GRAVITY, wave_number(), WATER_DEPTH);
}

static double spacing_of(const flume *f) {
  return WATER_DEPTH / f->rows;
}

// Biesel's: of the piston, for waves of WAVE_HEIGHT.
static double piston_amplitude(void) {
  double x = 2.0 * wave_number() * WATER_DEPTH, e = mote_exp(x);
  double cosh2 = 0.5 * (e + 1.0 / e), sinh2 = 0.5 * (e - 1.0 / e);
  return 0.5 * WAVE_HEIGHT * (sinh2 + x) / (2.0 * (cosh2 - 1.0));
}

static double piston_at(double t) {
  double w = frequency(), period = 2.0 * WATER_PI / w;
  return piston_amplitude() * (1.0 - mote_exp(-(t / period) * (t / period))) * mote_sin(w * t);
}

// Half the width of a gauge, m: its reading is the mass under a hat of twice that width.
static double gauge_reach(void) {
  return 0.05 * WAVE_LENGTH;
}

static mote_result take_sample(void *user, mote_world *world, int k, mote_error *error) {
  APP_ASSERT(k < SAMPLES_MAX);
  (void)error;
  flume *f = user;
  mote_field_view x = mote_world_view(world, "position"), m = mote_world_view(world, "mass");
  double reach = gauge_reach(), rho = mote_material_def_default().density;
  for (int n = 0; n < f->gauges; ++n) {
    double sum = 0.0, at = (n + 1) * WAVE_LENGTH;
    for (size_t i = 0; i < x.count; ++i) {
      double away = fabs(((const double *)x.data)[3 * i] - at);
      if (away < reach) sum += (double)((const float *)m.data)[i] * (1.0 - away / reach) / reach;
    }
    f->level[n][k] = sum / rho;
  }
  return MOTE_OK;
}

// Twice the first harmonic in the window.
static double height_of(const flume *f, const double *level) {
  APP_ASSERT(f->begin + WINDOW_SAMPLES <= SAMPLES_MAX);
  double c = 0.0, s = 0.0;
  for (int k = f->begin; k < f->begin + WINDOW_SAMPLES; ++k) {
    c += level[k] * mote_cos(frequency() * f->time[k]);
    s += level[k] * mote_sin(frequency() * f->time[k]);
  }
  return 2.0 * 2.0 / WINDOW_SAMPLES * hypot(c, s);
}

// Linear theory: r = q - x_p of each mode by the leapfrog, r'' = -omega_n^2 (r + x_p).
static void linear_levels(const flume *f, double level[GAUGE_COUNT][SAMPLES_MAX]) {
  APP_ASSERT(f->gauges <= GAUGE_COUNT && f->begin + WINDOW_SAMPLES <= SAMPLES_MAX);
  double step = f->time[1] / THEORY_SUBSTEPS;
  int samples = f->begin + WINDOW_SAMPLES;
  for (int g = 0; g < f->gauges; ++g) {
    for (int k = 0; k < samples; ++k)
      level[g][k] = WATER_DEPTH + piston_at(f->time[k]) * WATER_DEPTH / f->length;
  }
  for (int n = 1; n <= MODE_COUNT; ++n) {
    double k_n = n * WATER_PI / f->length, omega = wave_frequency(WATER_GRAVITY, k_n, WATER_DEPTH),
           w2 = omega * omega;
    double half = 0.5 * k_n * gauge_reach(), hat = mote_sin(half) / half;
    double factor = 2.0 / f->length * w2 / (WATER_GRAVITY * k_n * k_n) * hat * hat;
    double r = 0.0, rate = 0.0;
    for (int k = 0; k < samples; ++k) {
      double q = r + piston_at(f->time[k]);
      for (int g = 0; g < f->gauges; ++g) level[g][k] += factor * q * mote_cos(k_n * (g + 1) * WAVE_LENGTH);
      for (int sub = 0; sub < THEORY_SUBSTEPS; ++sub) {
        double t = f->time[k] + sub * step;
        rate -= step * (sub == 0 && k == 0 ? 0.5 : 1.0) * w2 * (r + piston_at(t));
        r += step * rate;
      }
    }
  }
}

static bool run_one(validation *v, int solver, flume *f, const char *label) {
  APP_ASSERT(f->begin + WINDOW_SAMPLES <= SAMPLES_MAX);
  free_scene s;
  char motion[160];
  double period = 2.0 * WATER_PI / frequency();
  water_scene_make(&s, solver, f->length, WATER_DEPTH, spacing_of(f));
  s.scene.world.low[0] = -PISTON_THICKNESS - PISTON_MARGIN;
  mote_collider_def piston = mote_collider_def_default();
  snprintf(motion, sizeof motion, "%.17g*(1-exp(-(t/%.17g)^2))*sin(%.17g*t)", piston_amplitude(), period,
           frequency());
  piston.name = "piston",
  piston.shape = mote_shape_def_box(-PISTON_THICKNESS, -PISTON_MARGIN, 0, 0, 3.0 * WATER_DEPTH, 1);
  piston.motion.move.x.formula = motion;
  s.scene.collider = &piston, s.scene.colliders = 1;
  for (int n = 0; n < f->begin + WINDOW_SAMPLES; ++n) f->time[n] = n * period / PER_PERIOD;
  fluid_run run = {&s.scene, f->time, f->begin + WINDOW_SAMPLES, take_sample, f};
  return water_run(v, solver, label, &run);
}

// `coarse`: errors at twice the spacing, or null.
static void judge(validation *v, int solver, const flume *f, const char *label, const double *coarse,
                  double error[GAUGE_COUNT]) {
  static const double tolerance[GAUGE_COUNT] = {0.05, 0.08, 0.10};
  static double linear[GAUGE_COUNT][SAMPLES_MAX];
  linear_levels(f, linear);
  for (int n = 0; n < f->gauges; ++n) {
    char name[64];
    double reference = height_of(f, linear[n]), height = height_of(f, f->level[n]) / reference;
    error[n] = fabs(height - 1.0);
    snprintf(name, sizeof name, "height at %d wavelength%s / theory's", n + 1, n > 0 ? "s" : "");
    measure row = {name, MEASURE_NEAR, height, 1.0, tolerance[n], "Biesel & Suquet 1951, same start"};
    if (validation_quick(v)) row.kind = MEASURE_SHOWN;  // waves of two spacings
    water_report(v, solver, label, &row);
    measure better = {"error at 2 d - at d", MEASURE_AT_LEAST, 0.0, 0.0, 0.0, "better when refined"};
    if (coarse != NULL) better.value = coarse[n] - error[n], water_report(v, solver, label, &better);
    measure steady = {
        "theory's / Biesel's steady height", MEASURE_SHOWN, reference / WAVE_HEIGHT, 1.0, 0.0, ""};
    if (solver == 0) water_report(v, solver, label, &steady);
  }
}

// The front of the waves moves at 0.57 of their speed: it is at three wavelengths after 5.3 periods, and back
// there from the end of the tank after 9.6 (quick: at one after 1.8 and 7 periods). 26 rows: H = 4 d.
void validate_piston(validation *v) {
  static flume f;
  double error[2][WATER_SOLVERS][GAUGE_COUNT] = {{{0}}};
  for (int fine = 0; fine <= (validation_release(v) ? 1 : 0); ++fine) {
    f.rows = fine ? 52 : 26, f.gauges = GAUGE_COUNT, f.length = 4.25 * WAVE_LENGTH;
    f.begin = 29 * PER_PERIOD / 4;
    if (validation_quick(v)) {
      f.rows = 13, f.gauges = 1, f.length = 2.5 * WAVE_LENGTH, f.begin = 7 * PER_PERIOD / 2;
    }
    char label[32];
    snprintf(label, sizeof label, "H/d = %g", WAVE_HEIGHT / spacing_of(&f));
    // WCSPH keeps a fifth of these waves at the third gauge (docs/validation.md), and takes as long as the
    // others together.
    int solvers = validation_release(v) ? WATER_SOLVERS : water_solvers(v) < 2 ? 1 : 2;
    for (int k = 0; k < solvers; ++k) {
      if (run_one(v, k, &f, label)) judge(v, k, &f, label, fine ? error[0][k] : NULL, error[fine][k]);
    }
  }
}
