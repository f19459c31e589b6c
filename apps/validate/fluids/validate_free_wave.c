// Validation: a standing wave of small amplitude between two walls half a wavelength apart. It begins flat,
// with the velocities of linear theory. Its amplitude is 2/(rho L) sum_i m_i cos(k x_i): the surface's part
// in this wave, exactly, whatever lies below. Its decay is given as the viscosity that would do it, e^(-2 nu
// k^2 t) (Lamb): the effective numerical viscosity.
#include <math.h>
#include <mote/draw.h>
#include <mote/numeric.h>
#include <stdio.h>

#include "cli/base/app_assert.h"
#include "validate/fluids/free_flow.h"
#include "validate/fluids/free_references.h"

#define PI 3.14159265358979323846
#define G 9.81
#define TANK_LENGTH 0.5       // of the tank, m: half a wavelength
#define WATER_DEPTH 0.3       // m
#define WAVE_STEEPNESS 0.025  // amplitude over wavelength
#define PERIOD_COUNT 4
#define PER_PERIOD 40
#define SAMPLE_COUNT (PERIOD_COUNT * PER_PERIOD + 1)

typedef struct wave {
  validation *v;
  fluid_variant variant;
  double spacing;
  double time[SAMPLE_COUNT], amplitude[SAMPLE_COUNT];
} wave;

static double wave_number(void) {
  return PI / TANK_LENGTH;
}

static mote_result take_sample(void *user, mote_world *world, int k, mote_error *error) {
  APP_ASSERT(k < SAMPLE_COUNT);
  (void)error;
  wave *w = user;
  mote_field_view x = mote_world_view(world, "position"), m = mote_world_view(world, "mass");
  double sum = 0.0;
  for (size_t i = 0; i < x.count; ++i) {
    double at = ((const double *)x.data)[3 * i];
    sum += (double)((const float *)m.data)[i] * mote_cos(wave_number() * at);
  }
  w->amplitude[k] = 2.0 * sum / (mote_material_def_default().density * TANK_LENGTH);
  if (k == SAMPLE_COUNT - 1) free_picture(w->v, world, w->spacing, "wave", w->variant);
  return MOTE_OK;
}

// Times at which the amplitude is zero after the beginning, by straight lines.
static size_t crossings(const wave *w, double *out) {
  size_t count = 0;
  for (int k = 2; k < SAMPLE_COUNT; ++k) {
    double a = w->amplitude[k - 1], b = w->amplitude[k];
    if ((a < 0.0) != (b < 0.0)) {
      out[count++] = w->time[k - 1] + (w->time[k] - w->time[k - 1]) * a / (a - b);
    }
  }
  return count;
}

// Twice the mean time between crossings, by a straight line through all.
static double period_of(const wave *w) {
  double at[SAMPLE_COUNT], number[SAMPLE_COUNT];
  size_t count = crossings(w, at);
  for (size_t k = 0; k < count; ++k) number[k] = (double)k;
  return count > 2 ? 2.0 * free_fit(number, at, count).slope : (double)NAN;
}

// nu of e^(-2 nu k^2 t), through the largest amplitudes of all half periods.
static double viscosity_of(const wave *w) {
  double at[2 * PERIOD_COUNT], height[2 * PERIOD_COUNT], k2 = wave_number() * wave_number();
  for (int n = 0; n < 2 * PERIOD_COUNT; ++n) {
    double most = 0.0;
    for (int k = n * PER_PERIOD / 2; k <= (n + 1) * PER_PERIOD / 2; ++k) {
      if (fabs(w->amplitude[k]) <= most) continue;
      most = fabs(w->amplitude[k]), at[n] = w->time[k];
    }
    height[n] = mote_log(most);
  }
  return -free_fit(at, height, 2 * PERIOD_COUNT).slope / (2.0 * k2);
}

static bool run_one(wave *w) {
  double k = wave_number(), omega = wave_frequency(G, k, WATER_DEPTH), period = 2.0 * PI / omega;
  double speed = 2.0 * TANK_LENGTH * WAVE_STEEPNESS * omega / (1.0 - mote_exp(-2.0 * k * WATER_DEPTH));
  char across[160], up[160];
  // A omega / sinh(k h) times -cosh(k y) sin(k x) and sinh(k y) cos(k x)
  snprintf(across, sizeof across, "%.17g*(exp(%.17g*(y-%g))+exp(-%.17g*(y+%g)))*sin(%.17g*x)", -speed, k,
           WATER_DEPTH, k, WATER_DEPTH, k);
  snprintf(up, sizeof up, "%.17g*(exp(%.17g*(y-%g))-exp(-%.17g*(y+%g)))*cos(%.17g*x)", speed, k, WATER_DEPTH,
           k, WATER_DEPTH, k);
  free_scene s;
  free_scene_make(&s, 2, w->spacing);
  mote_world_def *world = &s.scene.world;
  s.water.viscosity = 0.0;
  world->low[0] = world->low[1] = 0.0, world->high[0] = TANK_LENGTH;
  world->side[0][0] = world->side[0][1] = world->side[1][0] = MOTE_SIDE_WALL;
  s.body.shape = mote_shape_def_box(0, 0, 0, TANK_LENGTH, WATER_DEPTH, 1);
  s.body.velocity.x.formula = across, s.body.velocity.y.formula = up;
  for (int n = 0; n < SAMPLE_COUNT; ++n) w->time[n] = n * period / PER_PERIOD;
  fluid_run run = {&s.scene, w->time, SAMPLE_COUNT, take_sample, w};
  mote_error error;
  mote_result result = fluid_run_variant(&run, w->variant, validation_env(w->v), &error);
  if (result) validation_error(w->v, &error);
  return !result;
}

static void judge(const wave *w, const fluid_roles *roles) {
  double period = 2.0 * PI / wave_frequency(G, wave_number(), WATER_DEPTH);
  const measure rows[] = {
      {"period, s", MEASURE_NEAR, period_of(w), period, 0.02 * period, "linear theory"},
      {"effective numerical viscosity, m2/s", MEASURE_SHOWN, viscosity_of(w), 0.0, 0.0, "Lamb"},
      {"last amplitude / first", MEASURE_SHOWN,
       w->amplitude[SAMPLE_COUNT - 1 - 3 * PER_PERIOD / 4] / (2.0 * TANK_LENGTH * WAVE_STEEPNESS), 1.0, 0.0,
       "no loss"},
  };
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) fluid_report(w->v, roles, w->variant, &rows[k]);
}

static void draw(validation *v, const wave *found, const bool *done) {
  char path[1024];
  if (!validation_plot_path(v, "wave.svg", path, sizeof path)) return;
  mote_plot *plot = mote_plot_create(NULL, validation_env(v));
  mote_panel_def def = mote_panel_def_default();
  def.x.label = "t, s", def.y.label = "amplitude, m";
  mote_panel *panel = mote_plot_panel(plot, 0, 0, &def);
  for (int k = 0; k < FLUID_VARIANTS; ++k) {
    if (!done[k]) continue;
    mote_style style = mote_style_default();
    style.label = fluid_variant_name((fluid_variant)k);
    mote_plot_line(panel, found[k].time, found[k].amplitude, SAMPLE_COUNT, &style);
  }
  mote_error error;
  if (mote_plot_write(plot, path, &error)) validation_error(v, &error);
  mote_plot_destroy(plot);
}

void validate_wave(validation *v) {
  static const fluid_roles roles = {.plain = true};
  static wave found[FLUID_VARIANTS];
  bool done[FLUID_VARIANTS] = {false};
  double spacing = 2.0 * TANK_LENGTH / (validation_quick(v) ? 50 : 100);
  for (int k = 0; k < FLUID_VARIANTS; ++k) {
    found[k] = (wave){.v = v, .variant = (fluid_variant)k, .spacing = spacing};
    done[k] = fluid_runs(v, &roles, (fluid_variant)k) && run_one(&found[k]);
    if (done[k]) judge(&found[k], &roles);
  }
  draw(v, found, done);
}
