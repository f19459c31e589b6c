// Validation of elastic bodies in fluids: the draft of a soft disc, and the momentum of water and disc
// together. Theory: docs/theory/elastic.md, "Fluids"
#include <math.h>
#include <mote/mote.h>
#include <stdio.h>

#include "validate/bodies/tank_def.h"
#include "validate/trial_materials.h"
#include "validate/validate.h"

#define WATER_DENSITY 1000.0  // kg/m^3
#define TANK_SPACING 0.025    // m
#define TANK_WIDTH 0.8        // m, of the tank
#define DISC_RADIUS 0.125     // m, of the disc
#define WATER_DEPTH 0.3       // m, of the water

// Two dimensions.
typedef struct bath {
  double ratio, young;  // of the disc: density over water's, Pa
  bool free;            // no tank and no weight; the water flies against the disc
  bool explicit;        // steps, with a damping of 0.2 ms
} bath;

static mote_result fill(mote_world *world, const bath *b, mote_error *error) {
  mote_material_def water = mote_material_def_default();
  mote_material_def foam = elastic_material("foam", WATER_DENSITY * b->ratio);
  foam.elastic.young = b->young;
  if (b->explicit) foam.elastic.integrator = MOTE_INTEGRATOR_EXPLICIT, foam.elastic.strain_damping = 2e-4;
  mote_body_def disc = mote_body_def_default(), pool = disc;
  disc.name = "disc", disc.material = "foam";
  disc.shape = b->free
                   ? mote_shape_def_sphere(TANK_WIDTH + DISC_RADIUS, 0.5 * WATER_DEPTH, 0.0, DISC_RADIUS)
                   : mote_shape_def_sphere(0.5 * TANK_WIDTH, WATER_DEPTH + TANK_SPACING, 0.0, DISC_RADIUS);
  pool.name = "pool", pool.shape = mote_shape_def_box(0.0, 0.0, 0.0, TANK_WIDTH, WATER_DEPTH, 0.0);
  if (b->free) pool.velocity.x.constant = 0.5;
  mote_result result = mote_world_add_material(world, &water, NULL, error);
  if (!result) result = mote_world_add_material(world, &foam, NULL, error);
  if (!result) result = mote_world_add_body(world, &disc, NULL, error);
  return result ? result : mote_world_add_body(world, &pool, NULL, error);
}

static mote_world *make(validation *v, const bath *b) {
  mote_world_def def = b->free ? space_def() : tank_def(TANK_WIDTH, 2.0 * WATER_DEPTH + 2.0 * DISC_RADIUS);
  mote_world *world = NULL;
  mote_error error;
  def.spacing = TANK_SPACING;
  mote_result result = mote_world_create(&def, validation_env(v), &world, &error);
  if (!result) result = fill(world, b, &error);
  if (!result) return world;
  validation_error(v, &error);
  mote_world_destroy(world);
  return NULL;
}

static double height_of(const mote_world *world) {
  mote_field_view view = mote_world_elastic_view(world, "position");
  const double *x = view.data;
  double sum = 0.0;
  for (size_t i = 0; i < view.count; ++i) sum += x[3 * i + 1] / (double)view.count;
  return sum;
}

// The disc's mean height in the second half.
static bool settle(validation *v, mote_world *world, double seconds, double *height, mote_totals *totals) {
  enum { LEVEL_SAMPLES = 20 };
  mote_error error;
  *height = 0.0;
  for (int k = 1; k <= LEVEL_SAMPLES; ++k) {
    if (mote_world_advance(world, seconds * 0.5 * (1.0 + (double)k / LEVEL_SAMPLES), &error) != MOTE_OK) {
      validation_error(v, &error);
      return false;
    }
    *height += height_of(world) / LEVEL_SAMPLES;
  }
  return mote_world_totals(world, totals, NULL) == MOTE_OK;
}

// Of half the density: the middle at the level. Half a spacing is what a packing knows of a surface.
static void draft(validation *v, double young, bool explicit) {
  bath b = {.ratio = 0.5, .young = young, .explicit = explicit};
  mote_world *world = make(v, &b);
  mote_totals totals;
  char name[96];
  double height;
  if (world != NULL && settle(v, world, 2.0, &height, &totals)) {
    double level = totals.mass / (WATER_DENSITY * TANK_WIDTH);  // the disc displaces what it weighs
    snprintf(name, sizeof name, "E = %g Pa, half the density%s: draft, spacings", young,
             explicit ? ", explicit" : "");
    measure m = {
        name, MEASURE_NEAR, (level - height + DISC_RADIUS) / TANK_SPACING, DISC_RADIUS / TANK_SPACING,
        0.5,  "Archimedes"};
    validation_report(v, &m);
  }
  mote_world_destroy(world);
}

static void momentum(validation *v, bool explicit) {
  bath b = {.ratio = 0.3, .young = 5e4, .free = true, .explicit = explicit};
  mote_world *world = make(v, &b);
  mote_totals before, after;
  double height;
  if (world != NULL && mote_world_totals(world, &before, NULL) == MOTE_OK &&
      settle(v, world, 0.2, &height, &after)) {
    double change = fmax(fabs(after.momentum[0] - before.momentum[0]), fabs(after.momentum[1]));
    measure m = {explicit ? "momentum of water and disc, explicit, relative change"
                          : "momentum of water and disc, relative change",
                 MEASURE_NEAR,
                 change / before.momentum[0],
                 0.0,
                 1e-5,
                 "exact"};
    validation_report(v, &m);
  }
  mote_world_destroy(world);
}

void validate_elastic_afloat(validation *v) {
  draft(v, 1e5, false);
  draft(v, 1e5, true);
  if (!validation_quick(v)) draft(v, 1e8, false), draft(v, 1e7, true);
  momentum(v, false);
  momentum(v, true);
}
