// Validation of confined flows, with every solver: start-up between plates, decaying whirls, a cavity with a
// moving lid. Each is held against its exact or published solution (flow_series.h). docs/validation.md
#include <math.h>
#include <mote/mote.h>
#include <stdio.h>

#include "flow_series.h"
#include "fluid_cases.h"

// --- Between plates -------------------------------------------------------------------------------------

// Morris, Fox & Zhu 1997: water in a gap of 1 mm.
static const plate_flow plates = {1e-3, 1e-6, 1e-4, 1.25e-5};
static const double plate_times[] = {0.0225, 0.045, 0.1125, 0.225, 1.0};
#define PLATE_TIMES 5

typedef double plate_velocity(const plate_flow *flow, double y, double t);

typedef struct plate_run {
  plate_velocity *exact;
  double worst[PLATE_TIMES];
} plate_run;

static mote_result look_at_plates(void *user, mote_world *world, int k, mote_error *error) {
  (void)error;
  plate_run *run = user;
  mote_field_view x = mote_world_view(world, "position"), v = mote_world_view(world, "velocity");
  for (size_t i = 0; i < x.count; ++i) {
    double y = ((const double *)x.data)[3 * i + 1], u = (double)((const float *)v.data)[3 * i];
    run->worst[k] = fmax(run->worst[k], fabs(u - run->exact(&plates, y, plate_times[k])) / plates.speed);
  }
  return MOTE_OK;
}

static void report_plates(validation *v, fluid_variant variant, const plate_run *run) {
  static const fluid_roles roles = {{NULL}, {false}};
  for (int k = 0; k < PLATE_TIMES; ++k) {
    char name[80];
    snprintf(name, sizeof name, "largest error / V0 at %g s", plate_times[k]);
    measure m = {name, MEASURE_NEAR, run->worst[k], 0.0, 0.02, "Morris et al. 1997"};
    fluid_report(v, &roles, variant, &m);
  }
}

static void run_plates(validation *v, const mote_scene *scene, plate_velocity *exact) {
  for (fluid_variant variant = 0; variant < FLUID_VARIANTS; ++variant) {
    plate_run found = {.exact = exact};
    fluid_run run = {scene, plate_times, PLATE_TIMES, look_at_plates, &found};
    mote_error error;
    if (fluid_run_variant(&run, variant, validation_env(v), &error)) {
      validation_error(v, &error);
    } else {
      report_plates(v, variant, &found);
    }
  }
}

// A periodic piece of the gap, with so many particles across it.
static mote_scene plate_scene(int across, mote_material_def *water, mote_body_def *body) {
  mote_scene scene = mote_scene_default();
  double d = plates.width / across, length = 12.0 * d;
  scene.world.dimensions = 2, scene.world.spacing = d, scene.world.wall_friction = 1.0;
  scene.world.gravity[1] = 0.0;
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

static void run_poiseuille(validation *v) {
  mote_material_def water;
  mote_body_def body;
  mote_scene scene = plate_scene(validation_quick(v) ? 20 : 40, &water, &body);
  scene.world.gravity[0] = plates.acceleration;
  run_plates(v, &scene, poiseuille_velocity);
}

static void run_couette(validation *v) {
  mote_material_def water;
  mote_body_def body;
  mote_scene scene = plate_scene(validation_quick(v) ? 20 : 40, &water, &body);
  scene.world.wall_velocity.x.formula = "y > 0.0005 ? 12.5e-6 : 0";
  run_plates(v, &scene, couette_velocity);
}

const validation_case validate_flow_cases[] = {
    {"fluid-poiseuille", "fluids", "a fluid at rest between plates is pushed", run_poiseuille},
    {"fluid-couette", "fluids", "a fluid at rest between plates, one of which begins to slide", run_couette},
    {NULL, NULL, NULL, NULL},
};
