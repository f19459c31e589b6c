// Validation: conduction and melting (docs/theory/heat.md) in worlds whose particles stand still, on a
// packing and moved by up to a tenth of a spacing along each axis; and heat that is kept where they flow.
// Series and solutions: Carslaw & Jaeger 1959; Alexiades & Solomon 1993.
#include <math.h>
#include <mote/mote.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/base/app_assert.h"
#include "validate/trial_materials.h"
#include "validate/validate.h"

#define PI 3.14159265358979323846
#define SLAB_WIDTH 6                  // particles of a slab, periodic
#define SLAB_JITTER 0.1               // spacings
#define CONDUCTION_SUBSTEP 0.15       // s, of conduction, with spacing and diffusivity 1
#define COLD_TEMPERATURE 300.0        // K
#define TEMPERATURE_DIFFERENCE 100.0  // K: the difference of temperatures

// A bar along x, of one or two materials, between walls. It points into itself: not to be copied.
typedef struct bar {
  mote_scene scene;
  mote_material_def material[2];
  mote_body_def body[2];
  int along;    // particles
  double step;  // s: nothing moves, so that a step may be many of conduction's substeps
  mote_world *world;
} bar;

// Density 1, heat capacity 1, conductivity 1, spacing 1 where nothing else is said. No force moves anything.
static void bar_make(bar *b, int dimensions, int along) {
  APP_ASSERT((dimensions == 2 || dimensions == 3) && along > 0);
  *b = (bar){.scene = mote_scene_default(), .along = along, .step = 20.0 * CONDUCTION_SUBSTEP};
  mote_world_def *world = &b->scene.world;
  world->dimensions = dimensions, world->spacing = 1.0, world->heat = true;
  world->gravity[1] = 0.0;
  for (int a = 0; a < dimensions; ++a) {
    world->low[a] = 0.0, world->high[a] = a == 0 ? along : SLAB_WIDTH;
    world->side[a][0] = world->side[a][1] = a == 0 ? MOTE_SIDE_WALL : MOTE_SIDE_PERIODIC;
  }
  world->solver.pressure = MOTE_PRESSURE_WCSPH, world->solver.stiffness = 1e-12, world->solver.shifting = 0.0;
  world->speed_limit = 1.0;
  for (int k = 0; k < 2; ++k) {
    static const char *const names[] = {"left", "right"};
    b->material[k] = mote_material_def_default();
    b->material[k].name = names[k], b->material[k].density = 1.0, b->material[k].viscosity = 0.0;
    b->material[k].heat = (mote_heat_def){.conductivity = 1.0,
                                          .heat_capacity = 1.0,
                                          .melting_point = (double)NAN,
                                          .freezing_point = (double)NAN};
    b->body[k] = mote_body_def_default();
    b->body[k].name = b->body[k].material = names[k];
  }
  b->body[0].shape = mote_shape_def_box(0, 0, 0, along, SLAB_WIDTH, SLAB_WIDTH);
  b->scene.material = b->material, b->scene.materials = 1;
  b->scene.body = b->body, b->scene.bodies = 1;
}

// The world, its particles moved.
static mote_result bar_start(bar *b, double jitter, const mote_env *env, mote_error *error) {
  APP_ASSERT(b->scene.material == b->material && b->world == NULL);
  b->scene.world.solver.step_min = 1e-3 * b->step, b->scene.world.solver.step_max = b->step;
  mote_result result = mote_world_create_scene(&b->scene, env, &b->world, error);
  if (result != MOTE_OK || jitter == 0.0) return result;
  size_t count = mote_world_particles(b->world);
  const uint64_t *id = mote_world_view(b->world, "id").data;
  const double *x = mote_world_view(b->world, "position").data;
  double *moved = calloc(3 * count + 1, sizeof *moved);
  uint64_t *ids = calloc(count + 1, sizeof *ids);
  for (size_t i = 0; i < count; ++i) {
    ids[i] = id[i];
    for (int a = 0; a < b->scene.world.dimensions; ++a)
      moved[3 * i + (size_t)a] =
          x[3 * i + (size_t)a] + jitter * (2.0 * mote_random_uniform(1, (uint64_t)a, id[i]) - 1.0);
  }
  result = mote_world_set_field(b->world, "position", ids, moved, count, error);
  free(moved), free(ids);
  return result;
}

static void report(validation *v, const char *what, const char *set, double value, double reference,
                   double tolerance, const char *source) {
  char name[160];
  snprintf(name, sizeof name, "%s, %s", what, set);
  validation_report(v, &(measure){name, MEASURE_NEAR, value, reference, tolerance, source});
}

// --- A slab between cold faces ---

static double slab(double x, double t) {  // from 0 to 1, diffusivity 1
  double sum = 0.0;
  for (int n = 1; n < 120; n += 2)
    sum += 4.0 / (PI * n) * mote_sin(n * PI * x) * mote_exp(-n * n * PI * PI * t);
  return sum;
}

static double slab_error(const bar *b) {
  double length = b->along, t = mote_world_time(b->world) / (length * length), worst = 0.0;
  const double *x = mote_world_view(b->world, "position").data;
  const float *T = mote_world_view(b->world, "temperature").data;
  for (size_t i = 0; i < mote_world_particles(b->world); ++i)
    worst = fmax(
        worst, fabs(((double)T[i] - COLD_TEMPERATURE) / TEMPERATURE_DIFFERENCE - slab(x[3 * i] / length, t)));
  return worst;
}

static void run_slab_of(validation *v, int dimensions, double jitter) {
  static const double number[] = {0.02, 0.05, 0.2};
  bar b;
  mote_error error;
  char set[64];
  double worst = 0.0;
  bar_make(&b, dimensions, 50);
  b.body[0].temperature.constant = COLD_TEMPERATURE + TEMPERATURE_DIFFERENCE;
  b.scene.world.wall_temperature.constant = COLD_TEMPERATURE;
  mote_result result = bar_start(&b, jitter, validation_env(v), &error);
  for (int k = 0; k < (dimensions == 3 && validation_quick(v) ? 1 : 3) && result == MOTE_OK; ++k) {
    result = mote_world_advance(b.world, number[k] * 2500.0, &error);
    if (result == MOTE_OK) worst = fmax(worst, slab_error(&b));
  }
  mote_world_destroy(b.world);
  if (result != MOTE_OK) {
    validation_error(v, &error);
    return;
  }
  snprintf(set, sizeof set, "%dD, %s", dimensions, jitter > 0.0 ? "jittered" : "lattice");
  report(v, "largest error / difference of temperatures, Fo 0.02 to 0.2", set, worst, 0.0,
         jitter > 0.0 ? 0.015 : 0.005, "Carslaw & Jaeger 3.3");
}

void validate_heat_slab(validation *v) {
  for (int dimensions = 2; dimensions <= 3; ++dimensions) {
    run_slab_of(v, dimensions, 0.0);
    run_slab_of(v, dimensions, SLAB_JITTER);
  }
}

// --- Two slabs ---

// Conductivity `ratio` : 1, heat capacity 2 : 1, cold from `middle` on; until the ends are met.
static double two_slabs(const bar *b, double ratio, double middle) {
  double t = mote_world_time(b->world), worst = 0.0;
  double e1 = sqrt(2.0 * ratio), e2 = 1.0, between = e1 / (e1 + e2);
  const double *x = mote_world_view(b->world, "position").data;
  const float *T = mote_world_view(b->world, "temperature").data;
  for (size_t i = 0; i < mote_world_particles(b->world); ++i) {
    double from = x[3 * i] - middle, diffusivity = from < 0.0 ? 0.5 * ratio : 1.0;
    double part = erfc(fabs(from) / (2.0 * sqrt(diffusivity * t)));
    double exact = from < 0.0 ? 1.0 - (1.0 - between) * part : between * part;
    worst = fmax(worst, fabs(((double)T[i] - COLD_TEMPERATURE) / TEMPERATURE_DIFFERENCE - exact));
  }
  return worst;
}

static void run_two_slabs_of(validation *v, double ratio, double jitter, double tolerance) {
  bar b;
  mote_error error;
  char set[64];
  double worst = 0.0, fastest = fmax(0.5 * ratio, 1.0);
  double middle = ratio > 10.0 ? 400.0 : 160.0, end = middle * middle / (30.0 * fastest);  // 1e-4 at the end
  bar_make(&b, 2, (int)middle + 80);
  b.step = 20.0 * CONDUCTION_SUBSTEP / fastest;
  b.material[0].heat.conductivity = ratio, b.material[0].heat.heat_capacity = 2.0;
  b.body[0].shape = mote_shape_def_box(0, 0, 0, middle, SLAB_WIDTH, SLAB_WIDTH);
  b.body[1].shape = mote_shape_def_box(middle, 0, 0, b.along, SLAB_WIDTH, SLAB_WIDTH);
  b.body[0].temperature.constant = COLD_TEMPERATURE + TEMPERATURE_DIFFERENCE,
  b.body[1].temperature.constant = COLD_TEMPERATURE;
  b.scene.materials = b.scene.bodies = 2;
  mote_result result = bar_start(&b, jitter, validation_env(v), &error);
  for (int k = 1; k <= 2 && result == MOTE_OK; ++k) {
    result = mote_world_advance(b.world, 0.5 * k * end, &error);
    if (result == MOTE_OK) worst = fmax(worst, two_slabs(&b, ratio, middle));
  }
  mote_world_destroy(b.world);
  if (result != MOTE_OK) {
    validation_error(v, &error);
    return;
  }
  snprintf(set, sizeof set, "conductivity %g : 1, %s", ratio, jitter > 0.0 ? "jittered" : "lattice");
  report(v, "largest error / difference of temperatures", set, worst, 0.0, tolerance,
         "Carslaw & Jaeger 2.15");
}

void validate_heat_two_slabs(validation *v) {
  run_two_slabs_of(v, 10.0, 0.0, 0.01);
  run_two_slabs_of(v, 10.0, SLAB_JITTER, 0.015);
  run_two_slabs_of(v, 100.0, 0.0, 0.03);
  run_two_slabs_of(v, 100.0, SLAB_JITTER, 0.03);
}

// --- Stefan's problem ---

// A solid at its melting point, melted from a wall: s = 2 lambda sqrt(t). The largest relative error of the
// front from 25 spacings on.
static mote_result follow_front(bar *b, double lambda, double *worst, mote_error *error) {
  double end = 85.0 / (2.0 * lambda);
  *worst = 0.0;
  for (int k = 3; k <= 10; ++k) {
    double t = end * end * k * k / 100.0, exact = 2.0 * lambda * sqrt(t), melted = 0.0;
    mote_result result = mote_world_advance(b->world, t, error);
    if (result != MOTE_OK) return result;
    const float *liquid = mote_world_view(b->world, "liquid_fraction").data;
    size_t count = mote_world_particles(b->world);
    for (size_t i = 0; i < count; ++i) melted += (double)liquid[i];
    *worst = fmax(*worst, fabs(melted * b->along / (double)count / exact - 1.0));
  }
  return MOTE_OK;
}

static void run_stefan_of(validation *v, double stefan, double lambda, double jitter) {
  bar b;
  mote_error error;
  char set[64];
  double worst = 0.0;
  bar_make(&b, 2, 100);
  b.material[0].heat.melting_point = COLD_TEMPERATURE,
  b.material[0].heat.latent_heat = TEMPERATURE_DIFFERENCE / stefan;
  b.body[0].temperature.constant = COLD_TEMPERATURE - 1e-9;  // solid
  b.scene.world.wall_temperature.formula = "300 + 100*(x < 50)";
  mote_result result = bar_start(&b, jitter, validation_env(v), &error);
  if (result == MOTE_OK) result = follow_front(&b, lambda, &worst, &error);
  mote_world_destroy(b.world);
  if (result != MOTE_OK) {
    validation_error(v, &error);
    return;
  }
  snprintf(set, sizeof set, "Ste %g, %s", stefan, jitter > 0.0 ? "jittered" : "lattice");
  report(v, "largest error of the front / its depth, 25 to 85 particles", set, worst, 0.0,
         jitter > 0.0 ? 0.02 : 0.01, "Alexiades & Solomon 2.1");
}

void validate_heat_stefan(validation *v) {
  static const double stefan[] = {2.0, 1.0, 0.5, 0.1}, lambda[] = {0.800601, 0.620063, 0.464786, 0.220016};
  for (int k = 0; k < (validation_quick(v) ? 2 : 4); ++k) {
    run_stefan_of(v, stefan[k], lambda[k], 0.0);
    run_stefan_of(v, stefan[k], lambda[k], SLAB_JITTER);
  }
}

// --- Heat that is kept ---

// A dam of hot water falls into cold water, in a closed box.
void validate_heat_kept(validation *v) {
  mote_scene scene = mote_scene_default();
  mote_material_def water = mote_material_def_default();
  mote_body_def body[2] = {mote_body_def_default(), mote_body_def_default()};
  mote_world *world = NULL;
  mote_error error;
  mote_totals before, after;
  scene.world.dimensions = 2, scene.world.spacing = 0.02, scene.world.heat = true;
  for (int a = 0; a < 2; ++a) {
    scene.world.low[a] = 0.0, scene.world.high[a] = 1.0;
    scene.world.side[a][0] = scene.world.side[a][1] = MOTE_SIDE_WALL;
  }
  water.heat.conductivity = 100.0;
  body[0].name = "hot", body[0].shape = mote_shape_def_box(0, 0, 0, 0.3, 0.8, 0);
  body[0].temperature.constant = 350.0;
  body[1].name = "cold", body[1].shape = mote_shape_def_box(0.3, 0, 0, 1, 0.2, 0);
  scene.material = &water, scene.materials = 1, scene.body = body, scene.bodies = 2;
  mote_result result = mote_world_create_scene(&scene, validation_env(v), &world, &error);
  if (result == MOTE_OK) result = mote_world_totals(world, &before, &error);
  if (result == MOTE_OK) result = mote_world_advance(world, validation_quick(v) ? 0.2 : 1.0, &error);
  if (result == MOTE_OK) result = mote_world_totals(world, &after, &error);
  mote_world_destroy(world);
  if (result != MOTE_OK) {
    validation_error(v, &error);
    return;
  }
  report(v, "change of the enthalpy / enthalpy", "2D dam into a pool", after.enthalpy / before.enthalpy - 1.0,
         0.0, 1e-12, "exact");
}

// --- Melting and freezing ---

typedef struct block {
  mote_scene scene;
  mote_material_def wax;
  mote_body_def body;
  mote_force_def force[2];
} block;

// A block of wax in a closed box, of `across` particles along each side.
static void block_make(block *b, double across) {
  *b = (block){.scene = mote_scene_default(), .body = mote_body_def_default()};
  (void)mote_material_def_preset("wax", &b->wax);
  make_lattice(&b->wax);
  b->wax.elastic.young = 2e4, b->wax.viscosity = 5.0;
  b->wax.elastic.law = MOTE_ELASTIC_COROTATED;
  mote_world_def *world = &b->scene.world;
  world->dimensions = 2, world->spacing = 0.4 / across, world->heat = true;
  world->gravity[1] = -1.0;
  for (int a = 0; a < 2; ++a) {
    world->low[a] = 0.0, world->high[a] = 1.0;
    world->side[a][0] = world->side[a][1] = MOTE_SIDE_WALL;
  }
  b->body.name = "block", b->body.material = "wax", b->body.temperature.constant = 320.0;
  b->body.shape = mote_shape_def_box(0.3, 0, 0, 0.7, 0.4, 0);
  b->scene.material = &b->wax, b->scene.materials = 1, b->scene.body = &b->body, b->scene.bodies = 1;
}

// How many of the ids below `count` there are once, in the melt or in the lattice.
static size_t ids_once(const mote_world *world, size_t count) {
  mote_field_view all[2] = {mote_world_view(world, "id"), mote_world_lattice_view(world, "id")};
  size_t once = 0;
  for (uint64_t id = 0; id < count; ++id) {
    int seen = 0;
    for (int k = 0; k < 2; ++k) {
      for (size_t i = 0; i < all[k].count; ++i) seen += ((const uint64_t *)all[k].data)[i] == id;
    }
    once += seen == 1;
  }
  return once;
}

// Sources melt the block in a quarter of a second, and freeze it in the next.
void validate_heat_refreeze(validation *v) {
  block b;
  mote_world *world = NULL;
  mote_error error;
  mote_totals before, melted, after;
  block_make(&b, validation_quick(v) ? 8 : 20);
  double q = b.wax.density * (20.0 * b.wax.heat.heat_capacity + b.wax.heat.latent_heat) / 0.25;
  for (int k = 0; k < 2; ++k) {
    b.force[k] = mote_force_def_default();
    b.force[k].name = k == 0 ? "warm" : "cool", b.force[k].heating.constant = k == 0 ? q : -q;
    b.force[k].start = 0.25 * k, b.force[k].end = 0.25 * (k + 1);
  }
  b.scene.force = b.force, b.scene.forces = 2;
  mote_result result = mote_world_create_scene(&b.scene, validation_env(v), &world, &error);
  if (result == MOTE_OK) result = mote_world_totals(world, &before, &error);
  if (result == MOTE_OK) result = mote_world_advance(world, 0.25, &error);
  if (result == MOTE_OK) result = mote_world_totals(world, &melted, &error);
  if (result == MOTE_OK) result = mote_world_advance(world, 0.5, &error);
  if (result == MOTE_OK) result = mote_world_totals(world, &after, &error);
  if (result == MOTE_OK) {
    size_t count = before.lattice_particles;
    const char *set = "2D block of wax";
    report(v, "change of the enthalpy / enthalpy, molten and frozen again", set,
           after.enthalpy / before.enthalpy - 1.0, 0.0, 1e-10, "exact");
    report(v, "change of the mass, kg", set, fabs(melted.mass - before.mass) + fabs(after.mass - before.mass),
           0.0, 0.0, "exact");
    report(v, "ids that are there once / all", set, (double)ids_once(world, count) / (double)count, 1.0, 0.0,
           "exact");
    report(v, "particles that melted and froze / all", set,
           0.5 * (double)(melted.melted + after.frozen) / (double)count, 1.0, 0.0, "the sources are enough");
  } else {
    validation_error(v, &error);
  }
  mote_world_destroy(world);
}

// 10^4 particles 10 K above the melting point, without latent heat, melt by (15): those left after five
// times, in steps of three lengths.
void validate_heat_rates(validation *v) {
  enum { TIMES = 5 };
  for (int k = 0; k < 3; ++k) {
    block b;
    mote_world *world = NULL;
    mote_error error;
    char set[64];
    block_make(&b, validation_quick(v) ? 32 : 100);
    b.scene.world.gravity[1] = 0.0, b.scene.world.solver.step_max = 0.02 / (1 << k);
    b.wax.heat.latent_heat = 0.0, b.wax.heat.freezing_point = (double)NAN, b.wax.heat.melting_point = 310.0;
    b.wax.heat.melting_rate.constant = 0.4, b.wax.heat.conductivity = 1e-3;
    b.body.temperature.formula = "320 + 0*x";
    mote_result result = mote_world_create_scene(&b.scene, validation_env(v), &world, &error);
    double count = result == MOTE_OK ? (double)mote_world_lattice_particles(world) : 0.0, left = count,
           chi = 0.0, alive = 1.0;
    for (int t = 1; t <= TIMES && result == MOTE_OK; ++t) {
      result = mote_world_advance(world, 0.04 * t, &error);
      double now = (double)mote_world_lattice_particles(world), then = mote_exp(-0.4 * 10.0 * 0.04 * t);
      double expected = count * (alive - then);
      chi += (left - now - expected) * (left - now - expected) / expected;
      left = now, alive = then;
    }
    chi += (left - count * alive) * (left - count * alive) / (count * alive);
    mote_world_destroy(world);
    if (result != MOTE_OK) {
      validation_error(v, &error);
      return;
    }
    snprintf(set, sizeof set, "%.0f particles, steps of %g s", count, 0.02 / (1 << k));
    report(v, "those that melt by WIC06 (15): chi-square, 5 degrees of freedom", set, chi, 0.0, 20.52,
           "Poisson, p above 0.001");
  }
}
