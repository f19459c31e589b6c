// Validation: a thread of water parts into drops by the tension of its tracked mesh (Rayleigh 1878: waves
// along it grow by omega^2 = sigma / (rho R^3) q (1 - q^2) I1(q) / I0(q), q = k R, fastest at q = 0.697). It
// stands on walls that it meets squarely, as if it went on behind them. docs/theory/tracking.md, "Tension"
#include <math.h>
#include <stdio.h>

#include "cli/base/app_assert.h"
#include "validate/fluids/free_flow.h"
#include "validate/surfaces/mesh_measure.h"

#define PI 3.14159265358979323846
#define SURFACE_TENSION 0.0728  // N/m
#define THREAD_RADIUS 5e-3      // m
#define FASTEST_WAVE_NUMBER 0.697
#define HEIGHT_SAMPLES_MAX 80
#define PER_GROWTH 8          // looks while waves grow by e
#define COMPARED_SAMPLES 4    // looks between those that are compared
#define KICK_HEIGHT 0.03      // what is begun with, of the radius
#define SMALL_HEIGHT_MAX 0.2  // waves as high are not small any more
#define DROP_LEAST 0.3        // of the volume of a wavelength: smaller parts are satellites

typedef struct thread {
  validation *v;
  double across, wavelength, length;
  bool reported;  // its growth
  int samples;
  double time[HEIGHT_SAMPLES_MAX], height[HEIGHT_SAMPLES_MAX];
  double drops;  // at the last look; on walls a half
  mote_world_surface surface;
} thread;

// Modified Bessel functions, by their series.
static double bessel_ratio(double q) {
  double zero = 0.0, one = 0.0, part = 1.0;
  for (int m = 0; m < 12; ++m) {
    zero += part, one += 0.5 * q * part / (m + 1);
    part *= 0.25 * q * q / ((m + 1.0) * (m + 1.0));
  }
  return one / zero;
}

static double growth_rate(void) {
  double rho = mote_material_def_default().density, q = FASTEST_WAVE_NUMBER;
  return sqrt(SURFACE_TENSION / (rho * THREAD_RADIUS * THREAD_RADIUS * THREAD_RADIUS) * q * (1.0 - q * q) *
              bessel_ratio(q));
}

// Parts of the mesh that are drops; those that touch a wall go on behind it.
static double count_drops(const thread *t, const mote_mesh *mesh, double spacing) {
  mesh_census census;
  mesh_census_take(mesh, &census);
  double whole = PI * THREAD_RADIUS * THREAD_RADIUS * t->wavelength, drops = 0.0, first = HUGE_VAL,
         last = -HUGE_VAL;
  for (size_t p = 0; p < census.parts; ++p) {
    if (census.part[p].volume > 0.5 * DROP_LEAST * whole) drops += 1.0;
  }
  for (size_t v = 0; v < mesh->vertices; ++v)
    first = fmin(first, mesh->vertex[3 * v]), last = fmax(last, mesh->vertex[3 * v]);
  drops -= 0.5 * (first < 0.5 * spacing) + 0.5 * (last > t->length - 0.5 * spacing);
  mesh_census_free(&census);
  return drops;
}

// Of e(t + D) + e(t - D) = 2 cosh(omega D) e(t), which holds whatever the beginning, while waves are small.
static double fit_growth(const thread *t, int samples) {
  APP_ASSERT(samples <= HEIGHT_SAMPLES_MAX);
  double top = 0.0, bottom = 0.0;
  for (int k = COMPARED_SAMPLES;
       k + COMPARED_SAMPLES < samples && t->height[k + COMPARED_SAMPLES] < SMALL_HEIGHT_MAX; ++k) {
    top += (t->height[k + COMPARED_SAMPLES] + t->height[k - COMPARED_SAMPLES]) * t->height[k];
    bottom += 2.0 * t->height[k] * t->height[k];
  }
  double ratio = top / bottom;
  return ratio > 1.0 ? acosh(ratio) / (t->time[COMPARED_SAMPLES] - t->time[0]) : 0.0;
}

static void report_growth(thread *t, int samples) {
  char name[96];
  snprintf(name, sizeof name, "thread, R = %g d: growth over Rayleigh's", t->across);
  measure m = {name, MEASURE_NEAR, fit_growth(t, samples) / growth_rate(), 1.0, 0.15, "Rayleigh 1878"};
  validation_report(t->v, &m);
  t->reported = true;
}

// The area of cross-sections is that of the thread times 1 + 2 e cos kx: the mean of cos kx is e.
static mote_result measure_thread(void *user, mote_world *world, int k, mote_error *error) {
  APP_ASSERT(k < ((const thread *)user)->samples);
  thread *t = user;
  mote_field_view x = mote_world_view(world, "position");
  t->height[k] = 0.0;
  for (size_t i = 0; i < x.count; ++i)
    t->height[k] += cos(2.0 * PI * ((const double *)x.data)[3 * i] / t->wavelength) / (double)x.count;
  if (!t->reported && (t->height[k] >= SMALL_HEIGHT_MAX || k == t->samples - 1)) report_growth(t, k + 1);
  if (k < t->samples - 1) return MOTE_OK;
  mote_world_surface_def def = mote_world_surface_def_default();
  mote_surface mesh = {0};
  def.name = "thread", def.surface.method = MOTE_SURFACE_TRACKED;
  mote_result result = mote_world_add_surface(world, &def, &t->surface, error);
  if (result == MOTE_OK) result = mote_world_build_surface(world, t->surface, NULL, 0, &mesh, error);
  if (result == MOTE_OK) t->drops = count_drops(t, &mesh.mesh, mote_world_spacing(world));
  mote_surface_free(&mesh, NULL);
  return result;
}

static bool run_thread(validation *v, double across, int waves, double until, thread *t) {
  free_scene s;
  char formula[3][96];
  double rate = growth_rate(), d = THREAD_RADIUS / across, k = FASTEST_WAVE_NUMBER / THREAD_RADIUS,
         speed = 2.0 * KICK_HEIGHT * rate / k;
  *t = (thread){.v = v, .across = across, .wavelength = 2.0 * PI / k, .samples = (int)(PER_GROWTH * until)};
  t->length = waves * t->wavelength;
  free_scene_make(&s, 3, d);
  mote_world_def *world = &s.scene.world;
  world->solver.density_error = 1e-4;
  world->gravity[1] = 0.0;
  world->low[0] = 0.0, world->high[0] = t->length;
  world->side[0][0] = world->side[0][1] = MOTE_SIDE_WALL;
  fluid_variant_set(FLUID_DFSPH, &world->solver);
  world->track.on = true, world->solver.tension = MOTE_TENSION_MESH;
  s.water.surface_tension = SURFACE_TENSION, s.water.contact_angle = 0.5 * PI;
  mote_shape_def *shape = &s.body.shape;
  *shape = mote_shape_def_default();
  shape->kind = MOTE_SHAPE_CYLINDER, shape->radius = THREAD_RADIUS, shape->to[0] = t->length;
  for (int a = 0; a < 3; ++a) shape->from[a] = 0.0, shape->to[a] = a == 0 ? t->length : 0.0;
  s.body.fill = MOTE_FILL_RELAXED;
  snprintf(formula[0], sizeof formula[0], "%.9g*sin(%.9g*x)", -speed, k);
  snprintf(formula[1], sizeof formula[1], "%.9g*cos(%.9g*x)*y", 0.5 * speed * k, k);
  snprintf(formula[2], sizeof formula[2], "%.9g*cos(%.9g*x)*z", 0.5 * speed * k, k);
  s.body.velocity.x.formula = formula[0], s.body.velocity.y.formula = formula[1];
  s.body.velocity.z.formula = formula[2];
  for (int n = 0; n < t->samples; ++n) t->time[n] = (n + 1) / (rate * PER_GROWTH);
  fluid_run run = {&s.scene, t->time, t->samples, measure_thread, t};
  mote_error error;
  mote_result result = fluid_run_scene(&run, validation_env(v), &error);
  if (result) validation_error(v, &error);
  return !result;
}

void validate_track_thread(validation *v) {
  if (validation_quick(v)) {
    validation_skip(v, "without --quick only");
    return;
  }
  double across = validation_release(v) ? 8 : 4;
  thread t;
  char name[96];
  if (!run_thread(v, across, 4, 5.0, &t)) return;
  snprintf(name, sizeof name, "thread, R = %g d, four wavelengths: drops", across);
  validation_report(v, &(measure){name, MEASURE_NEAR, t.drops, 4.0, 1.0, "Rayleigh 1878"});
}
