// Reading a world: see mote/world.h.
#include <string.h>

#include "fluid/prepare.h"
#include "matter/colliders.h"
#include "matter/items.h"
#include "matter/kind.h"
#include "matter/world_data.h"
#include "matter/world_track.h"
#include "things/probe.h"
#include "world/body_probe.h"
#include "world/step.h"

mote_result mote_world_materials(const mote_world *world, uint32_t *material, mote_error *error) {
  if (world == NULL || material == NULL) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "world and material must not be NULL");
  }
  const mote_store *store = mote_world_store(world);
  for (size_t b = 0; b < mote_world_items(world, MOTE_ITEM_MATERIAL); ++b) {
    for (size_t i = 0; i < store->block[b].count; ++i) material[store->block[b].first[0] + i] = (uint32_t)b;
  }
  return MOTE_OK;
}

const mote_world_track_event *mote_world_track_events(const mote_world *world, size_t *count) {
  *count = world->track != NULL ? world->track->events : 0;
  return world->track != NULL ? world->track->event : NULL;
}

const mote_phase_event *mote_world_phase_events(const mote_world *world, size_t *count) {
  *count = world->heat.events;
  return world->heat.event;
}

mote_step_report mote_world_report(const mote_world *world) {
  return world->report;
}

// --- Probes --------------------------------------------------------------------------------------------

static bool has_probe(const mote_world *world, mote_probe probe) {
  return probe.generation == 1 && probe.index < mote_world_items(world, MOTE_ITEM_PROBE);
}

// The number of the item called `name`; false: none.
static bool find(const mote_world *world, int kind, const char *name, uint32_t *index) {
  if (world == NULL || name == NULL) return false;
  size_t k = mote_items_find(world, kind, name);
  if (k >= mote_world_items(world, kind)) return false;
  *index = (uint32_t)mote_item_number(world, kind, k);
  return true;
}

mote_probe mote_world_find_probe(const mote_world *world, const char *name) {
  mote_probe probe = {.generation = 1};
  return find(world, MOTE_ITEM_PROBE, name, &probe.index) ? probe : (mote_probe){0};
}

mote_collider mote_world_find_collider(const mote_world *world, const char *name) {
  mote_collider collider = {.generation = 1};
  return find(world, MOTE_ITEM_COLLIDER, name, &collider.index) ? collider : (mote_collider){0};
}

mote_world_surface mote_world_find_surface(const mote_world *world, const char *name) {
  mote_world_surface surface = {.generation = 1};
  return find(world, MOTE_ITEM_SURFACE, name, &surface.index) ? surface : (mote_world_surface){0};
}

int mote_world_probe_points(const mote_world *world, mote_probe probe) {
  return has_probe(world, probe) ? (int)mote_probe_points(&mote_probe_at(world, probe.index)->def) : 0;
}

static float *rest_densities(mote_world *world) {
  const mote_store *store = mote_world_store(world);
  float *rest = mote_arena_take(&world->scratch, mote_world_fluid_rows(world) + 1, sizeof *rest);
  for (size_t b = 0; rest != NULL && b < mote_world_items(world, MOTE_ITEM_MATERIAL); ++b) {
    float own = (float)mote_material_at(world, b)->def.density;
    for (size_t i = 0; i < store->block[b].count; ++i) rest[store->block[b].first[0] + i] = own;
  }
  return rest;
}

static mote_result read_probe(mote_world *world, const mote_probe_def *def, mote_reading *out,
                              mote_error *error) {
  const mote_store *store = mote_world_store(world);
  size_t count = mote_world_fluid_rows(world);
  MOTE_TRY(mote_grid_build(world->grid, mote_store_f64(store, MOTE_PARTICLE_POSITION), count, error));
  float *rest = rest_densities(world);
  if (rest == NULL) return mote_fail_memory(error, count * sizeof *rest);
  mote_probe_source source = {
      .kernel = mote_kernel_make(world->def.solver.kernel, world->def.dimensions, world->fluid.support),
      .spacing = world->def.spacing,
      .grid = world->grid,
      .position = mote_store_f64(store, MOTE_PARTICLE_POSITION),
      .id = mote_store_ids(store),
      .velocity = mote_store_f32(store, MOTE_PARTICLE_VELOCITY),
      .mass = mote_store_f32(store, MOTE_PARTICLE_MASS),
      .rest_density = rest,
      .density = mote_store_f32(store, MOTE_PARTICLE_DENSITY),
      .pressure = mote_store_f32(store, MOTE_PARTICLE_PRESSURE),
      .temperature = world->def.heat ? mote_store_f32(store, MOTE_PARTICLE_TEMPERATURE) : NULL,
      .domain = &world->domain,
  };
  MOTE_TRY(mote_colliders_obstacles(world, 0.0, &source.obstacles, error));
  source.obstacle = world->obstacle;
  return mote_probe_read(def, &source, &world->env, out, error);
}

mote_result mote_world_probe(mote_world *world, mote_probe probe, mote_reading *out, mote_error *error) {
  if (world == NULL || out == NULL || !has_probe(world, probe)) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "there is no such probe");
  }
  MOTE_TRY(mote_step_measure(world, error));
  mote_arena_mark mark = mote_arena_here(&world->scratch);
  const mote_probe_item *item = mote_probe_at(world, probe.index);
  mote_result result = item->of[0] != '\0' ? mote_body_probe_read(world, item, out, error)
                                           : read_probe(world, &item->def, out, error);
  mote_arena_release(&world->scratch, mark);
  return result;
}

// --- Colliders, memory, hash ---------------------------------------------------------------------------

mote_result mote_world_pose(const mote_world *world, mote_collider collider, mote_pose *out,
                            mote_error *error) {
  if (world == NULL || out == NULL || collider.generation != 1)
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "there is no such collider");
  size_t k = mote_items_place(world, MOTE_ITEM_COLLIDER, collider.index);
  if (k == SIZE_MAX) return mote_fail(error, MOTE_ERROR_ARGUMENT, "there is no such collider");
  *out = mote_motion_at(mote_collider_at(world, k)->motion, mote_world_time(world));
  return MOTE_OK;
}

mote_body mote_world_find_body(const mote_world *world, const char *name) {
  uint32_t k;
  mote_body_place place;
  if (!find(world, MOTE_ITEM_BODY, name, &k)) return (mote_body){0};
  return mote_bodies_find(world, mote_body_at(world, k)->id, &place) ? mote_bodies_handle(world, place)
                                                                     : (mote_body){0};
}

mote_result mote_world_body(const mote_world *world, mote_body body, mote_body_state *out,
                            mote_error *error) {
  mote_body_place place;
  if (world == NULL || out == NULL || !mote_bodies_resolve(world, body, &place)) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "there is no such body");
  }
  const mote_kind_row *kind = mote_kind_row_of(world, place.kind);
  if (kind->read_body == NULL) {
    char name[MOTE_BODY_NAME_SIZE];
    mote_bodies_name(world, place, name);
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "body \"%s\" is not rigid", name);
  }
  kind->read_body(world, place.row, out);
  return MOTE_OK;
}

size_t mote_world_bytes(const mote_world *world) {
  return atomic_load_explicit(&world->bytes, memory_order_relaxed);
}

uint64_t mote_world_hash(const mote_world *world) {
  mote_arena scratch = mote_arena_make(&world->env);
  uint64_t hash;
  if (mote_state_hash_all(&world->now, &scratch, &hash, NULL) != MOTE_OK) hash = 0;
  mote_arena_destroy(&scratch);
  return hash;
}
