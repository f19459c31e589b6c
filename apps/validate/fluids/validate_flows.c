// Validation of confined flows, with every solver: start-up between plates, and whirls that decay. Each is
// held against its exact solution (flow_series.h). docs/validation.md
#include <math.h>
#include <mote/mote.h>
#include <stdio.h>

#include "cli/base/app_assert.h"
#include "validate/fluids/flow_series.h"
#include "validate/fluids/fluid_cases.h"

// --- Between plates -------------------------------------------------------------------------------------

// Morris, Fox & Zhu 1997: water in a gap of 1 mm.
static const plate_flow plates = {1e-3, 1e-6, 1e-4, 1.25e-5};
static const double plate_times[] = {0.0225, 0.045, 0.1125, 0.225, 1.0};
#define PLATE_TIMES 5
#define PARTICLES_ACROSS 40
#define PARTICLES_ALONG 12

typedef double plate_velocity(const plate_flow *flow, double y, double t);

typedef struct plate_run {
  plate_velocity *exact;
  double worst[PLATE_TIMES];
  double y[PARTICLES_ACROSS * PARTICLES_ALONG],
      u[PARTICLES_ACROSS * PARTICLES_ALONG];  // of the particles at the second time, in L and V0
  size_t count;
} plate_run;

static mote_result measure_plates(void *user, mote_world *world, int k, mote_error *error) {
  APP_ASSERT(k < PLATE_TIMES);
  (void)error;
  plate_run *run = user;
  mote_field_view x = mote_world_view(world, "position"), v = mote_world_view(world, "velocity");
  for (size_t i = 0; i < x.count; ++i) {
    double y = ((const double *)x.data)[3 * i + 1], u = (double)((const float *)v.data)[3 * i];
    run->worst[k] = fmax(run->worst[k], fabs(u - run->exact(&plates, y, plate_times[k])) / plates.speed);
    if (k != 1 || i >= PARTICLES_ACROSS * PARTICLES_ALONG) continue;
    run->y[i] = y / plates.width, run->u[i] = u / plates.speed, run->count = i + 1;
  }
  return MOTE_OK;
}

static const fluid_roles plate_roles = {.plain = true};

static void report_plates(validation *v, fluid_variant variant, const plate_run *run) {
  for (int k = 0; k < PLATE_TIMES; ++k) {
    char name[80];
    snprintf(name, sizeof name, "largest error / V0 at %g s", plate_times[k]);
    measure m = {name, MEASURE_NEAR, run->worst[k], 0.0, 0.02, "Morris et al. 1997"};
    fluid_report(v, &plate_roles, variant, &m);
  }
}

#define PROFILE_POINTS 101

static void draw_plates(validation *v, const char *name, const plate_run *run) {
  double y[PROFILE_POINTS], u[PROFILE_POINTS];
  for (int k = 0; k < PROFILE_POINTS; ++k) {
    y[k] = k / (PROFILE_POINTS - 1.0),
    u[k] = run->exact(&plates, y[k] * plates.width, plate_times[1]) / plates.speed;
  }
  const fluid_curve curves[2] = {{"exact", y, u, PROFILE_POINTS, false},
                                 {"DFSPH", run->y, run->u, run->count, true}};
  fluid_plot(v, name, "y / L", "u / V\xe2\x82\x80 at 0.045 s", curves, 2);
}

static void run_plates(validation *v, const mote_scene *scene, plate_velocity *exact, const char *plot) {
  for (fluid_variant variant = 0; variant < FLUID_VARIANTS; ++variant) {
    if (!fluid_runs(v, &plate_roles, variant)) continue;
    plate_run found = {.exact = exact};
    fluid_run run = {scene, plate_times, PLATE_TIMES, measure_plates, &found};
    mote_error error;
    if (fluid_run_variant(&run, variant, validation_env(v), &error)) {
      validation_error(v, &error);
      continue;
    }
    report_plates(v, variant, &found);
    if (variant == FLUID_DFSPH) draw_plates(v, plot, &found);
  }
}

// A periodic piece of the gap, with so many particles across it.
static mote_scene plate_scene(int across, mote_material_def *water, mote_body_def *body) {
  mote_scene scene = mote_scene_default();
  double d = plates.width / across, length = PARTICLES_ALONG * d;
  scene.world.dimensions = 2, scene.world.spacing = d, scene.world.wall_friction = 1.0;
  scene.world.gravity[1] = 0.0, scene.world.solver.artificial_viscosity = 0.0;
  scene.world.solver.viscosity_solve =
      MOTE_VISCOSITY_EXPLICIT;  // the start is what is measured, in short steps
  scene.world.high[0] = length, scene.world.high[1] = plates.width;
  scene.world.low[0] = scene.world.low[1] = 0.0;
  for (int s = 0; s < 2; ++s) {
    scene.world.side[0][s] = MOTE_SIDE_PERIODIC, scene.world.side[1][s] = MOTE_SIDE_WALL;
  }
  *water = mote_material_def_default();
  water->density = 1000.0, water->viscosity = water->density * plates.viscosity, water->xsph = 0.0;
  *body = mote_body_def_default();
  body->name = "water", body->material = water->name;
  body->shape = mote_shape_def_box(0, 0, 0, length, plates.width, 0);
  scene.material = water, scene.materials = 1, scene.body = body, scene.bodies = 1;
  return scene;
}

void validate_fluid_poiseuille(validation *v) {
  mote_material_def water;
  mote_body_def body;
  mote_scene scene =
      plate_scene(validation_quick(v) ? PARTICLES_ACROSS / 2 : PARTICLES_ACROSS, &water, &body);
  scene.world.gravity[0] = plates.acceleration;
  run_plates(v, &scene, poiseuille_velocity, "poiseuille.svg");
}

void validate_fluid_couette(validation *v) {
  mote_material_def water;
  mote_body_def body;
  mote_scene scene =
      plate_scene(validation_quick(v) ? PARTICLES_ACROSS / 2 : PARTICLES_ACROSS, &water, &body);
  scene.world.wall_velocity.x.formula = "y > 0.0005 ? 12.5e-6 : 0";
  run_plates(v, &scene, couette_velocity, "couette.svg");
}

// --- Whirls ---------------------------------------------------------------------------------------------

#define WHIRL_REYNOLDS 100.0
#define WHIRL_TIMES 40
#define WHIRL_END 2.0

static double whirl_time(int k) {
  return WHIRL_END * k / WHIRL_TIMES;
}

typedef struct whirl_run {
  int across;
  double time[WHIRL_TIMES + 1], energy[WHIRL_TIMES + 1];  // s, J/kg
  double error[WHIRL_TIMES + 1];                          // L1 of |u|, relative
} whirl_run;

static mote_result measure_whirls(void *user, mote_world *world, int k, mote_error *error) {
  APP_ASSERT(k <= WHIRL_TIMES);
  whirl_run *run = user;
  mote_totals totals;
  mote_field_view x = mote_world_view(world, "position"), v = mote_world_view(world, "velocity");
  double amplitude = mote_exp(-taylor_green_rate(WHIRL_REYNOLDS) * run->time[k]), wrong = 0.0, all = 0.0;
  for (size_t i = 0; i < x.count; ++i) {
    const double *at = (const double *)x.data + 3 * i;
    const float *u = (const float *)v.data + 3 * i;
    double exact[2];
    taylor_green_velocity(at[0], at[1], amplitude, exact);
    double size = sqrt(exact[0] * exact[0] + exact[1] * exact[1]);
    wrong += fabs(sqrt((double)u[0] * (double)u[0] + (double)u[1] * (double)u[1]) - size), all += size;
  }
  mote_result result = mote_world_totals(world, &totals, error);
  run->energy[k] = totals.kinetic_energy / totals.mass, run->error[k] = wrong / all;
  return result;
}

// Of the amplitude, by least squares through the logarithm of the energy.
static double whirl_rate(const whirl_run *run) {
  double n = 0, t = 0, e = 0, tt = 0, te = 0;
  for (int k = 0; k <= WHIRL_TIMES; ++k) {
    double at = run->time[k], log = mote_log(run->energy[k]);
    n += 1, t += at, e += log, tt += at * at, te += at * log;
  }
  return -0.5 * (n * te - t * e) / (n * tt - t * t);
}

static mote_scene whirl_scene(int across, mote_fill_kind fill, mote_material_def *fluid,
                              mote_body_def *body) {
  mote_scene scene = mote_scene_default();
  scene.world.dimensions = 2, scene.world.spacing = 1.0 / across, scene.world.gravity[1] = 0.0;
  scene.world.solver.artificial_viscosity = 0.0;
  for (int a = 0; a < 2; ++a) {
    scene.world.low[a] = 0.0, scene.world.high[a] = 1.0;
    scene.world.side[a][0] = scene.world.side[a][1] = MOTE_SIDE_PERIODIC;
  }
  *fluid = mote_material_def_default();
  fluid->density = 1000.0, fluid->viscosity = fluid->density / WHIRL_REYNOLDS, fluid->xsph = 0.0;
  *body = mote_body_def_default();
  body->name = "whirls", body->material = fluid->name, body->fill = fill;
  body->shape = mote_shape_def_box(0, 0, 0, 1, 1, 0);
  body->velocity.x.formula = "-cos(2*pi*x)*sin(2*pi*y)", body->velocity.y.formula = "sin(2*pi*x)*cos(2*pi*y)";
  scene.material = fluid, scene.materials = 1, scene.body = body, scene.bodies = 1;
  return scene;
}

static bool run_whirl(validation *v, mote_fill_kind fill, fluid_variant variant, whirl_run *out) {
  mote_material_def fluid;
  mote_body_def body;
  mote_error error;
  mote_scene scene = whirl_scene(out->across, fill, &fluid, &body);
  fluid_run run = {&scene, out->time, WHIRL_TIMES + 1, measure_whirls, out};
  for (int k = 0; k <= WHIRL_TIMES; ++k) out->time[k] = whirl_time(k);
  if (!fluid_run_variant(&run, variant, validation_env(v), &error)) return true;
  validation_error(v, &error);
  return false;
}

static const char no_tension[] = "cannot carry negative pressure: voids open in the whirls";
static const fluid_roles whirl_roles = {.shown = {[FLUID_WCSPH] = no_tension,
                                                  [FLUID_PCISPH] = no_tension,
                                                  [FLUID_DFSPH] = no_tension,
                                                  [FLUID_DFSPH_SHIFTED] = no_tension}};

static void report_whirl(validation *v, const char *fill, fluid_variant variant, const whirl_run *run) {
  char name[80];
  double tolerance = run->across >= 100 ? 0.02 : 0.05;
  snprintf(name, sizeof name, "decay / exact, %d^2, %s", run->across, fill);
  measure m = {name, MEASURE_NEAR, whirl_rate(run) / taylor_green_rate(WHIRL_REYNOLDS),
               1.0,  tolerance,    "exact"};
  if (run->across < 50) m.kind = MEASURE_SHOWN;
  fluid_report(v, &whirl_roles, variant, &m);
  snprintf(name, sizeof name, "L1 error of |u| at 1 s, %d^2, %s", run->across, fill);
  m = (measure){name, MEASURE_SHOWN, run->error[WHIRL_TIMES / 2], 0.0, 0.0, "exact"};
  fluid_report(v, &whirl_roles, variant, &m);
}

// All at the coarser resolution, those that are judged at the finer one as well.
static void whirls_from(validation *v, mote_fill_kind fill, const char *fill_name, whirl_run *coarse) {
  int across = validation_quick(v) ? 25 : 50;
  for (fluid_variant variant = 0; variant < FLUID_VARIANTS; ++variant) {
    whirl_run fine = {.across = 2 * across};
    coarse[variant] = (whirl_run){.across = across};
    if (!fluid_runs(v, &whirl_roles, variant)) continue;
    if (!run_whirl(v, fill, variant, &coarse[variant])) continue;
    report_whirl(v, fill_name, variant, &coarse[variant]);
    if (whirl_roles.shown[variant] != NULL || !run_whirl(v, fill, variant, &fine)) continue;
    report_whirl(v, fill_name, variant, &fine);
    char name[80];
    double ratio = coarse[variant].error[WHIRL_TIMES / 2] / fine.error[WHIRL_TIMES / 2];
    snprintf(name, sizeof name, "order of that error, %s", fill_name);
    measure m = {name, MEASURE_SHOWN, mote_log(ratio) / mote_log(2.0), 2.0, 0.0, "second order"};
    fluid_report(v, &whirl_roles, variant, &m);
  }
}

static void draw_whirls(validation *v, const whirl_run *run, const char *name) {
  double time[WHIRL_TIMES + 1], exact[WHIRL_TIMES + 1], found[FLUID_VARIANTS][WHIRL_TIMES + 1];
  fluid_curve curves[FLUID_VARIANTS + 1] = {{"exact", time, exact, WHIRL_TIMES + 1, true}};
  int drawn = 1;
  for (int k = 0; k <= WHIRL_TIMES; ++k) {
    time[k] = whirl_time(k);
    exact[k] = -2.0 * taylor_green_rate(WHIRL_REYNOLDS) * time[k] / mote_log(10.0);
  }
  for (fluid_variant n = 0; n < FLUID_VARIANTS; ++n) {
    if (!fluid_runs(v, &whirl_roles, n)) continue;
    for (int k = 0; k <= WHIRL_TIMES; ++k) {
      found[n][k] = mote_log(run[n].energy[k] / run[n].energy[0]) / mote_log(10.0);
    }
    curves[drawn++] = (fluid_curve){fluid_variant_name(n), time, found[n], WHIRL_TIMES + 1, false};
  }
  fluid_plot(v, name, "t", "log\xe2\x82\x81\xe2\x82\x80 of kinetic energy / that at the beginning", curves,
             drawn);
}

void validate_fluid_whirls(validation *v) {
  whirl_run run[FLUID_VARIANTS];
  whirls_from(v, MOTE_FILL_CUBIC, "lattice", run);
  draw_whirls(v, run, "whirls-lattice.svg");
  whirls_from(v, MOTE_FILL_RELAXED, "relaxed", run);
  draw_whirls(v, run, "whirls-relaxed.svg");
}
