// Fluids as a kind of matter: see matter/kind.h. Their stages are those of src/stages.
#include "kinds/fluid/fluid_kind.h"

static uint32_t groups(const mote_world *world, const mote_material_def *material, const void *item) {
  (void)material, (void)item;
  return mote_world_groups(world);
}

// The flow of an emitter stays, though it may have no particles.
static mote_result remove_body(mote_world *world, mote_body_place place, mote_error *error) {
  MOTE_TRY(mote_kind_remove_particles(world, place, MOTE_KIND_FLUID, error));
  if (mote_bodies_definition(world, place) != SIZE_MAX) mote_bodies_end(world, mote_bodies_id(world, place));
  world->measured = false;
  return MOTE_OK;
}

const mote_kind_row mote_kind_row_fluid = {
    .kind = MOTE_KIND_FLUID,
    .name = "fluid",
    .blocks = MOTE_BLOCKS_ALL_MATERIALS,
    .group = MOTE_GROUP_FLUID,
    .velocity = MOTE_PARTICLE_VELOCITY,
    .mass = MOTE_PARTICLE_MASS,
    .hold = -1,
    .is_liquid = true,
    .is_sorted = true,
    .is_split = true,
    .groups = groups,
    .make = mote_fluid_body_make,
    .remove = remove_body,
    .add_totals = mote_fluid_add_totals,
};
