// Validation: surface tension. Drops of water without gravity: Laplace's pressure, the period of the mode
// n = 2 (Lamb 1932: omega^2 = 6 sigma / (rho R^3) in 2D, 8 in 3D), momentum, and contact angles.
// Steps that end at a given time are shorter than those before, and their pressures are not what carries the
// drop on average: where the pressure is measured (drop_stress.h), the world steps freely.
#include <math.h>
#include <mote/mote.h>
#include <stdio.h>

#include "cli/base/app_assert.h"
#include "validate/bodies/drop_stress.h"
#include "validate/bodies/drop_trial.h"
#include "validate/fluids/free_flow.h"

#define PI 3.14159265358979323846
#define SURFACE_TENSION 0.0728  // N/m
#define DROP_RADIUS 5e-3        // m
#define SHAPE_SAMPLES_MAX 400
#define STRESS_INTERVAL 12  // free steps from one measure of the stress to the next

typedef struct wobble {
  validation *v;
  int dimensions, samples;
  bool mesh;  // solver.tension: mesh
  double spacing, support;
  bool consistent;  // the solver's rates
  double time[SHAPE_SAMPLES_MAX], stretch[SHAPE_SAMPLES_MAX];
  mote_world_surface surface;
  double energy[SHAPE_SAMPLES_MAX];  // kinetic, and of the surface above that of a ball: J
  double pressure, count;            // sums
  double radius, momentum, fastest;
  double longest;    // step, s
  double start[3];   // mean velocity at the first look
  double middle[3];  // at the last
} wobble;

static double omega(int dimensions) {
  double rho = mote_material_def_default().density;
  return sqrt((dimensions == 2 ? 6.0 : 8.0) * SURFACE_TENSION /
              (rho * DROP_RADIUS * DROP_RADIUS * DROP_RADIUS));
}

// --- A drop ---

static mote_result take_sample(void *user, mote_world *world, int k, mote_error *error) {
  APP_ASSERT(k < SHAPE_SAMPLES_MAX);
  wobble *w = user;
  mote_field_view x = mote_world_view(world, "position"), u = mote_world_view(world, "velocity");
  double n = (double)x.count, middle[3] = {0}, spread[3] = {0}, flow[3] = {0}, fastest = 0.0;
  const double *at = x.data;
  for (size_t i = 0; i < x.count; ++i) {
    const float *v = (const float *)u.data + 3 * i;
    double square = 0.0;
    for (size_t a = 0; a < 3; ++a) {
      middle[a] += at[3 * i + a] / n, flow[a] += (double)v[a] / n, square += (double)v[a] * (double)v[a];
    }
    fastest = fmax(fastest, sqrt(square));
  }
  for (size_t i = 0; i < x.count; ++i) {
    for (size_t a = 0; a < 3; ++a) spread[a] += pow(at[3 * i + a] - middle[a], 2) / n;
  }
  double sum = spread[0] + spread[1] + spread[2];
  w->stretch[k] = w->dimensions == 2 ? (spread[1] - spread[0]) / sum : (1.5 * spread[1] - 0.5 * sum) / sum;
  w->radius = sqrt((w->dimensions == 2 ? 2.0 : 5.0 / 3.0) * sum);
  w->fastest = fastest, w->momentum = 0.0;
  for (int a = 0; a < 3; ++a) {
    if (k == 0) w->start[a] = flow[a];
    w->momentum = fmax(w->momentum, fabs(flow[a] - w->start[a]));
  }
  for (int a = 0; a < 3; ++a) w->middle[a] = middle[a];
  return w->mesh ? drop_energy(world, &w->surface, SURFACE_TENSION, &w->energy[k], error) : MOTE_OK;
}

// Steps freely, and measures pressures in the second half of the time.
static mote_result run_freely(wobble *w, const mote_scene *scene, double end, mote_error *error) {
  mote_world *world = NULL;
  mote_result result = mote_world_create_scene(scene, validation_env(w->v), &world, error);
  for (int k = 1; !result && mote_world_time(world) < end; ++k) {
    result = mote_world_step(world, 2.0 * end, error);
    w->longest = fmax(w->longest, mote_world_report(world).step);
    if (result || k % STRESS_INTERVAL != 0 || mote_world_time(world) < 0.5 * end) continue;
    double pressure = 0.0;
    result = take_sample(w, world, 0, error);
    drop_inside inside = {w->dimensions, w->spacing,    w->support, SURFACE_TENSION,
                          w->mesh,       w->consistent, {0},        w->radius};
    for (int a = 0; a < 3; ++a) inside.centre[a] = w->middle[a];
    if (!result) result = drop_pressure(&inside, world, validation_env(w->v), &pressure, error);
    w->pressure += pressure, w->count += 1.0;
  }
  mote_world_destroy(world);
  return result;
}

// `kick` is the speed of the stretching, over omega R; looked at 40 times a period, or stress is measured.
static bool run_drop(wobble *w, fluid_variant variant, double across, double kick, double viscosity,
                     double periods, bool stress) {
  APP_ASSERT(across > 0.0 && 40.0 * periods <= SHAPE_SAMPLES_MAX);
  free_scene s;
  char formula[3][64];
  double rate = kick * omega(w->dimensions), period = 2.0 * PI / omega(w->dimensions);
  w->spacing = DROP_RADIUS / across, w->support = 3.0 * w->spacing;
  free_scene_make(&s, w->dimensions, w->spacing);
  s.scene.world.solver.density_error = 1e-4;
  s.scene.world.gravity[1] = 0.0;
  s.water.surface_tension = SURFACE_TENSION, s.water.viscosity = viscosity;
  s.body.shape = mote_shape_def_sphere(0, 0, 0, DROP_RADIUS);
  s.body.fill = MOTE_FILL_RELAXED;
  snprintf(formula[0], sizeof formula[0], "%.9g*x", w->dimensions == 2 ? -rate : -0.5 * rate);
  snprintf(formula[1], sizeof formula[1], "%.9g*y", rate);
  snprintf(formula[2], sizeof formula[2], "%.9g*z", -0.5 * rate);
  s.body.velocity.x.formula = formula[0], s.body.velocity.y.formula = formula[1];
  if (w->dimensions == 3) s.body.velocity.z.formula = formula[2];
  w->samples = (int)(40.0 * periods);
  for (int k = 0; k < w->samples; ++k) w->time[k] = period * (k + 1) / 40.0;
  fluid_variant_set(variant, &s.scene.world.solver);
  w->consistent = s.scene.world.solver.consistent && s.scene.world.solver.pressure != MOTE_PRESSURE_WCSPH;
  s.scene.world.track.on = w->mesh;
  if (w->mesh) s.scene.world.solver.tension = MOTE_TENSION_MESH;
  fluid_run run = {&s.scene, w->time, w->samples, take_sample, w};
  mote_error error;
  mote_result result = stress ? run_freely(w, &s.scene, periods * period, &error)
                              : fluid_run_scene(&run, validation_env(w->v), &error);
  if (result) validation_error(w->v, &error);
  return !result;
}

static const fluid_roles roles = {.skipped = {[FLUID_WCSPH_FOLLOWED] = true, [FLUID_DFSPH_SHIFTED] = true}};

// --- Cases ---

// At rest particles may freeze on a packing, which holds stresses of its own: such a drop is shown. The one
// that is judged swings a little, so that they stay loose; its pressure is the mean over the second half of
// the time.
void drop_laplace(validation *v, int dimensions, fluid_variant variant, double across, bool rests,
                  bool mesh) {
  wobble w = {.v = v, .dimensions = dimensions, .mesh = mesh};
  double mu = rests ? 0.02 : mote_material_def_default().viscosity;
  char name[96];
  if (!run_drop(&w, variant, across, rests ? 0.0 : 0.1, mu, 1.5, true)) return;
  double exact = (dimensions - 1) * SURFACE_TENSION / w.radius, found = w.pressure / w.count;
  snprintf(name, sizeof name, "pressure over Laplace's, %dD, R/d = %g%s", dimensions, across,
           rests ? ", at rest" : "");
  double within = mesh && variant == FLUID_DFSPH ? 0.05 : 0.1;
  measure m = {name, rests ? MEASURE_SHOWN : MEASURE_NEAR, found / exact, 1.0, within, "Laplace"};
  fluid_report(v, &roles, variant, &m);
  if (mesh) {
    double limit = 0.5 * sqrt(mote_material_def_default().density * pow(w.spacing, 3) / SURFACE_TENSION);
    snprintf(name, sizeof name, "longest step of it over 0.5 sqrt(rho d^3/sigma), R/d = %g", across);
    fluid_report(v, &roles, variant,
                 &(measure){name, MEASURE_SHOWN, w.longest / limit, 1.0, 0.0, "its limit"});
  }
  if (!rests) return;
  snprintf(name, sizeof name, "spurious currents, max v mu/sigma, %dD, R/d = %g", dimensions, across);
  double currents = w.fastest * mu / SURFACE_TENSION;
  fluid_report(v, &roles, variant, &(measure){name, MEASURE_SHOWN, currents, 0.0, 0.0, "exact"});
}

void validate_tension_laplace(validation *v) {
  static const double flat[] = {12, 16, 24}, round[] = {8, 6};
  bool quick = validation_quick(v), release = validation_release(v);
  for (int k = 0; k < FLUID_VARIANTS; ++k) {
    fluid_variant variant = (fluid_variant)k;
    if (roles.skipped[k] || (quick && variant != FLUID_DFSPH)) continue;
    for (int n = 0; n < (quick ? 1 : release ? 3 : 2); ++n)
      drop_laplace(v, 2, variant, flat[n], false, false);
    for (int n = 0; n < (quick ? 0 : release ? 2 : 1); ++n)
      drop_laplace(v, 3, variant, round[n], false, false);
    if (!quick) drop_laplace(v, 2, variant, 12, true, false);
  }
}

double drop_period(const double *time, const double *stretch, int samples, double *damping) {
  APP_ASSERT(samples > 1 && samples <= SHAPE_SAMPLES_MAX);
  double first = 0.0, last = 0.0, top = 0.0, tops[SHAPE_SAMPLES_MAX];
  int zeros = 0;
  for (int k = 1; k < samples; ++k) {
    double a = stretch[k - 1], b = stretch[k];
    top = fmax(top, fabs(b));
    if (a * b >= 0.0) continue;
    if (zeros > 2 && top < 0.15 * tops[1]) break;  // noise from here on
    last = time[k - 1] + (time[k] - time[k - 1]) * a / (a - b);
    if (zeros == 0) first = last;
    tops[zeros++] = top, top = 0.0;
  }
  double half = (last - first) / (zeros - 1);
  double early = zeros > 2 ? tops[0] + tops[1] : (double)NAN,
         late = zeros > 2 ? tops[zeros - 2] + tops[zeros - 1] : (double)NAN;
  *damping = log(early / late) / ((zeros - 2) * half);
  return 2.0 * half;
}

double drop_growth(const double *energy, int samples, int window) {
  APP_ASSERT(window > 0 && samples >= window);
  double least = HUGE_VAL, growth = 0.0;
  for (int k = window; k + window <= samples; k += window) {
    double mean = 0.0;
    for (int n = k; n < k + window; ++n) mean += energy[n] / window;
    growth = fmax(growth, mean / least - 1.0), least = fmin(least, mean);
  }
  return growth;
}

void drop_swing(validation *v, int dimensions, fluid_variant variant, double across, double periods,
                bool mesh) {
  wobble w = {.v = v, .dimensions = dimensions, .mesh = mesh};
  char name[96];
  double mu = mote_material_def_default().viscosity, nu = mu / mote_material_def_default().density;
  if (!run_drop(&w, variant, across, 0.1, mu, periods, false)) return;
  double damping, period = drop_period(w.time, w.stretch, w.samples, &damping),
                  exact = 2.0 * PI / omega(dimensions);
  double R = DROP_RADIUS, lamb = (dimensions == 2 ? 4.0 : 5.0) * nu / (R * R);
  snprintf(name, sizeof name, "period of n = 2 over Lamb's, %dD, R/d = %g", dimensions, across);
  double within = mesh && variant == FLUID_DFSPH ? 0.05 : 0.1;
  fluid_report(v, &roles, variant, &(measure){name, MEASURE_NEAR, period / exact, 1.0, within, "Lamb 1932"});
  snprintf(name, sizeof name, "damping, 1/s, %dD, R/d = %g", dimensions, across);
  measure dying = {name, MEASURE_SHOWN, damping, lamb, 0.0, "Lamb 1932"};
  if (mesh) dying = (measure){name, MEASURE_AT_LEAST, damping, 0.0, 0.0, "Lamb 1932: 0.2"};
  // --quick has too few swings for it.
  if (!isnan(damping) || !validation_quick(v)) fluid_report(v, &roles, variant, &dying);
  snprintf(name, sizeof name, "energy of the swing: growth from one half period to another, R/d = %g",
           across);
  double growth = drop_growth(w.energy, w.samples, 20);
  if (mesh) fluid_report(v, &roles, variant, &(measure){name, MEASURE_NEAR, growth, 0.0, 0.01, "exact"});
  snprintf(name, sizeof name, "change of momentum over that of the swing, %dD", dimensions);
  double kept = w.momentum / (0.1 * omega(dimensions) * DROP_RADIUS);
  fluid_report(v, &roles, variant, &(measure){name, MEASURE_NEAR, kept, 0.0, 1e-5, "exact"});
}

void validate_tension_wobble(validation *v) {
  bool quick = validation_quick(v);
  for (int k = 0; k < FLUID_VARIANTS; ++k) {
    if (roles.skipped[k] || (quick && k != FLUID_DFSPH)) continue;
    drop_swing(v, 2, (fluid_variant)k, quick ? 10 : 16, quick ? 2.0 : 2.5, false);
    if (!quick) drop_swing(v, 3, (fluid_variant)k, 6, 2.0, false);
  }
}

// --- Contact angles ---

#define DIRECTION_COUNT 48

typedef struct puddle {
  double spacing, angle;
} puddle;

// The circle nearest to points (Kasa 1976): x^2 + y^2 = a x + b y + c, least squares about their mean.
static void fit_circle(const double *x, const double *y, int count, double *height, double *radius) {
  APP_ASSERT(count > 2);
  double mx = 0, my = 0, sxx = 0, sxy = 0, syy = 0, sxz = 0, syz = 0, mz = 0;
  for (int k = 0; k < count; ++k) mx += x[k] / count, my += y[k] / count;
  for (int k = 0; k < count; ++k) {
    double u = x[k] - mx, w = y[k] - my, z = u * u + w * w;
    sxx += u * u, sxy += u * w, syy += w * w, sxz += u * z, syz += w * z, mz += z / count;
  }
  double det = sxx * syy - sxy * sxy, a = 0.5 * (sxz * syy - syz * sxy) / det,
         b = 0.5 * (syz * sxx - sxz * sxy) / det;
  *height = my + b, *radius = sqrt(mz + a * a + b * b);
}

// The outline: in each direction from the middle the farthest particle; and half a spacing more.
static mote_result measure_puddle(void *user, mote_world *world, int k, mote_error *error) {
  (void)k, (void)error;
  puddle *p = user;
  mote_field_view x = mote_world_view(world, "position");
  double far[DIRECTION_COUNT] = {0}, px[DIRECTION_COUNT], py[DIRECTION_COUNT], middle = 0.0, height, radius;
  for (size_t i = 0; i < x.count; ++i) middle += ((const double *)x.data)[3 * i] / (double)x.count;
  for (size_t i = 0; i < x.count; ++i) {
    const double *at = (const double *)x.data + 3 * i;
    double u = at[0] - middle, w = at[1];
    int sector = (int)(atan2(w, u) / PI * DIRECTION_COUNT);
    if (sector < 0 || sector >= DIRECTION_COUNT || w < 2.0 * p->spacing) continue;
    double r = sqrt(u * u + w * w);
    if (r > far[sector])
      far[sector] = r, px[sector] = u * (1 + 0.5 * p->spacing / r),
      py[sector] = w * (1 + 0.5 * p->spacing / r);
  }
  int count = 0;
  for (int n = 0; n < DIRECTION_COUNT; ++n) {
    if (far[n] > 0.0) px[count] = px[n], py[count] = py[n], ++count;
  }
  fit_circle(px, py, count, &height, &radius);
  p->angle += acos(fmax(-1.0, fmin(1.0, -height / radius))) * 180.0 / PI;
  return MOTE_OK;
}

static void contact(validation *v, fluid_variant variant, double degrees, double across) {
  enum { SHAPE_SAMPLES = 10 };
  free_scene s;
  puddle p = {.spacing = DROP_RADIUS / across};
  double time[SHAPE_SAMPLES], period = 2.0 * PI / omega(2);
  free_scene_make(&s, 2, p.spacing);
  s.scene.world.solver.density_error = 1e-4;
  s.scene.world.gravity[1] = 0.0;
  s.scene.world.low[1] = 0.0, s.scene.world.side[1][0] = MOTE_SIDE_WALL;
  s.water.surface_tension = SURFACE_TENSION, s.water.viscosity = 0.02,
  s.water.contact_angle = degrees * PI / 180.0;
  s.body.shape = mote_shape_def_sphere(0, 0, 0, DROP_RADIUS);
  for (int k = 0; k < SHAPE_SAMPLES; ++k) time[k] = period * (3.0 + 0.1 * (k + 1));
  fluid_run run = {&s.scene, time, SHAPE_SAMPLES, measure_puddle, &p};
  mote_error error;
  if (fluid_run_variant(&run, variant, validation_env(v), &error)) {
    validation_error(v, &error);
    return;
  }
  char name[64];
  snprintf(name, sizeof name, "contact angle of %g degrees", degrees);
  fluid_report(v, &roles, variant,
               &(measure){name, MEASURE_NEAR, p.angle / SHAPE_SAMPLES, degrees, 5.0, "Young"});
}

void validate_tension_angle(validation *v) {
  static const double degrees[] = {60, 90, 120};
  bool quick = validation_quick(v);
  for (int k = 0; k < FLUID_VARIANTS; ++k) {
    if (roles.skipped[k] || (quick && k != FLUID_DFSPH)) continue;
    for (int n = 0; n < 3; ++n) {
      if (!quick || n == 1) contact(v, (fluid_variant)k, degrees[n], 16);
    }
  }
}
