// Validation of fracture in worlds: bars under tension below and above their strength, a disc that bursts.
// Theory: docs/theory/fracture.md
#include <math.h>
#include <mote/mote.h>
#include <stdio.h>

#include "validate/fracture/fracture_trial.h"
#include "validate/trial_materials.h"

#define BAR_SPACING 0.01
#define BAR_YOUNG 1e6
#define BAR_DENSITY 1000.0
#define BAR_STRENGTH 2e4
#define BAR_LENGTH 0.3
#define BAR_WIDTH 0.1

static mote_material_def brittle(void) {
  mote_material_def def = elastic_material("brittle", BAR_DENSITY);
  def.friction = 0.0;
  def.elastic.young = BAR_YOUNG, def.elastic.poisson = 0.0, def.elastic.order = 1,
  def.elastic.law = MOTE_ELASTIC_COROTATED;
  def.elastic.integrator = MOTE_INTEGRATOR_EXPLICIT, def.elastic.strain_damping = 1e-4;
  def.elastic.strength = BAR_STRENGTH;
  return def;
}

static mote_scene empty_scene(mote_material_def *material) {
  mote_scene scene = mote_scene_default();
  scene.world.dimensions = 2, scene.world.spacing = BAR_SPACING;
  for (int k = 0; k < 3; ++k)
    scene.world.gravity[k] = 0.0, scene.world.low[k] = -2.0, scene.world.high[k] = 2.0;
  scene.material = material, scene.materials = 1;
  return scene;
}

// --- Bars --------------------------------------------------------------------------------------------

// Bodies in the end; 0 after a failure. The traction is raised over 20 periods of the bar.
static double pull_bar(validation *v, double part, uint64_t seed) {
  mote_material_def material = brittle();
  mote_scene scene = empty_scene(&material);
  scene.world.seed = seed;
  double rise = 20.0 * 2.0 * BAR_LENGTH / sqrt(BAR_YOUNG / BAR_DENSITY);
  mote_load_def load[2] = {mote_load_def_default(), mote_load_def_default()};
  char formula[2][64];
  for (int k = 0; k < 2; ++k) {
    double side = k == 0 ? -1.0 : 1.0, at = 0.5 * side * BAR_LENGTH;
    snprintf(formula[k], sizeof formula[k], "%.17g*min(1, t/%.17g)", side * part * BAR_STRENGTH, rise);
    load[k].shape = mote_shape_def_box(at - 0.5 * BAR_SPACING, -1.0, 0.0, at + 0.5 * BAR_SPACING, 1.0, 0.0);
    load[k].traction.x.formula = formula[k];
    load[k].normal[0] = side, load[k].normal[1] = load[k].normal[2] = 0.0;
  }
  mote_body_def body = mote_body_def_default();
  body.name = "bar", body.material = "brittle", body.fill = MOTE_FILL_RELAXED;
  body.shape =
      mote_shape_def_box(-0.5 * BAR_LENGTH, -0.5 * BAR_WIDTH, 0.0, 0.5 * BAR_LENGTH, 0.5 * BAR_WIDTH, 0.0);
  body.load = load, body.loads = 2;
  scene.body = &body, scene.bodies = 1;
  mote_world *world = NULL;
  mote_error error;
  double bodies = 0.0;
  mote_result result = mote_world_create_scene(&scene, validation_env(v), &world, &error);
  for (double t = 0.1 * rise; result == MOTE_OK && t < 1.25 * rise; t += 0.1 * rise) {
    result = mote_world_advance(world, t, &error);
    bodies = (double)mote_world_bodies(world);
    if (bodies > 1.0) break;
  }
  if (result != MOTE_OK) validation_error(v, &error), bodies = 0.0;
  mote_world_destroy(world);
  return bodies;
}

void validate_fracture_bars(validation *v) {
  int sets = validation_quick(v) ? 2 : 20;
  double broken[2] = {0};
  for (int above = 0; above < 2; ++above) {
    for (int k = 0; k < sets; ++k) broken[above] += pull_bar(v, above ? 1.03 : 0.97, (uint64_t)k + 1) > 1.0;
  }
  fracture_trial_report(v, MEASURE_NEAR, broken[0], 0.0, 0.0, "definition",
                        "bars broken at 0.97 of the strength, of %d", sets);
  fracture_trial_report(v, MEASURE_NEAR, broken[1], (double)sets, 0.0, "definition",
                        "bars broken at 1.03 of the strength, of %d", sets);
}

// --- A disc that bursts ------------------------------------------------------------------------------

static void burst(validation *v, mote_integrator integrator, const char *steps) {
  bool is_explicit = integrator == MOTE_INTEGRATOR_EXPLICIT;
  measure_kind turning = integrator == MOTE_INTEGRATOR_IMPLICIT ? MEASURE_SHOWN : MEASURE_NEAR;
  mote_material_def material = brittle();
  material.elastic.integrator = integrator;
  material.elastic.young = 2e5, material.elastic.poisson = 0.3, material.elastic.strength = 3e3;
  material.elastic.weak_spots = 0.2;
  mote_scene scene = empty_scene(&material);
  mote_body_def body = mote_body_def_default();
  body.name = "disc", body.material = "brittle", body.shape = mote_shape_def_sphere(0.0, 0.0, 0.0, 0.15);
  body.spin[2] = 25.0, body.velocity.x.constant = 0.5;
  scene.body = &body, scene.bodies = 1;
  mote_world *world = NULL;
  mote_error error;
  mote_totals before, after;
  mote_result result = mote_world_create_scene(&scene, validation_env(v), &world, &error);
  if (result == MOTE_OK) result = mote_world_totals(world, &before, &error);
  if (result == MOTE_OK) result = mote_world_advance(world, 0.3, &error);
  if (result == MOTE_OK) result = mote_world_totals(world, &after, &error);
  if (result != MOTE_OK) {
    validation_error(v, &error);
  } else {
    double size = before.mass * (0.5 + 25.0 * 0.15);
    double off = hypot(after.momentum[0] - before.momentum[0], after.momentum[1] - before.momentum[1]);
    double spin = after.angular_momentum[2] - before.angular_momentum[2];
    fracture_trial_report(v, MEASURE_AT_LEAST, (double)mote_world_bodies(world), 2.0, 0.0, "definition",
                          "spinning disc, %s steps: fragments", steps);
    fracture_trial_report(v, MEASURE_NEAR, after.mass - before.mass, 0.0, 0.0, "conservation",
                          "spinning disc, %s steps: change of mass, kg", steps);
    fracture_trial_report(v, MEASURE_NEAR, off / size, 0.0, is_explicit ? 1e-9 : 1e-6, "conservation",
                          "spinning disc, %s steps: change of momentum over the sum of sizes", steps);
    fracture_trial_report(v, turning, spin / (size * 0.15), 0.0, is_explicit ? 1e-6 : 1e-4, "conservation",
                          "spinning disc, %s steps: change of angular momentum over the sum of sizes", steps);
  }
  mote_world_destroy(world);
}

void validate_fracture_burst(validation *v) {
  burst(v, MOTE_INTEGRATOR_EXPLICIT, "explicit");
  if (validation_quick(v)) return;
  burst(v, MOTE_INTEGRATOR_MIDPOINT, "midpoint");
  // Backward Euler loses angular momentum of bodies that turn, whole or broken: docs/theory/elastic.md.
  burst(v, MOTE_INTEGRATOR_IMPLICIT, "implicit");
}
