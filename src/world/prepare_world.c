// What is made of the definitions: see prepare_world.h.
#include "world/prepare_world.h"

#include <math.h>

#include "commands/steering.h"
#include "kinds/elastic/elastic_bodies.h"
#include "material/fluid_law.h"
#include "material/tension_plane.h"
#include "matter/belt.h"
#include "matter/collider_samples.h"
#include "matter/colliders.h"
#include "matter/kind.h"
#include "scene/def_check.h"

// Without fluids only belts are sampled: the expected speed is that of the fastest sample.
static mote_result add_collider(mote_world *world, mote_boundary *boundary, mote_collider_item *item,
                                mote_error *error) {
  item->samples = (mote_boundary_range){.moving = item->moves};
  if (!mote_world_needs_samples(world) && !mote_belt_slides(item)) return MOTE_OK;
  return mote_collider_samples_add(world, boundary, item, false, error);
}

static mote_result fill_boundary(mote_world *world, mote_boundary *boundary, mote_error *error) {
  if (world->walls.shape != NULL) MOTE_TRY(add_collider(world, boundary, &world->walls, error));
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_COLLIDER); ++k) {
    mote_collider_item *item = mote_collider_at(world, k);
    mote_result result = mote_fail_within(error, add_collider(world, boundary, item, error), "shape");
    if (result != MOTE_OK) return mote_fail_in_list(error, result, "colliders", item->name, k);
  }
  for (int n = 0; n < MOTE_KINDS; ++n) {
    if (world->kinds[n]->add_samples != NULL) MOTE_TRY(world->kinds[n]->add_samples(world, boundary, error));
  }
  return MOTE_OK;
}

static bool samples_suffice(const mote_world *world) {
  bool suffice = world->sampled || !mote_world_needs_samples(world);
  for (int n = 0; n < MOTE_KINDS; ++n)
    suffice =
        suffice && (world->kinds[n]->samples_suffice == NULL || world->kinds[n]->samples_suffice(world));
  return suffice;
}

static mote_result make_boundary(mote_world *world, mote_error *error) {
  mote_boundary *boundary;
  MOTE_TRY(mote_boundary_create(&world->domain, world->fluid.support, &world->env, &boundary, error));
  mote_result result = fill_boundary(world, boundary, error);
  if (result != MOTE_OK) {
    mote_boundary_destroy(boundary);
    return result;
  }
  mote_boundary_destroy(world->boundary);
  world->boundary = boundary, world->sampled = mote_world_needs_samples(world);
  return MOTE_OK;
}

// --- Speeds --------------------------------------------------------------------------------------------

// From all definitions, including removed items, except belts.
static double fastest_collider(const mote_world *world) {
  double most = world->walls.belt_speed;
  const mote_collider_item *collider = world->item[MOTE_ITEM_COLLIDER].data;
  for (size_t n = 0; n < world->item[MOTE_ITEM_COLLIDER].all; ++n) most = fmax(most, collider[n].own_speed);
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_COLLIDER); ++k) {
    const mote_collider_item *item = mote_collider_at(world, k);
    most = fmax(most, item->own_speed + item->belt_speed);
  }
  return most;
}

// Squared speed from twice the capillary pressure over the density: the speed of a drop driven by it.
static double capillary_speed2(const mote_world *world) {
  double most = 0.0, R = world->fluid.support, strength = 0.0;
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_MATERIAL); ++k) {
    const mote_material_def *def = &mote_material_at(world, k)->def;
    if (!(def->surface_tension > 0.0)) continue;
    if (world->def.solver.tension == MOTE_TENSION_MESH) {  // a drop of 4 spacings
      most = fmax(most, def->surface_tension / (world->def.spacing * def->density));
      continue;
    }
    if (strength == 0.0) {
      mote_tension_plane plane = mote_tension_plane_make(&world->def.solver, world->def.dimensions);
      strength = plane.strength * plane.share;
    }
    double p = mote_tension_cohesion(world->def.dimensions, R, strength * def->surface_tension);
    most = fmax(most, 2.0 * p / def->density);
  }
  return most;
}

// Initial speeds of bodies, the speed of a fall from top to bottom, speeds of emitters and colliders; a
// static scene still settles by a spacing per step.
static double expected_speed(const mote_world *world, double stirring) {
  const mote_world_def *def = &world->def;
  double fall = mote_world_fall(world, world->steering.gravity), start = 0.0;
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_BODY); ++k) {
    start = fmax(start, mote_body_at(world, k)->speed);
  }
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_EMITTER); ++k) {
    start = fmax(start, mote_emitter_at(world, k)->own_speed);
  }
  double speed = sqrt(2.0 * fall + start * start + capillary_speed2(world)) + stirring;
  return speed > 0.0 ? speed : def->spacing / def->solver.step_max;
}

mote_result mote_world_make_ready(mote_world *world, mote_error *error) {
  MOTE_ASSERT(world->now.tables >= MOTE_TABLES);
  MOTE_TRY(mote_elastic_bodies_load_references(world, error));
  if (world->ready) return samples_suffice(world) ? MOTE_OK : make_boundary(world, error);
  MOTE_TRY(make_boundary(world, error));
  mote_steering *steering = &world->steering;
  steering->own_stirring = fastest_collider(world);
  steering->own_speed = expected_speed(world, steering->own_stirring);
  mote_steering_expect_speed(world);
  world->fluid.sound_speed = mote_law_sound_speed(steering->own_speed, world->def.solver.compression);
  for (int n = 0; n < MOTE_KINDS; ++n)
    if (world->kinds[n]->prepare != NULL) MOTE_TRY(world->kinds[n]->prepare(world, error));
  world->ready = true;
  return MOTE_OK;
}
