// Validation: two fluids in one world (docs/theory/mixtures.md). Layers that stand, layers that overturn, a
// shear flow through both, and the growth of a small wave between a heavy fluid and a light one below it,
// held against the viscous linear theory (Chandrasekhar 1961, Hydrodynamic and Hydromagnetic Stability, X
// (113); derived in the page).
#include <math.h>
#include <mote/numeric.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/app_assert.h"
#include "validate/fluids/fluid_cases.h"
#include "validate/fluids/free_flow.h"

#define PI 3.14159265358979323846
#define G 9.81

enum { LOWER, UPPER };

// Two fluids, one on the other, in a box. It points into itself: not to be copied.
typedef struct pair_scene {
  mote_scene scene;
  mote_material_def fluid[2];
  mote_body_def body[2];
} pair_scene;

typedef struct layers {
  int dimensions;
  double spacing, width, depth;  // m; each layer is as deep
  double density[2], viscosity[2];
} layers;

static void pair_scene_make(pair_scene *s, const layers *of, bool closed) {
  APP_ASSERT((of->dimensions == 2 || of->dimensions == 3) && of->spacing > 0.0);
  static const char *const names[] = {"lower", "upper"};
  *s = (pair_scene){.scene = mote_scene_default()};
  mote_world_def *world = &s->scene.world;
  world->dimensions = of->dimensions, world->spacing = of->spacing;
  for (int k = 0; k < 2; ++k) {
    s->fluid[k] = mote_material_def_default();
    s->fluid[k].name = names[k], s->fluid[k].preset = NULL;
    s->fluid[k].density = of->density[k], s->fluid[k].viscosity = of->viscosity[k];
    s->body[k] = mote_body_def_default();
    s->body[k].name = s->body[k].material = names[k];
    s->body[k].shape = mote_shape_def_box(0, k * of->depth, 0, of->width, (k + 1) * of->depth, of->width);
  }
  for (int a = 0; a < of->dimensions; ++a) {
    world->low[a] = 0.0, world->high[a] = a == 1 ? (closed ? 2.0 : 3.0) * of->depth : of->width;
    world->side[a][0] = world->side[a][1] = MOTE_SIDE_WALL;
  }
  if (!closed) world->side[1][1] = MOTE_SIDE_OPEN;
  s->scene.material = s->fluid, s->scene.materials = 2;
  s->scene.body = s->body, s->scene.bodies = 2;
}

static const mote_pressure_kind solvers[] = {MOTE_PRESSURE_DFSPH, MOTE_PRESSURE_PCISPH, MOTE_PRESSURE_WCSPH};
static const char *const solver_names[] = {"DFSPH", "PCISPH", "WCSPH"};
enum { SOLVERS = sizeof solvers / sizeof *solvers };

static void report(validation *v, const char *what, const char *who, measure m) {
  char name[160];
  snprintf(name, sizeof name, "%s, %s", what, who);
  m.name = name;
  validation_report(v, &m);
}

// --- Layers ---

// Where the two are: mean heights, speeds, and rows at the interface.
typedef struct interface_sample {
  const layers *of;
  double height[2], speed, rms;  // speeds: the largest, and sqrt(2 E / M)
  double apart;                  // mean distance of the nearest rows of the two, m
  double crossed;                // share of particles that lie in the other's layer by more than two spacings
} interface_sample;

// Of each column: the highest particle of the lower material and the lowest of the upper one.
static double rows_apart(const interface_sample *l, mote_field_view x, const float *mass, float split) {
  int columns = (int)(l->of->width / (2.0 * l->of->spacing)), across = l->of->dimensions == 3 ? columns : 1;
  double sum = 0.0, wide = l->of->width / columns;
  int counted = 0;
  for (int c = 0; c < columns * across; ++c) {
    double top = -HUGE_VAL, bottom = HUGE_VAL;
    for (size_t i = 0; i < x.count; ++i) {
      const double *at = (const double *)x.data + 3 * i;
      bool here = (int)(at[0] / wide) == c % columns && (across == 1 || (int)(at[2] / wide) == c / columns);
      if (!here) continue;
      if (mass[i] > split) top = fmax(top, at[1]);
      if (!(mass[i] > split)) bottom = fmin(bottom, at[1]);
    }
    if (isfinite(top) && isfinite(bottom)) sum += bottom - top, ++counted;
  }
  return counted > 0 ? sum / counted : (double)NAN;
}

// The heavier material is recognised by its mass: both have the same volume.
static mote_result measure_layers(void *user, mote_world *world, int k, mote_error *error) {
  (void)k;
  interface_sample *l = user;
  mote_totals totals;
  mote_result result = mote_world_totals(world, &totals, error);
  if (result) return result;
  l->rms = sqrt(2.0 * totals.kinetic_energy / totals.mass);
  mote_field_view x = mote_world_view(world, "position"), v = mote_world_view(world, "velocity"),
                  m = mote_world_view(world, "mass");
  const float *mass = m.data, *velocity = v.data;
  float least = mass[0], most = mass[0];
  size_t number[2] = {0}, crossed = 0;
  for (size_t i = 0; i < x.count; ++i) least = fminf(least, mass[i]), most = fmaxf(most, mass[i]);
  float split = 0.5f * (least + most);
  l->height[0] = l->height[1] = l->speed = 0.0;
  for (size_t i = 0; i < x.count; ++i) {
    double y = ((const double *)x.data)[3 * i + 1], speed = 0.0, margin = 2.0 * l->of->spacing;
    bool heavy = mass[i] > split;
    for (int a = 0; a < 3; ++a)
      speed += (double)velocity[3 * i + (size_t)a] * (double)velocity[3 * i + (size_t)a];
    l->speed = fmax(l->speed, sqrt(speed));
    l->height[heavy] += y, ++number[heavy];
    crossed += heavy ? y > l->of->depth + margin : y < l->of->depth - margin;
  }
  for (int h = 0; h < 2; ++h) l->height[h] /= (double)number[h];
  l->crossed = (double)crossed / (double)x.count;
  l->apart = rows_apart(l, x, mass, split);
  return MOTE_OK;
}

static bool run_layers(validation *v, const layers *of, mote_pressure_kind solver, bool closed, double time,
                       interface_sample *out) {
  pair_scene s;
  pair_scene_make(&s, of, closed);
  s.scene.world.solver.pressure = solver;
  *out = (interface_sample){.of = of};
  fluid_run run = {&s.scene, &time, 1, measure_layers, out};
  mote_error error;
  mote_result result = fluid_run_scene(&run, validation_env(v), &error);
  if (result) validation_error(v, &error);
  return !result;
}

// The heavy fluid below: nothing is to happen. Ratios beyond 10 are shown.
static void stand(validation *v, const layers *of, int solver, double time, const char *what) {
  interface_sample l;
  char row[96];
  if (!run_layers(v, of, solvers[solver], false, time, &l)) return;
  measure_kind kind = of->density[LOWER] > 10.5 * of->density[UPPER] ? MEASURE_SHOWN : MEASURE_NEAR;
  double root = sqrt(2.0 * G * of->depth);
  // As of pools of one fluid (world-still), of which it takes a minute.
  measure_kind rest = validation_quick(v) ? MEASURE_SHOWN : kind;
  snprintf(row, sizeof row, "%s: rms speed / sqrt(gH) after %g s", what, time);
  report(v, row, solver_names[solver],
         (measure){.kind = rest, .value = l.rms / root, .tolerance = 0.01, .source = "noise"});
  snprintf(row, sizeof row, "%s: largest speed / sqrt(gH)", what);
  report(v, row, solver_names[solver],
         (measure){.kind = MEASURE_SHOWN, .value = l.speed / root, .source = "noise"});
  snprintf(row, sizeof row, "%s: rows at the interface, in d", what);
  report(v, row, solver_names[solver],
         (measure){.kind = kind,
                   .value = l.apart / of->spacing,
                   .reference = 1.0,
                   .tolerance = 0.25,
                   .source = "no gap"});
  snprintf(row, sizeof row, "%s: particles in the other layer", what);
  report(v, row, solver_names[solver],
         (measure){.kind = kind, .value = l.crossed, .tolerance = 0.0, .source = "separated"});
}

void validate_mixture_layers(validation *v) {
  double time = validation_quick(v) ? 1.0 : 20.0;
  layers flat = {2, 0.05, 0.5, 0.5, {1000, 100}, {1e-3, 1e-3}};
  layers thin = {2, 0.05, 0.5, 0.5, {1000, 10}, {1e-3, 1e-3}};
  layers deep = {3, 0.05, 0.3, 0.3, {1000, 100}, {1e-3, 1e-3}};
  for (int k = 0; k < SOLVERS; ++k) {
    stand(v, &flat, k, time, "2D, 10:1");
    if (validation_quick(v)) continue;
    bool weak = solvers[k] == MOTE_PRESSURE_WCSPH;
    stand(v, &deep, k, weak ? time : 60.0, "3D, 10:1");  // as long as pools of one fluid
    if (!weak || validation_release(v)) stand(v, &thin, k, time, "2D, 100:1");
  }
}

// The heavy fluid above, in a full box: they change places.
void validate_mixture_overturn(validation *v) {
  layers of = {2, 0.05, 0.5, 0.5, {100, 1000}, {1e-2, 1e-2}};
  double time = 10.0;
  for (int k = 0; k < SOLVERS; ++k) {
    if (solvers[k] == MOTE_PRESSURE_WCSPH && validation_quick(v)) continue;
    interface_sample l;
    if (!run_layers(v, &of, solvers[k], true, time, &l)) continue;
    report(v, "mean height of light over heavy, in layers", solver_names[k],
           (measure){.kind = MEASURE_NEAR,
                     .value = (l.height[0] - l.height[1]) / of.depth,
                     .reference = 1.0,
                     .tolerance = 0.1,
                     .source = "overturned"});
  }
}

// --- Shear through both ---

#define SHEAR_WIDTH 0.5
#define SHEAR_SPEED 1.0

// Steady: the stress is one, so each fluid's rate of shear is inverse to its viscosity.
static double shear_velocity(const layers *of, double y) {
  double below = SHEAR_SPEED / (of->depth * (1.0 + of->viscosity[LOWER] / of->viscosity[UPPER]));
  double above = below * of->viscosity[LOWER] / of->viscosity[UPPER];
  return y < of->depth ? below * y : below * of->depth + above * (y - of->depth);
}

typedef struct shear_sample {
  const layers *of;
  double error;  // largest, of the plate's speed
} shear_sample;

static mote_result measure_shear(void *user, mote_world *world, int k, mote_error *error) {
  (void)k, (void)error;
  shear_sample *l = user;
  mote_field_view x = mote_world_view(world, "position"), v = mote_world_view(world, "velocity");
  l->error = 0.0;
  for (size_t i = 0; i < x.count; ++i) {
    double u = (double)((const float *)v.data)[3 * i];
    l->error = fmax(l->error, fabs(u - shear_velocity(l->of, ((const double *)x.data)[3 * i + 1])));
  }
  l->error /= SHEAR_SPEED;
  return MOTE_OK;
}

void validate_mixture_shear(validation *v) {
  layers of = {2, 0.05, SHEAR_WIDTH, 0.5, {1000, 100}, {1000, 200}};
  double time = 2.0;
  for (int k = 0; k < SOLVERS; ++k) {
    pair_scene s;
    pair_scene_make(&s, &of, true);
    mote_world_def *world = &s.scene.world;
    world->gravity[1] = 0.0;
    world->side[0][0] = world->side[0][1] = MOTE_SIDE_PERIODIC;
    world->wall_friction = 1.0;
    world->wall_velocity.x.formula = "clamp(2*y-0.5,0,1)";
    world->solver.pressure = solvers[k], world->solver.artificial_viscosity = 0.0;
    world->solver.kernel = MOTE_KERNEL_WENDLAND_C2, world->solver.support = 3.0;
    shear_sample l = {.of = &of};
    fluid_run run = {&s.scene, &time, 1, measure_shear, &l};
    mote_error error;
    if (fluid_run_scene(&run, validation_env(v), &error)) {
      validation_error(v, &error);
      continue;
    }
    report(
        v, "shear, viscosities 5:1: largest error / U", solver_names[k],
        (measure){
            .kind = MEASURE_NEAR, .value = l.error, .tolerance = 0.02, .source = "exact: piecewise linear"});
  }
}

// --- A small wave ---

#define WAVE_LENGTH 1.0
#define WAVE_SAMPLES 31
#define WAVE_BEGIN 1.5  // n t: from here to the end of the run the growth is taken
#define WAVE_END 3.0
#define WAVE_STEEPNESS 0.2  // k a at the end

static double wave_k(void) {
  return 2.0 * PI / WAVE_LENGTH;
}

// Chandrasekhar 1961, X (113), zero at the rate n; 1 is the lower fluid.
static double dispersion(const layers *of, double n) {
  double k = wave_k(), nu1 = of->viscosity[LOWER] / of->density[LOWER],
         nu2 = of->viscosity[UPPER] / of->density[UPPER], sum = of->density[LOWER] + of->density[UPPER];
  double a1 = of->density[LOWER] / sum, a2 = of->density[UPPER] / sum, contrast = a1 * nu1 - a2 * nu2;
  double q1 = sqrt(k * k + n / nu1), q2 = sqrt(k * k + n / nu2);
  return -(G * k / (n * n) * (a1 - a2) + 1.0) * (a2 * q1 + a1 * q2 - k) - 4.0 * k * a1 * a2 +
         4.0 * k * k / n * contrast * ((a2 * q1 - a1 * q2) + k * (a1 - a2)) +
         4.0 * k * k * k / (n * n) * contrast * contrast * (q1 - k) * (q2 - k);
}

// The rate of growth between walls: that of infinite depth, less what the depth takes from it without
// viscosity (n^2 has the factor tanh k H).
static double growth_rate(const layers *of) {
  double k = wave_k(), high = sqrt(G * k * (of->density[UPPER] - of->density[LOWER]) /
                                   (of->density[UPPER] + of->density[LOWER]));
  double low = 1e-3 * high;
  bool sign = dispersion(of, low) > 0.0;
  for (int step = 0; step < 100; ++step) {
    double middle = 0.5 * (low + high);
    *((dispersion(of, middle) > 0.0) == sign ? &low : &high) = middle;
  }
  double e = mote_exp(-2.0 * k * of->depth);
  return low * sqrt((1.0 - e) / (1.0 + e));
}

typedef struct growth {
  const layers *of;
  double rate;  // expected
  double time[WAVE_SAMPLES], amplitude[WAVE_SAMPLES];
} growth;

// The heavy fluid's part in the wave, exactly, whatever else it does: a = -2 / (rho L) sum m cos k x.
static mote_result measure_wave(void *user, mote_world *world, int k, mote_error *error) {
  APP_ASSERT(k < WAVE_SAMPLES);
  (void)error;
  growth *g = user;
  mote_field_view x = mote_world_view(world, "position"), m = mote_world_view(world, "mass");
  const float *mass = m.data;
  double sum = 0.0, split = 0.5 * (g->of->density[0] + g->of->density[1]) * g->of->spacing * g->of->spacing;
  for (size_t i = 0; i < x.count; ++i) {
    if ((double)mass[i] > split)
      sum += (double)mass[i] * mote_cos(wave_k() * ((const double *)x.data)[3 * i]);
  }
  g->amplitude[k] = -2.0 * sum / (g->of->density[UPPER] * g->of->width);
  return MOTE_OK;
}

static double log_sinh(double x) {
  return mote_log(0.5 * (mote_exp(x) - mote_exp(-x)));
}

// The slope of ln f over the window, f the amplitude or, with a rate, sinh(rate t).
static double window_slope(const growth *g, double rate) {
  double t[WAVE_SAMPLES], y[WAVE_SAMPLES];
  size_t count = 0;
  for (int k = 0; k < WAVE_SAMPLES; ++k) {
    if (g->rate * g->time[k] < WAVE_BEGIN - 1e-9 || !(g->amplitude[k] > 0.0)) continue;
    t[count] = g->time[k], y[count++] = rate > 0.0 ? log_sinh(rate * g->time[k]) : mote_log(g->amplitude[k]);
  }
  return count > 2 ? free_fit(t, y, count).slope : (double)NAN;
}

// A wave that is pushed and not displaced grows as sinh(n t): the n whose curve is as steep as the one found.
static double measured_rate(const growth *g) {
  double slope = window_slope(g, 0.0), low = 0.01 * g->rate, high = 4.0 * g->rate;
  for (int step = 0; step < 60; ++step) {
    double middle = 0.5 * (low + high);
    *(window_slope(g, middle) < slope ? &low : &high) = middle;
  }
  return isnan(slope) ? slope : 0.5 * (low + high);
}

static bool grow(validation *v, growth *g, mote_pressure_kind solver) {
  double k = wave_k(), H = g->of->depth, e = mote_exp(-2.0 * k * H), heavy = g->of->density[UPPER];
  double amplitude = WAVE_STEEPNESS / k / (0.5 * mote_exp(WAVE_END)) * g->rate / (1.0 - e);
  char across[2][320], up[2][320], pressure[2][160];
  pair_scene s;
  pair_scene_make(&s, g->of, true);
  s.scene.world.solver.pressure = solver, s.scene.world.solver.artificial_viscosity = 0.0;
  s.scene.world.solver.kernel = MOTE_KERNEL_WENDLAND_C2, s.scene.world.solver.support = 3.0;
  s.scene.world.solver.density_error = FREE_DENSITY_ERROR;
  for (int b = 0; b < 2; ++b) {
    // z is the way from the interface into the fluid: sinh(k(H - z)) / sinh(k H) and cosh
    char z[64];
    snprintf(z, sizeof z, b == LOWER ? "(%.17g-y)" : "(y-%.17g)", H);
    snprintf(up[b], sizeof up[b], "%.17g*(exp(-%.17g*%s)-%.17g*exp(%.17g*%s))*cos(%.17g*x)", amplitude, k, z,
             e, k, z, k);
    snprintf(across[b], sizeof across[b], "%.17g*(exp(-%.17g*%s)+%.17g*exp(%.17g*%s))*sin(%.17g*x)",
             b == LOWER ? -amplitude : amplitude, k, z, e, k, z, k);
    // At rest: what DFSPH and PCISPH start from. WCSPH falls until it is compressed, and rings.
    snprintf(pressure[b], sizeof pressure[b], "%.17g+%.17g*(%.17g-y)", b == LOWER ? G * H * heavy : 0.0,
             G * g->of->density[b], b == LOWER ? H : 2.0 * H);
    s.body[b].velocity.x.formula = across[b], s.body[b].velocity.y.formula = up[b];
    s.body[b].pressure.formula = pressure[b];
  }
  for (int n = 0; n < WAVE_SAMPLES; ++n) g->time[n] = WAVE_END / g->rate * n / (WAVE_SAMPLES - 1);
  fluid_run run = {&s.scene, g->time, WAVE_SAMPLES, measure_wave, g};
  mote_error error;
  mote_result result = fluid_run_scene(&run, validation_env(v), &error);
  if (result) validation_error(v, &error);
  return !result;
}

void validate_mixture_growth(validation *v) {
  static const double ratio[] = {2.0, 10.0};
  int across = validation_quick(v) ? 24 : validation_release(v) ? 64 : 32;
  fluid_curve curve[SOLVERS + 1];
  static growth found[SOLVERS];
  for (int r = validation_quick(v) ? 1 : 0; r < 2; ++r) {
    // One viscosity for both: where it jumps the pair form has not all of the stress
    // (docs/theory/mixtures.md).
    double light = 100.0, heavy = light * ratio[r], mu = 0.02 * light;
    layers of = {2, WAVE_LENGTH / across, 0.5 * WAVE_LENGTH, 0.5 * WAVE_LENGTH, {light, heavy}, {mu, mu}};
    int curves = 0;
    for (int k = 0; k < SOLVERS; ++k) {
      char row[96];
      found[k] = (growth){.of = &of, .rate = growth_rate(&of)};
      if (!grow(v, &found[k], solvers[k])) continue;
      snprintf(row, sizeof row, "growth of k = 2 pi / m, %g:1, %d across, 1/s", ratio[r], across);
      report(v, row, solver_names[k],
             (measure){.kind = MEASURE_NEAR,
                       .value = measured_rate(&found[k]),
                       .reference = found[k].rate,
                       .tolerance = 0.1 * found[k].rate,
                       .source = "Chandrasekhar 1961, X (113)"});
      snprintf(row, sizeof row, "k a at the end, %g:1", ratio[r]);
      report(v, row, solver_names[k],
             (measure){.kind = MEASURE_SHOWN,
                       .value = wave_k() * found[k].amplitude[WAVE_SAMPLES - 1],
                       .reference = WAVE_STEEPNESS,
                       .source = "linear theory"});
      curve[curves++] =
          (fluid_curve){solver_names[k], found[k].time, found[k].amplitude, WAVE_SAMPLES, false};
    }
    if (r == 1) fluid_plot(v, "rayleigh_taylor.svg", "t, s", "amplitude, m", curve, curves);
  }
}
