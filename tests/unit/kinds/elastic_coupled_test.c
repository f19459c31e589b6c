// Elastic bodies and fluids in one world: momentum, Archimedes, carving, separation, state, threads, and
// invalid combinations.
#include <math.h>

#include "test.h"
#include "world_kit.h"

#define WATER 1000.0  // kg/m^3

static void make_foam(world_kit *kit, double density, double young) {
  kit->material[1] = mote_material_def_default();
  kit->material[1].name = "foam", kit->material[1].model = MOTE_KIND_ELASTIC;
  kit->material[1].density = density, kit->material[1].elastic.young = young;
  kit->scene.materials = 2;
}

// Explicit steps need damping.
static void step_by(world_kit *kit, mote_integrator integrator) {
  kit->material[1].elastic.integrator = integrator;
  if (integrator == MOTE_INTEGRATOR_EXPLICIT) kit->material[1].elastic.strain_damping = 2e-4;
}

static mote_body_def *add_foam(world_kit *kit, mote_shape_def shape) {
  mote_body_def *body = world_kit_body(kit, "ball", shape);
  body->material = "foam";
  return body;
}

static void run(mote_world *world, double until) {
  mote_error error = {0};
  if (CHECK(mote_world_advance(world, until, &error) == MOTE_OK)) return;
  fprintf(stderr, "%s\n", error.text);
}

static mote_totals totals_of(const mote_world *world) {
  mote_totals totals;
  CHECK(mote_world_totals(world, &totals, NULL) == MOTE_OK);
  return totals;
}

static void mean_of(const mote_world *world, const char *field, double out[3]) {
  mote_field_view view = mote_world_elastic_view(world, field);
  const double *x = view.data;
  for (int a = 0; a < 3; ++a) out[a] = 0.0;
  for (size_t i = 0; i < view.count; ++i) {
    for (int a = 0; a < 3; ++a) out[a] += x[3 * i + (size_t)a] / (double)view.count;
  }
}

// Least distance of a fluid particle and a particle of the body.
static double least_gap(const mote_world *world) {
  mote_field_view fluid = mote_world_view(world, "position"),
                  solid = mote_world_elastic_view(world, "position");
  const double *x = fluid.data, *y = solid.data;
  double least = HUGE_VAL;
  for (size_t i = 0; i < fluid.count; ++i) {
    for (size_t j = 0; j < solid.count; ++j) {
      double a = x[3 * i] - y[3 * j], b = x[3 * i + 1] - y[3 * j + 1], c = x[3 * i + 2] - y[3 * j + 2];
      least = fmin(least, a * a + b * b + c * c);
    }
  }
  return sqrt(least);
}

// --- Momentum -----------------------------------------------------------------------------------------

// Water moving without gravity against an elastic ball in it. Relative to the momentum of the water.
static void test_momentum(mote_pressure_kind pressure, double viscosity, int dimensions,
                          mote_integrator integrator) {
  world_kit kit;
  world_kit_tank(&kit, dimensions, 0.05);
  kit.scene.world.gravity[1] = 0.0;
  for (int a = 0; a < 3; ++a) {
    kit.scene.world.low[a] = -HUGE_VAL, kit.scene.world.high[a] = HUGE_VAL;
    kit.scene.world.side[a][0] = kit.scene.world.side[a][1] = MOTE_SIDE_OPEN;
  }
  kit.scene.world.solver.pressure = pressure;
  kit.material[0].viscosity = viscosity;
  make_foam(&kit, 300.0, 5e4);
  step_by(&kit, integrator);
  world_kit_body(&kit, "water", mote_shape_def_box(0.0, 0.0, 0.0, 0.6, 0.5, 0.4))->velocity.x.constant = 0.5;
  add_foam(&kit, mote_shape_def_sphere(0.6, 0.25, 0.2 * (dimensions - 2), 0.14))->velocity.x.constant = -0.3;
  mote_env env = world_kit_env(2);
  mote_world *world = world_kit_create(&kit, &env);
  mote_totals before = totals_of(world);
  double v[3];
  run(world, 0.1);
  mote_totals after = totals_of(world);
  mean_of(world, "velocity", v);
  CHECK(v[0] > -0.2);
  for (int a = 0; a < dimensions; ++a) {
    CHECK_NEAR((after.momentum[a] - before.momentum[a]) / (0.5 * before.mass), 0.0, 1e-5);
  }
  mote_world_destroy(world);
}

// --- Archimedes ---------------------------------------------------------------------------------------

// A disc of half the water's density floats with its centre at the level. In spacings.
static double float_error(mote_pressure_kind pressure, double young, double seconds,
                          mote_integrator integrator) {
  world_kit kit;
  double d = 0.04, width = 0.8, mean = 0.0, v[3];
  world_kit_tank(&kit, 2, d);
  kit.scene.world.high[0] = width;
  kit.scene.world.solver.pressure = pressure;
  make_foam(&kit, 0.5 * WATER, young);
  step_by(&kit, integrator);
  world_kit_body(&kit, "water", mote_shape_def_box(0.0, 0.0, 0.0, width, 0.32, 0.0));
  add_foam(&kit, mote_shape_def_sphere(0.4, 0.32 + d, 0.0, 0.14));
  mote_env env = world_kit_env(2);
  mote_world *world = world_kit_create(&kit, &env);
  for (int k = 0; k < 10; ++k) {
    double x[3];
    run(world, seconds * (0.5 + 0.05 * (k + 1)));
    mean_of(world, "position", x);
    mean += 0.1 * x[1];
  }
  mote_totals totals = totals_of(world);
  mean_of(world, "velocity", v);
  CHECK(totals.left == 0);
  CHECK(fabs(v[1]) < 0.05);
  CHECK(least_gap(world) > 0.5 * d);
  double error = (mean - totals.mass / (WATER * width)) / d;
  mote_world_destroy(world);
  return error;
}

static void test_drafts(void) {
  const mote_integrator choose = MOTE_INTEGRATOR_AUTO;
  CHECK_NEAR(float_error(MOTE_PRESSURE_DFSPH, 1e5, 2.0, choose), 0.0, 0.5);
  CHECK_NEAR(float_error(MOTE_PRESSURE_DFSPH, 1e8, 2.0, choose), 0.0, 0.5);
  CHECK_NEAR(float_error(MOTE_PRESSURE_PCISPH, 1e5, 2.0, choose), 0.0, 0.5);
  CHECK_NEAR(float_error(MOTE_PRESSURE_WCSPH, 1e5, 1.2, choose), 0.0, 0.5);
  CHECK_NEAR(float_error(MOTE_PRESSURE_DFSPH, 1e5, 2.0, MOTE_INTEGRATOR_EXPLICIT), 0.0, 0.5);
}

// --- Impacts -----------------------------------------------------------------------------------------

// Number of fluid particles behind the plate: beyond the middle of its two layers at their height.
static size_t behind(const mote_world *world, double spacing) {
  mote_field_view fluid = mote_world_view(world, "position"),
                  solid = mote_world_elastic_view(world, "position");
  const double *x = fluid.data, *y = solid.data;
  size_t count = 0;
  for (size_t i = 0; i < fluid.count; ++i) {
    double sum = 0.0, weights = 0.0;
    for (size_t j = 0; j < solid.count; ++j) {
      double w = fmax(0.0, 1.0 - fabs(x[3 * i + 1] - y[3 * j + 1]) / (2.0 * spacing));
      sum += w * y[3 * j], weights += w;
    }
    count += weights > 0.0 && x[3 * i] > sum / weights;
  }
  return count;
}

// Water of 10 m/s against a light plate of two layers, which it stretches to twice its length: no fluid
// passes through the gaps between its particles. With pressure alone 10 of 460 had passed by then.
static void test_impact(void) {
  world_kit kit;
  double d = 0.02;
  mote_hold_def hold[2] = {mote_hold_def_default(), mote_hold_def_default()};
  world_kit_tank(&kit, 2, d);
  kit.scene.world.gravity[1] = 0.0, kit.scene.world.high[0] = 2.0, kit.scene.world.high[1] = 1.2;
  make_foam(&kit, 300.0, 3e5);
  world_kit_body(&kit, "water", mote_shape_def_box(0.5, 0.4, 0.0, 0.96, 0.8, 0.0))->velocity.x.constant =
      10.0;
  mote_body_def *plate = add_foam(&kit, mote_shape_def_box(1.0, 0.0, 0.0, 1.04, 1.2, 0.0));
  hold[0].shape = mote_shape_def_box(0.0, -1.0, 0.0, 2.0, 0.05, 0.0);
  hold[1].shape = mote_shape_def_box(0.0, 1.15, 0.0, 2.0, 2.0, 0.0);
  plate->hold = hold, plate->holds = 2;
  mote_env env = world_kit_env(2);
  mote_world *world = world_kit_create(&kit, &env);
  double before = totals_of(world).kinetic_energy;
  run(world, 0.08);
  mote_totals after = totals_of(world);
  CHECK(behind(world, d) == 0);
  CHECK(after.kinetic_energy + after.elastic_energy < before);
  mote_world_destroy(world);
}

// --- Same bits ----------------------------------------------------------------------------------------

static void make_splash(world_kit *kit) {
  world_kit_dam(kit, 3, 0.1);
  make_foam(kit, 400.0, 5e4);
  add_foam(kit, mote_shape_def_sphere(0.65, 0.3, 0.5, 0.22));
}

static void test_same_bits(mote_integrator integrator) {
  world_kit kit;
  make_splash(&kit);
  step_by(&kit, integrator);
  mote_env one = world_kit_env(1), three = world_kit_env(3);
  mote_world *a = world_kit_create(&kit, &one), *b = world_kit_create(&kit, &three),
             *resumed = world_kit_create(&kit, &one);
  run(a, 0.3), run(b, 0.3);
  CHECK(mote_world_hash(a) == mote_world_hash(b));
  CHECK(mote_world_step(a, 0.4, NULL) == MOTE_OK);  // in the middle of a frame
  kit_bytes bytes = world_kit_save(a);
  CHECK(world_kit_load(resumed, &bytes, NULL) == MOTE_OK);
  run(a, 0.4), run(resumed, 0.4);
  CHECK(mote_world_hash(a) == mote_world_hash(resumed));
  CHECK(mote_world_hash(a) != mote_world_hash(b));
  free(bytes.data);
  mote_world_destroy(a), mote_world_destroy(b), mote_world_destroy(resumed);
}

// --- Carving, invalid combinations -------------------------------------------------------------------

// In either order of addition, the fluid is carved out of the body.
static void test_cut(void) {
  size_t left[2];
  for (int first = 0; first < 2; ++first) {
    world_kit kit;
    world_kit_tank(&kit, 2, 0.05);
    make_foam(&kit, 500.0, 1e5);
    mote_shape_def ball = mote_shape_def_sphere(0.5, 0.3, 0.0, 0.2);
    if (first == 0) add_foam(&kit, ball);
    world_kit_body(&kit, "water", mote_shape_def_box(0.0, 0.0, 0.0, 1.0, 0.6, 0.0));
    if (first == 1) add_foam(&kit, ball);
    mote_world *world = world_kit_create(&kit, NULL);
    left[first] = mote_world_view(world, "position").count;
    CHECK(least_gap(world) > 0.5 * 0.05);
    mote_world_destroy(world);
  }
  CHECK(left[0] == left[1]);
  CHECK_NEAR((double)left[0], (0.6 - 3.14159 * 0.04) / 0.0025, 15.0);
}

static void refuse(const world_kit *kit, const char *text) {
  mote_world *world = NULL;
  mote_error error = {0};
  CHECK(mote_world_create_scene(&kit->scene, NULL, &world, &error) != MOTE_OK && world == NULL);
  if (!CHECK(strstr(error.text, text) != NULL)) fprintf(stderr, "%s: %s\n", error.key, error.text);
}

static void test_refused(void) {
  for (int first = 0; first < 2; ++first) {
    world_kit kit;
    world_kit_tank(&kit, 2, 0.05);
    make_foam(&kit, 500.0, 1e5);
    if (first == 0) add_foam(&kit, mote_shape_def_sphere(0.5, 0.3, 0.0, 0.2));
    world_kit_body(&kit, "water", mote_shape_def_box(0.0, 0.0, 0.0, 1.0, 0.6, 0.0));
    if (first == 1) add_foam(&kit, mote_shape_def_sphere(0.5, 0.3, 0.0, 0.2));
    kit.material[1].elastic.integrator = MOTE_INTEGRATOR_EXPLICIT;
    refuse(&kit, "need integrator");
    kit.material[1].elastic.integrator = MOTE_INTEGRATOR_AUTO;
    kit.scene.world.solver.pressure = MOTE_PRESSURE_WCSPH;
    kit.scene.world.solver.steps = MOTE_STEPS_INDIVIDUAL;
    refuse(&kit, "steps: global");
  }
}

int main(void) {
  for (int d = 2; d <= (TEST_SHORT ? 2 : 3); ++d) {
    for (int p = 0; p < MOTE_PRESSURE_KINDS; ++p)
      test_momentum((mote_pressure_kind)p, 0.001, d, MOTE_INTEGRATOR_AUTO);
  }
  test_momentum(MOTE_PRESSURE_DFSPH, 500.0, 2, MOTE_INTEGRATOR_AUTO);  // implicit viscosity
  test_momentum(MOTE_PRESSURE_DFSPH, 0.001, 2, MOTE_INTEGRATOR_EXPLICIT);
  TEST_LONG(test_drafts());
  test_impact();
  test_same_bits(MOTE_INTEGRATOR_AUTO);
  test_same_bits(MOTE_INTEGRATOR_EXPLICIT);
  test_cut();
  test_refused();
  return test_end();
}
