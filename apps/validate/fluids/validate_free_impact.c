// Validation: dam breaks with level gauges and a pressure sensor, against measurements
// (impact_references.h). Without --release they run coarse and are only shown.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/base/app_assert.h"
#include "validate/fluids/free_flow.h"
#include "validate/fluids/impact_references.h"

#define COARSE_STEP 0.01    // s, between readings
#define ARRIVAL_LEVEL 0.03  // m: a gauge is wet
#define SAMPLES_MAX 2000
#define SENSOR_POINTS 5  // over its height

typedef struct impact_run {
  const impact *of;
  double time[SAMPLES_MAX];
  double level[IMPACT_GAUGES][SAMPLES_MAX], pressure[SAMPLES_MAX];
  int samples;
  double volume;  // largest |relative error|
  size_t particles;
} impact_run;

static const char *const gauge_name[IMPACT_GAUGES] = {"h1", "h2", "h3", "h4"};

static void choose_times(impact_run *r) {
  APP_ASSERT(r->of->duration > 0.0);
  double t = 0.0;
  r->samples = 0;
  while (t < r->of->duration && r->samples < SAMPLES_MAX) {
    bool fine = t >= r->of->fine_from && t < r->of->fine_to;
    t += fine ? r->of->fine_step : COARSE_STEP;
    r->time[r->samples++] = t;
  }
}

static mote_result take_sample(void *user, mote_world *world, int k, mote_error *error) {
  APP_ASSERT(k < SAMPLES_MAX);
  impact_run *r = user;
  mote_reading reading[SENSOR_POINTS] = {0};
  mote_totals now;
  mote_probe sensor = mote_world_find_probe(world, "sensor");
  int points = mote_world_probe_points(world, sensor);
  mote_result result = mote_world_probe(world, sensor, reading, error);
  for (int n = 0; n < points; ++n) r->pressure[k] += reading[n].pressure / points;
  for (int g = 0; g < IMPACT_GAUGES && !result; ++g) {
    result = free_level(world, gauge_name[g], &r->level[g][k], error);
  }
  if (!result) result = mote_world_totals(world, &now, error);
  if (result) return result;
  if (k == 0) r->particles = now.particles;
  double left = (double)now.particles / (double)r->particles;
  r->volume = fmax(r->volume, fabs(left * (1.0 + now.volume_error) - 1.0));
  return MOTE_OK;
}

static void make_scene(free_scene *s, mote_collider_def *box, const impact *of, double spacing) {
  free_scene_make(s, of->dimensions, spacing);
  mote_world_def *world = &s->scene.world;
  for (int a = 0; a < of->dimensions; ++a) {
    world->low[a] = 0.0, world->high[a] = of->tank[a];
    world->side[a][0] = world->side[a][1] = MOTE_SIDE_WALL;
  }
  world->side[1][1] = MOTE_SIDE_OPEN;
  world->high[1] = HUGE_VAL;
  const double *a = of->dam_low, *b = of->dam_high;
  s->body.shape = mote_shape_def_box(a[0], a[1], a[2], b[0], b[1], b[2]);
  if (of->has_box) {
    a = of->box_low, b = of->box_high;
    *box = mote_collider_def_default();
    box->name = "box", box->shape = mote_shape_def_box(a[0], a[1], a[2], b[0], b[1], b[2]);
    s->scene.collider = box, s->scene.colliders = 1;
  }
  for (int g = 0; g < IMPACT_GAUGES; ++g) {
    double x = of->gauge[g].x;
    mote_probe_def *gauge = free_scene_gauge(s, gauge_name[g], x, 0.0, x, of->tank[1]);
    gauge->from[2] = gauge->to[2] = 0.5 * of->tank[2];
  }
  mote_probe_def *sensor = &s->probe[s->scene.probes++];
  *sensor = mote_probe_def_default();
  sensor->name = "sensor";
  for (int k = 0; k < 3; ++k) sensor->from[k] = sensor->to[k] = of->sensor.position[k];
  if (of->sensor.height == 0.0) return;
  sensor->kind = MOTE_PROBE_LINE, sensor->count = SENSOR_POINTS;
  sensor->from[1] -= 0.5 * of->sensor.height, sensor->to[1] += 0.5 * of->sensor.height;
}

// In 3D with the default kernel and tolerances: those of the other flows cost three times as much.
static void set_solver(mote_world_def *world, fluid_variant variant) {
  const mote_solver_def plain = mote_world_def_default().solver;
  fluid_variant_set(variant, &world->solver);
  if (world->dimensions == 2) return;
  world->solver.kernel = plain.kernel, world->solver.support = plain.support;
  world->solver.density_error = plain.density_error;
}

// --- What is judged
// -----------------------------------------------------------------------------------------

// The mean of |level - measured| at the times of the reference.
static double level_error(const impact_run *r, int g) {
  APP_ASSERT(g >= 0 && g < IMPACT_GAUGES && r->of->levels <= IMPACT_LEVELS && r->samples > 0);
  const impact *of = r->of;
  double sum = 0.0, largest = 0.0;
  for (int k = 0; k < of->levels; ++k) {
    double measured = of->gauge[g].level[k], t = of->interval * (k + 1);
    double level =
        free_interpolate(r->time, r->level[g], (size_t)r->samples, fmin(t, r->time[r->samples - 1]));
    sum += fabs(level - measured), largest = fmax(largest, measured);
  }
  return sum / of->levels / (of->of_largest ? largest : of->level_scale);
}

// The first time at which values exceed a threshold; NaN: never.
static double arrival(const impact_run *r, const double *value, double threshold) {
  for (int k = 1; k < r->samples; ++k) {
    if (value[k] <= threshold) continue;
    double part = (threshold - value[k - 1]) / (value[k] - value[k - 1]);
    return r->time[k - 1] + part * (r->time[k] - r->time[k - 1]);
  }
  return (double)NAN;
}

// The largest mean over the filter's width, and the integral, between the sensor's times.
static void sum_pressure(const impact_run *r, double *peak, double *impulse) {
  const impact_sensor *s = &r->of->sensor;
  int half = (int)(0.5 * s->filter / r->of->fine_step);
  *peak = *impulse = 0.0;
  for (int k = half; k + half < r->samples; ++k) {
    if (r->time[k] < s->from || r->time[k] > s->to) continue;
    double mean = 0.0;
    for (int n = k - half; n <= k + half; ++n) mean += r->pressure[n] / (2 * half + 1);
    *peak = fmax(*peak, mean);
    if (k > 0) *impulse += 0.5 * (r->pressure[k] + r->pressure[k - 1]) * (r->time[k] - r->time[k - 1]);
  }
}

static void report(validation *v, const fluid_roles *roles, fluid_variant variant, const char *name,
                   double value, double reference, double tolerance, const char *source) {
  bool judged = tolerance > 0.0 && validation_release(v);
  measure row = {name, judged ? MEASURE_NEAR : MEASURE_SHOWN, value, reference, tolerance, source};
  fluid_report(v, roles, variant, &row);
}

static void judge(validation *v, const fluid_roles *roles, fluid_variant variant, const impact_run *r) {
  const impact *of = r->of;
  const impact_sensor *s = &of->sensor;
  char name[80];
  for (int g = 0; g < IMPACT_GAUGES; ++g) {
    snprintf(name, sizeof name, "level at x = %g m, mean error", of->gauge[g].x);
    report(v, roles, variant, name, level_error(r, g), 0.0, of->level_error, of->source);
    double expected = of->gauge[g].arrival;
    if (expected == 0.0) continue;
    snprintf(name, sizeof name, "arrival at x = %g m, s", of->gauge[g].x);
    report(v, roles, variant, name, arrival(r, r->level[g], ARRIVAL_LEVEL), expected,
           of->arrival_error * expected, of->source);
  }
  double peak, impulse;
  sum_pressure(r, &peak, &impulse);
  if (s->arrival > 0.0) {
    report(v, roles, variant, "arrival at the sensor, s", arrival(r, r->pressure, s->threshold), s->arrival,
           of->arrival_error * s->arrival, of->source);
  }
  report(v, roles, variant, "filtered peak, Pa", peak, s->peak, of->peak_error * s->peak, of->source);
  report(v, roles, variant, "impulse, Pa s", impulse, s->impulse, of->impulse_error * s->impulse, of->source);
  report(v, roles, variant, "volume, largest error", r->volume, 0.0, 0.01, "1 %");
}

// All readings: "DIR/CASE-VARIANT.csv" where tables are asked for.
static void write_readings(validation *v, fluid_variant variant, const impact_run *r) {
  char file[80], path[1024];
  snprintf(file, sizeof file, "%s-%s.csv", r->of->name, fluid_variant_name(variant));
  for (char *c = file; *c != '\0'; ++c) {
    if (*c == ' ') *c = '-';
  }
  if (!validation_plot_path(v, file, path, sizeof path)) return;
  FILE *out = fopen(path, "w");
  mote_error error = {.text = "cannot be written"};
  snprintf(error.file, sizeof error.file, "%s", file);
  if (out == NULL) {
    validation_error(v, &error);
    return;
  }
  fprintf(out, "t_s,h1_m,h2_m,h3_m,h4_m,pressure_Pa\n");
  for (int k = 0; k < r->samples; ++k) {
    fprintf(out, "%.6g", r->time[k]);
    for (int g = 0; g < IMPACT_GAUGES; ++g) fprintf(out, ",%.6g", r->level[g][k]);
    fprintf(out, ",%.6g\n", r->pressure[k]);
  }
  bool written = !ferror(out);
  if (fclose(out) != 0 || !written) validation_error(v, &error);
}

static void run_impact(validation *v, const impact *of, const fluid_roles *roles, double spacing) {
  static impact_run r;
  for (int k = 0; k < FLUID_VARIANTS; ++k) {
    if (!fluid_runs(v, roles, (fluid_variant)k)) continue;
    free_scene s;
    mote_collider_def box;
    r = (impact_run){.of = of};
    choose_times(&r);
    make_scene(&s, &box, of, spacing);
    fluid_run run = {&s.scene, r.time, r.samples, take_sample, &r};
    mote_error error;
    set_solver(&s.scene.world, (fluid_variant)k);
    if (fluid_run_scene(&run, validation_env(v), &error)) {
      validation_error(v, &error);
    } else {
      judge(v, roles, (fluid_variant)k, &r);
      write_readings(v, (fluid_variant)k, &r);
    }
  }
}

// Particles across a length: of releases, else, and half of that.
static int across(const validation *v, int release, int normal) {
  if (validation_release(v)) return release;
  return validation_quick(v) ? normal / 2 : normal;
}

void validate_spheric_2(validation *v) {
  static const fluid_roles roles = {
      .skipped = {[FLUID_WCSPH_FOLLOWED] = true, [FLUID_PCISPH] = true, [FLUID_DFSPH_SHIFTED] = true}};
  run_impact(v, &impact_spheric_2, &roles, 0.161 / across(v, 10, 2));
}

void validate_lobovsky(validation *v) {
  static const fluid_roles roles = {.skipped = {[FLUID_PCISPH] = true, [FLUID_DFSPH_SHIFTED] = true}};
  run_impact(v, &impact_lobovsky, &roles, 0.3 / across(v, 80, 40));
}
