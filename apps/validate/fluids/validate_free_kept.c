// Validation: what is kept. Momenta of a free drop that turns, is stretched and flies, with every method; and
// the volume of DFSPH in a dam break and in a pool.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "validate/fluids/free_flow.h"

static double length3(const double x[3]) {
  return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

// --- Momenta
// ------------------------------------------------------------------------------------------------

#define FRAME_COUNT 20
#define FRAME_TIME 0.02  // s

// What acts besides pressure. Forces along the line between two particles keep angular momentum as well.
typedef struct method {
  const char *name;
  double viscosity;  // Pa s
  mote_viscosity_form form;
  double xsph;
  double artificial;  // alpha
  bool central;
} method;

static const method methods[] = {
    {"pressure alone", 0.0, MOTE_VISCOSITY_PAIR, 0.0, 0.0, true},
    {"pair viscosity", 5.0, MOTE_VISCOSITY_PAIR, 0.0, 0.0, false},
    {"central viscosity", 5.0, MOTE_VISCOSITY_CENTRAL, 0.0, 0.0, true},
    {"Monaghan's viscosity", 0.0, MOTE_VISCOSITY_PAIR, 0.0, 0.1, true},
    {"XSPH", 0.0, MOTE_VISCOSITY_PAIR, 0.1, 0.0, false},
};

typedef struct momenta {
  double linear, angular;  // the largest relative changes
  mote_totals first;
} momenta;

// About the centre of mass.
static void spin_of(const mote_totals *t, double spin[3]) {
  for (int a = 0; a < 3; ++a) {
    int b = (a + 1) % 3, c = (a + 2) % 3;
    spin[a] = t->angular_momentum[a] - (t->centre[b] * t->momentum[c] - t->centre[c] * t->momentum[b]);
  }
}

static mote_result measure_momenta(void *user, mote_world *world, int k, mote_error *error) {
  momenta *m = user;
  mote_totals now;
  mote_result result = mote_world_totals(world, &now, error);
  if (result) return result;
  if (k == 0) m->first = now;
  double change[3], turn[3], spin[3], first[3];
  spin_of(&now, spin), spin_of(&m->first, first);
  for (int a = 0; a < 3; ++a) {
    change[a] = now.momentum[a] - m->first.momentum[a];
    turn[a] = spin[a] - first[a];
  }
  m->linear = fmax(m->linear, length3(change) / length3(m->first.momentum));
  m->angular = fmax(m->angular, length3(turn) / length3(first));
  return MOTE_OK;
}

static void momenta_of(validation *v, const fluid_roles *angular, fluid_variant variant, const method *how) {
  free_scene s;
  double spacing = validation_quick(v) ? 1.0 / 4 : 1.0 / 8, time[FRAME_COUNT + 1];
  free_scene_make(&s, 3, spacing);
  s.water.viscosity = how->viscosity, s.water.xsph = how->xsph;
  s.scene.world.gravity[1] = 0.0;
  s.scene.world.solver.viscosity_form = how->form;
  s.scene.world.solver.artificial_viscosity = how->artificial;
  s.body.shape = mote_shape_def_sphere(0.3, 0.2, 0.1, 1);
  s.body.velocity.x.formula = "2-2*(x-0.3)-y", s.body.velocity.y.formula = "1+2*(y-0.2)+x";
  s.body.velocity.z.formula = "0.5";
  for (int k = 0; k <= FRAME_COUNT; ++k) time[k] = FRAME_TIME * k;
  momenta found = {0};
  fluid_run run = {&s.scene, time, FRAME_COUNT + 1, measure_momenta, &found};
  mote_error error;
  if (fluid_run_variant(&run, variant, validation_env(v), &error)) {
    validation_error(v, &error);
    return;
  }
  static const fluid_roles all = {0};
  char name[80];
  snprintf(name, sizeof name, "momentum, %s", how->name);
  measure row = {name, MEASURE_NEAR, found.linear, 0.0, 1e-5, "exact"};
  fluid_report(v, &all, variant, &row);
  snprintf(name, sizeof name, "angular momentum, %s", how->name);
  row.value = found.angular, row.kind = how->central ? MEASURE_NEAR : MEASURE_SHOWN;
  row.source = how->central ? "exact" : "shown: not central";
  fluid_report(v, angular, variant, &row);
}

void validate_momentum(validation *v) {
  static const char moved[] = "particles are moved apart from their velocity";
  static const fluid_roles angular = {.shown = {[FLUID_WCSPH_FOLLOWED] = moved,
                                                [FLUID_PCISPH] = moved,
                                                [FLUID_DFSPH] = moved,
                                                [FLUID_DFSPH_SHIFTED] = moved}};
  for (int k = 0; k < FLUID_VARIANTS; ++k) {
    for (size_t m = 0; m < sizeof methods / sizeof methods[0]; ++m) {
      momenta_of(v, &angular, (fluid_variant)k, &methods[m]);
    }
  }
}

// --- The volume of DFSPH
// ------------------------------------------------------------------------------------

#define VOLUME_FRAMES 100

typedef struct volume {
  double mean, largest;  // compression: mean over particles and times, and the largest such mean
  double volume;         // relative error of the fluid's volume, mean over times
  int from;              // frames before are not counted
  double level;          // at the last, m; where there is a gauge
  bool gauge;
} volume;

static mote_result measure_volume(void *user, mote_world *world, int k, mote_error *error) {
  volume *w = user;
  mote_totals now;
  mote_result result = mote_world_totals(world, &now, error);
  if (!result && w->gauge) result = free_level(world, "level", &w->level, error);
  if (result || k < w->from) return result;
  w->mean += now.compression_mean / (VOLUME_FRAMES - w->from);
  w->volume += now.volume_error / (VOLUME_FRAMES - w->from);
  w->largest = fmax(w->largest, now.compression_mean);
  return MOTE_OK;
}

static bool run_volume(validation *v, const mote_scene *scene, double seconds, volume *w) {
  double time[VOLUME_FRAMES];
  for (int k = 0; k < VOLUME_FRAMES; ++k) time[k] = seconds * (k + 1) / VOLUME_FRAMES;
  fluid_run run = {scene, time, VOLUME_FRAMES, measure_volume, w};
  mote_error error;
  mote_result result = fluid_run_scene(&run, validation_env(v), &error);
  if (result) validation_error(v, &error);
  return !result;
}

static void report_volume(validation *v, const char *of, const volume *w) {
  const measure rows[] = {
      {"mean compression", MEASURE_NEAR, w->mean, 0.0, 1e-3, "0.1 %"},
      {"its largest", MEASURE_SHOWN, w->largest, 0.0, 0.0, ""},
      {"volume error", MEASURE_NEAR, w->volume, 0.0, 1e-3, "0.1 %"},
  };
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) {
    char name[80];
    measure row = rows[k];
    snprintf(name, sizeof name, "%s, %s", of, row.name);
    row.name = name;
    validation_report(v, &row);
  }
}

// A tank of walls along the axes of the scene's dimensions, open above.
static void tank(mote_world_def *world, double x, double z) {
  for (int a = 0; a < world->dimensions; ++a) {
    world->low[a] = 0.0;
    world->side[a][0] = world->side[a][1] = MOTE_SIDE_WALL;
  }
  world->high[0] = x, world->high[2] = z;
  world->side[1][1] = MOTE_SIDE_OPEN;
}

static void dam_volume(validation *v) {
  free_scene s;
  free_scene_make(&s, 3, validation_quick(v) ? 0.05 : 0.025);
  s.scene.world.solver = mote_world_def_default().solver;
  tank(&s.scene.world, 1.0, 0.4);
  s.body.shape = mote_shape_def_box(0, 0, 0, 0.4, 0.6, 0.4);
  volume w = {0};
  if (run_volume(v, &s.scene, 1.0, &w)) report_volume(v, "dam break", &w);
}

#define POOL_DEPTH 0.5  // depth, m

static void pool_volume(validation *v) {
  free_scene s;
  double spacing = validation_quick(v) ? POOL_DEPTH / 20 : POOL_DEPTH / 40;
  free_scene_make(&s, 2, spacing);
  s.scene.world.solver = mote_world_def_default().solver;
  tank(&s.scene.world, POOL_DEPTH, POOL_DEPTH);
  s.body.shape = mote_shape_def_box(0, 0, 0, POOL_DEPTH, POOL_DEPTH, 1);
  free_scene_gauge(&s, "level", 0.5 * POOL_DEPTH, 0, 0.5 * POOL_DEPTH, 2.0 * POOL_DEPTH);
  volume w = {.gauge = true, .from = VOLUME_FRAMES / 2};
  if (!run_volume(v, &s.scene, 5.0, &w)) return;
  report_volume(v, "pool", &w);
  measure row = {"pool, level against nominal, d",
                 MEASURE_NEAR,
                 (w.level - POOL_DEPTH) / spacing,
                 0.0,
                 0.5,
                 "half a spacing"};
  validation_report(v, &row);
}

void validate_volume(validation *v) {
  dam_volume(v), pool_volume(v);
}
