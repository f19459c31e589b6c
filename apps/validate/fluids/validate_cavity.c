// Validation of a cavity with a sliding lid, with every solver, against Ghia, Ghia & Shin 1982.
// docs/validation.md
#include <math.h>
#include <mote/mote.h>
#include <stdio.h>

#include "validate/fluids/flow_series.h"
#include "validate/fluids/fluid_cases.h"

// s (sides over lid speeds). A solution of the equations by differences (vorticity and stream function, 80^2)
// from rest is nearer than 0.001 U (rms, both centre lines) to its steady state from 10 s on at Re 100 and
// than 0.0016 U from 35 s on at Re 1000: it comes e times nearer in 1.9 and in 5.2 s.
#define SETTLED_TIME 15.0
#define SETTLED_FAST 40.0
#define PROFILE_SAMPLES 11  // of which profiles are the mean, half a second apart, the last at the end

typedef struct cavity {
  int reynolds, across;
  double settled;
  mote_world_def world;
  const mote_env *env;
  double u[GHIA_POINTS], v[GHIA_POINTS];  // mean profiles
  mote_totals totals;                     // at the end
} cavity;

static mote_result measure_cavity(void *user, mote_world *world, int k, mote_error *error) {
  cavity *run = user;
  ghia_lines lines = ghia_lines_of(run->reynolds);
  double position[2 * GHIA_POINTS * 3] = {0}, velocity[2 * GHIA_POINTS * 3];
  for (int n = 0; n < GHIA_POINTS; ++n) {
    double *up = position + 3 * n, *across = position + 3 * (GHIA_POINTS + n);
    up[0] = 0.5, up[1] = lines.y[n], across[0] = lines.x[n], across[1] = 0.5;
  }
  fluid_sample sample = {position, 2 * GHIA_POINTS, velocity, NULL};
  (void)k;
  mote_result result = fluid_sample_at(world, &run->world, &sample, run->env, error);
  for (int n = 0; n < GHIA_POINTS && !result; ++n) {
    run->u[n] += velocity[3 * n] / PROFILE_SAMPLES,
        run->v[n] += velocity[3 * (GHIA_POINTS + n) + 1] / PROFILE_SAMPLES;
  }
  return result ? result : mote_world_totals(world, &run->totals, error);
}

static mote_result run_cavity(cavity *run, fluid_variant variant, mote_error *error) {
  mote_scene scene = mote_scene_default();
  mote_material_def fluid = mote_material_def_default();
  mote_body_def body = mote_body_def_default();
  double time[PROFILE_SAMPLES];
  scene.world.dimensions = 2, scene.world.spacing = 1.0 / run->across, scene.world.gravity[1] = 0.0;
  scene.world.solver.artificial_viscosity = 0.0;
  for (int a = 0; a < 2; ++a) {
    scene.world.low[a] = 0.0, scene.world.high[a] = 1.0;
    scene.world.side[a][0] = scene.world.side[a][1] = MOTE_SIDE_WALL;
  }
  scene.world.wall_friction = 1.0, scene.world.wall_velocity.x.formula = "y > 1 ? 1 : 0";
  fluid.density = 1000.0, fluid.viscosity = fluid.density / run->reynolds, fluid.xsph = 0.0;
  body.name = "fluid", body.material = fluid.name, body.shape = mote_shape_def_box(0, 0, 0, 1, 1, 0);
  scene.material = &fluid, scene.materials = 1, scene.body = &body, scene.bodies = 1;
  run->world = scene.world;
  for (int k = 0; k < PROFILE_SAMPLES; ++k) time[k] = run->settled + 0.5 * (k + 1 - PROFILE_SAMPLES);
  fluid_run all = {&scene, time, PROFILE_SAMPLES, measure_cavity, run};
  return fluid_run_variant(&all, variant, run->env, error);
}

// Root mean square and largest error of a profile, its ends left out: there it is the wall's.
static double profile_error(const double *found, const double *exact, double *most) {
  double sum = 0.0;
  *most = 0.0;
  for (int n = 1; n < GHIA_POINTS - 1; ++n) {
    double error = fabs(found[n] - exact[n]);
    sum += error * error, *most = fmax(*most, error);
  }
  return sqrt(sum / (GHIA_POINTS - 2));
}

static void report_cavity(validation *v, const fluid_roles *roles, fluid_variant variant, const cavity *run,
                          double tolerance) {
  ghia_lines lines = ghia_lines_of(run->reynolds);
  double most[2],
      rms[2] = {profile_error(run->u, lines.u, &most[0]), profile_error(run->v, lines.v, &most[1])};
  for (int k = 0; k < 2; ++k) {
    char name[80];
    const char *line = k == 0 ? "u(1/2, y)" : "v(x, 1/2)";
    snprintf(name, sizeof name, "rms error of %s / U, Re %d, %d^2", line, run->reynolds, run->across);
    measure m = {
        name, tolerance > 0 ? MEASURE_NEAR : MEASURE_SHOWN, rms[k], 0.0, tolerance, "Ghia et al. 1982"};
    fluid_report(v, roles, variant, &m);
    snprintf(name, sizeof name, "largest error of %s / U, Re %d, %d^2", line, run->reynolds, run->across);
    m = (measure){name, MEASURE_SHOWN, most[k], 0.0, 0.0, "Ghia et al. 1982"};
    fluid_report(v, roles, variant, &m);
  }
}

// The judged variant beside the tables.
static void draw_cavity(validation *v, const cavity *run, fluid_variant variant) {
  ghia_lines lines = ghia_lines_of(run->reynolds);
  const char *label = fluid_variant_name(variant);
  char name[64];
  const fluid_curve up[2] = {{"Ghia et al. 1982", lines.y, lines.u, GHIA_POINTS, true},
                             {label, lines.y, run->u, GHIA_POINTS, false}};
  const fluid_curve across[2] = {{"Ghia et al. 1982", lines.x, lines.v, GHIA_POINTS, true},
                                 {label, lines.x, run->v, GHIA_POINTS, false}};
  snprintf(name, sizeof name, "cavity-%d-u.svg", run->reynolds);
  fluid_plot(v, name, "y", "u(1/2, y) / U", up, 2);
  snprintf(name, sizeof name, "cavity-%d-v.svg", run->reynolds);
  fluid_plot(v, name, "x", "v(x, 1/2) / U", across, 2);
}

static void cavity_with(validation *v, const fluid_roles *roles, cavity setting, double tolerance) {
  for (fluid_variant variant = 0; variant < FLUID_VARIANTS; ++variant) {
    cavity run = setting;
    mote_error error;
    run.env = validation_env(v);
    if (!fluid_runs(v, roles, variant)) continue;
    if (run_cavity(&run, variant, &error)) {
      validation_error(v, &error);
      continue;
    }
    report_cavity(v, roles, variant, &run, tolerance);
    if (roles->shown[variant] == NULL) draw_cavity(v, &run, variant);
  }
}

static const char clamped[] = "for comparison; carries no negative pressure";

void validate_fluid_cavity(validation *v) {
  static const fluid_roles all = {.shown = {[FLUID_WCSPH] = clamped,
                                            [FLUID_PCISPH] = clamped,
                                            [FLUID_DFSPH] = clamped,
                                            [FLUID_DFSPH_SHIFTED] = clamped}};
  static const fluid_roles some = {
      .skipped = {[FLUID_WCSPH] = true, [FLUID_PCISPH] = true, [FLUID_DFSPH] = true}};
  cavity slow = {.reynolds = 100, .across = validation_quick(v) ? 25 : 50, .settled = SETTLED_TIME};
  cavity fast = {.reynolds = 1000, .across = 100, .settled = SETTLED_FAST};
  cavity_with(v, &all, slow, validation_quick(v) ? 0.0 : 0.02);
  if (validation_release(v)) cavity_with(v, &some, fast, 0.03);
}
