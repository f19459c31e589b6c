// Validation: surface tension of a tracked mesh (YU11 5.3, solver.tension: mesh; docs/theory/tracking.md).
// Drops that swing in n = 2; a cube that becomes one and swings in n = 4 (Lamb 1932: omega^2 = n(n - 1)(n +
// 2) sigma / (rho R^3)); drops at rest.
#include <math.h>
#include <stdio.h>

#include "cli/base/app_assert.h"
#include "validate/bodies/drop_trial.h"
#include "validate/fluids/free_flow.h"
#include "validate/surfaces/mesh_measure.h"

#define PI 3.14159265358979323846
#define SURFACE_TENSION 0.0728  // N/m
#define SHAPE_SAMPLES_MAX 240

static const fluid_roles roles = {.skipped = {[FLUID_WCSPH_FOLLOWED] = true, [FLUID_DFSPH_SHIFTED] = true}};

static void scene_make(free_scene *s, fluid_variant variant, double spacing) {
  free_scene_make(s, 3, spacing);
  s->scene.world.solver.density_error = 1e-4;
  s->scene.world.gravity[1] = 0.0;
  s->water.surface_tension = SURFACE_TENSION;
  fluid_variant_set(variant, &s->scene.world.solver);
  s->scene.world.track.on = true, s->scene.world.solver.tension = MOTE_TENSION_MESH;
}

// --- Drops ---

mote_result drop_energy(mote_world *world, mote_world_surface *surface, double sigma, double *energy,
                        mote_error *error) {
  mote_result result = MOTE_OK;
  if (surface->generation == 0) {
    mote_world_surface_def def = mote_world_surface_def_default();
    def.name = "drop", def.surface.method = MOTE_SURFACE_TRACKED;
    result = mote_world_add_surface(world, &def, surface, error);
  }
  mote_surface mesh = {0};
  if (result == MOTE_OK) result = mote_world_build_surface(world, *surface, NULL, 0, &mesh, error);
  if (result != MOTE_OK) return result;
  mesh_census census;
  mesh_census_take(&mesh.mesh, &census);
  mote_field_view u = mote_world_view(world, "velocity"), m = mote_world_view(world, "mass");
  *energy = sigma * (census.area - cbrt(36.0 * PI * census.volume * census.volume));
  for (size_t i = 0; i < 3 * u.count; ++i)
    *energy += 0.5 * (double)((const float *)m.data)[i / 3] * pow((double)((const float *)u.data)[i], 2);
  mesh_census_free(&census);
  mote_surface_free(&mesh, NULL);
  return MOTE_OK;
}

// DFSPH is judged by 5 %, the others by 10 %.
static void run_drop(validation *v, fluid_variant variant, double across, double periods) {
  drop_swing(v, 3, variant, across, periods, true);
  drop_laplace(v, 3, variant, across, false, true);
}

void validate_track_tension(validation *v) {
  bool quick = validation_quick(v);
  for (int k = FLUID_VARIANTS - 1; k >= 0; --k) {
    if (roles.skipped[k] || (quick && k != FLUID_DFSPH)) continue;
    run_drop(v, (fluid_variant)k, quick ? 6 : 8, quick ? 1.2 : 2.1);
  }
}

// One case a solver: they run side by side.
static void run_large_drop(validation *v, fluid_variant variant) {
  if (validation_release(v))
    run_drop(v, variant, 16, 2.1);
  else
    validation_skip(v, "drops of R = 16 d are run with --release");
}

void validate_track_drop(validation *v) {
  run_large_drop(v, FLUID_DFSPH);
}

void validate_track_drop_pcisph(validation *v) {
  run_large_drop(v, FLUID_PCISPH);
}

void validate_track_drop_wcsph(validation *v) {
  run_large_drop(v, FLUID_WCSPH);
}

// --- At rest ---

static mote_result measure_rest(void *user, mote_world *world, int k, mote_error *error) {
  (void)k, (void)error;
  mote_field_view u = mote_world_view(world, "velocity");
  double *speed = user, sum = 0.0;
  for (size_t i = 0; i < 3 * u.count; ++i) sum += pow((double)((const float *)u.data)[i], 2);
  *speed = sqrt(sum / (double)u.count);
  return MOTE_OK;
}

// How fast particles of a ball move that should rest, after one period of n = 2.
void validate_track_rest(validation *v) {
  static const struct {
    mote_tension_method tension;
    const char *name;
  } kind[] = {{MOTE_TENSION_MESH, "mesh"},
              {MOTE_TENSION_CURVATURE, "curvature"},
              {MOTE_TENSION_COHESION, "cohesion"}};
  double R = 5e-3, across = validation_quick(v) ? 5 : 8, rho = mote_material_def_default().density;
  double omega = sqrt(8.0 * SURFACE_TENSION / (rho * R * R * R)), time = 2.0 * PI / omega, speed;
  for (size_t k = 0; k < sizeof kind / sizeof *kind; ++k) {
    free_scene s;
    char name[96];
    mote_error error;
    scene_make(&s, FLUID_DFSPH, R / across);
    s.scene.world.track.on = kind[k].tension == MOTE_TENSION_MESH,
    s.scene.world.solver.tension = kind[k].tension;
    s.body.shape = mote_shape_def_sphere(0, 0, 0, R), s.body.fill = MOTE_FILL_RELAXED;
    fluid_run run = {&s.scene, &time, 1, measure_rest, &speed};
    if (fluid_run_scene(&run, validation_env(v), &error)) {
      validation_error(v, &error);
      return;
    }
    snprintf(name, sizeof name, "at rest, R = %g d, RMS speed over omega R, %s", across, kind[k].name);
    validation_report(v, &(measure){name, MEASURE_SHOWN, speed / (omega * R), 0.0, 0.0, "exact"});
  }
}

// --- A cube ---

typedef struct cube {
  int samples;
  double time[SHAPE_SAMPLES_MAX], stretch[SHAPE_SAMPLES_MAX], energy[SHAPE_SAMPLES_MAX];
  mote_world_surface surface;
} cube;

// x^4 + y^4 + z^4 - 3/5 r^4 is the harmonic of a cube, n = 4.
static mote_result measure_cube(void *user, mote_world *world, int k, mote_error *error) {
  APP_ASSERT(k < SHAPE_SAMPLES_MAX);
  cube *c = user;
  mote_field_view x = mote_world_view(world, "position");
  double fourth = 0.0, all = 0.0, middle[3] = {0.0};
  for (size_t i = 0; i < 3 * x.count; ++i) middle[i % 3] += ((const double *)x.data)[i] / (double)x.count;
  for (size_t i = 0; i < x.count; ++i) {
    double r2 = 0.0;
    for (size_t a = 0; a < 3; ++a) {
      double d = ((const double *)x.data)[3 * i + a] - middle[a];
      r2 += d * d, fourth += d * d * d * d;
    }
    all += r2 * r2;
  }
  c->stretch[k] = fourth / all - 0.6;
  return drop_energy(world, &c->surface, SURFACE_TENSION, &c->energy[k], error);
}

#define CUBE_SIDE 15e-3  // m, of the cube; the ball has its volume
#define FOUR_KICK 0.05

static void swing_in_four(validation *v, free_scene *s, double R, const char *of, measure_kind kind) {
  double exact = 2.0 * PI / sqrt(72.0 * SURFACE_TENSION / (s->water.density * R * R * R)), damping;
  cube c = {.samples = 140};
  s->body.fill = MOTE_FILL_RELAXED;  // on a lattice the tips come off in layers
  for (int k = 0; k < c.samples; ++k) c.time[k] = exact * (k + 1) / 40.0;
  fluid_run run = {&s->scene, c.time, c.samples, measure_cube, &c};
  mote_error error;
  if (fluid_run_scene(&run, validation_env(v), &error)) {
    validation_error(v, &error);
    return;
  }
  char name[96];
  double period = drop_period(c.time, c.stretch, c.samples, &damping);
  snprintf(name, sizeof name, "%s, period of n = 4 over Lamb's", of);
  validation_report(v, &(measure){name, kind, period / exact, 1.0, 0.1, "Lamb 1932"});
  snprintf(name, sizeof name, "%s, damping, 1/s", of);
  validation_report(v, &(measure){name, MEASURE_SHOWN, damping, 0.0, 0.0, "Lamb 1932"});
  double growth = drop_growth(c.energy, c.samples, 20);
  snprintf(name, sizeof name, "%s, growth of energy from one half period to another", of);
  validation_report(v, &(measure){name, MEASURE_NEAR, growth, 0.0, 0.01, "exact"});
}

// A cube's swing is not small; a ball of its volume, kicked along the gradient of the same harmonic, swings
// by a twentieth of its radius.
void validate_track_cube(validation *v) {
  if (validation_quick(v)) {
    validation_skip(v, "without --quick only");
    return;
  }
  double across = validation_release(v) ? 20 : 12, R = CUBE_SIDE * cbrt(0.75 / PI), half = 0.5 * CUBE_SIDE;
  free_scene s;
  char of[48], formula[3][96];
  scene_make(&s, FLUID_DFSPH, CUBE_SIDE / across);
  s.body.shape = mote_shape_def_box(-half, -half, -half, half, half, half);
  snprintf(of, sizeof of, "cube of %g d", across);
  swing_in_four(v, &s, R, of, MEASURE_NEAR);
  scene_make(&s, FLUID_DFSPH, CUBE_SIDE / across);
  s.body.shape = mote_shape_def_sphere(0, 0, 0, R);
  double rate = FOUR_KICK * sqrt(72.0 * SURFACE_TENSION / (s.water.density * R * R * R)) / (4.0 * R * R);
  static const char axis[] = "xyz";
  for (int k = 0; k < 3; ++k)
    snprintf(formula[k], sizeof formula[k], "%.9g*%c*(4*%c*%c-6*(%c*%c+%c*%c))", rate, axis[k], axis[k],
             axis[k], axis[(k + 1) % 3], axis[(k + 1) % 3], axis[(k + 2) % 3], axis[(k + 2) % 3]);
  s.body.velocity.x.formula = formula[0], s.body.velocity.y.formula = formula[1];
  s.body.velocity.z.formula = formula[2];
  snprintf(of, sizeof of, "ball of R = %.3g d", R * across / CUBE_SIDE);
  swing_in_four(v, &s, R, of, MEASURE_SHOWN);
}
