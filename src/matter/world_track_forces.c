// Surface tension of the tracked mesh on the fluid's particles: see world_track.h.
#include <math.h>
#include <mote/numeric.h>

#include "matter/world_track.h"
#include "num/elementary.h"

// Tension and contact angle of each material, by its number, which is that of its block of particles.
static mote_result describe(const mote_world *world, mote_track_tension *how, mote_error *error) {
  const mote_store *store = mote_world_store(world);
  size_t kinds = mote_world_items(world, MOTE_ITEM_MATERIAL);
  MOTE_TAKE_NEW(double, sigma, world->fluid.scratch, 2 * kinds, error);
  double *cosine = sigma + kinds;
  MOTE_TAKE_NEW(uint32_t, kind, world->fluid.scratch, how->count, error);
  for (size_t b = 0, i = 0; b < kinds; ++b) {
    const mote_material_def *def = &mote_material_at(world, b)->def;
    sigma[b] = def->surface_tension, cosine[b] = mote_cos(def->contact_angle);
    for (size_t k = 0; k < store->block[b].count; ++k) kind[i++] = (uint32_t)b;
  }
  how->kind = kind, how->sigma = sigma, how->cosine = cosine;
  return MOTE_OK;
}

static mote_result add_forces(mote_world *world, const mote_track_tension *how, double *force,
                              mote_error *error) {
  mote_tracked *mesh;
  MOTE_TRY(mote_world_track_read(world, &mesh, error));
  mote_result result = mote_tracked_tension(mesh, how, force, error);
  mote_tracked_destroy(mesh);
  MOTE_TRY(result);
  const float *mass = mote_store_f32(mote_world_store(world), MOTE_PARTICLE_MASS);
  for (size_t i = 0; i < 3 * how->count; ++i)
    world->fluid.acceleration[i] += (float)(force[i] / (double)mass[i / 3]);
  return MOTE_OK;
}

mote_result mote_world_track_tension(mote_world *world, mote_error *error) {
  if (world->def.solver.tension != MOTE_TENSION_MESH || world->fluid.tension == NULL) return MOTE_OK;
  mote_arena *arena = world->fluid.scratch;
  mote_arena_mark mark = mote_arena_here(arena);
  mote_track_tension how = {.spacing = world->def.spacing,
                            .position = mote_store_f64(mote_world_store(world), MOTE_PARTICLE_POSITION),
                            .count = mote_world_fluid_rows(world),
                            .walls = mote_world_def_walls(&world->def)};
  MOTE_TAKE_NEW(double, force, arena, 3 * how.count, error);
  mote_result result = describe(world, &how, error);
  if (result == MOTE_OK) result = add_forces(world, &how, force, error);
  mote_arena_release(arena, mark);
  return result;
}
