// New particles: see spawn.h.
#include "kinds/fluid/spawn.h"

static void clear3(float *x, size_t count) {
  for (size_t k = 0; k < 3 * count; ++k) x[k] = 0.0f;
}

mote_result mote_spawn(mote_world *world, uint32_t material, uint32_t body, double volume, size_t count,
                       size_t *first, mote_error *error) {
  MOTE_ASSERT(material < mote_world_items(world, MOTE_ITEM_MATERIAL));
  MOTE_ASSERT(volume > 0.0);
  MOTE_ASSERT(first != NULL);
  mote_store *store = mote_world_store(world);
  size_t most = world->def.particles_max, old = store->block[material].count;
  size_t there = mote_world_fluid_rows(world);
  if (count > most || there > most - count) {
    return mote_fail_key(error, "particles_max", "%zu particles and %zu new ones are more than %zu", there,
                         count, most);
  }
  MOTE_TRY(mote_store_resize(store, material, old + count, error));
  size_t row = store->block[material].first[MOTE_GROUP_FLUID] + old;
  MOTE_ASSERT(row == store->block[material].first[0] + old);
  double density = mote_material_at(world, material)->def.density;
  for (size_t k = 0; k < count; ++k) {
    mote_store_f32(store, MOTE_PARTICLE_MASS)[row + k] = (float)(density * volume);
    mote_store_u32(store, MOTE_PARTICLE_BODY)[row + k] = body;
    mote_store_f32(store, MOTE_PARTICLE_WALL_DISTANCE)[row + k] = 0.0f;
    mote_store_f32(store, MOTE_PARTICLE_DENSITY)[row + k] = (float)density;
  }
  if (count > 0) clear3(mote_store_f32(store, MOTE_PARTICLE_ACCELERATION) + 3 * row, count);
  *first = row;
  return MOTE_OK;
}
