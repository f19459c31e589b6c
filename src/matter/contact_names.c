// Names of what bodies meet, and the memory of contacts: see contact_names.h.
#include "matter/contact_names.h"

#include "matter/items.h"
#include "particles/id_map.h"

// Walls of the domain among the solids of contact.
static size_t walls_of(const mote_world *world) {
  size_t count = 0;
  for (int s = 0; s < 6; ++s) count += world->contacts.side[s] != NULL;
  return count;
}

uint32_t mote_obstacle_name(const mote_world *world, uint32_t number) {
  MOTE_ASSERT(number < MOTE_FIXED_OBSTACLE_FIRST);
  size_t rigid = mote_bodies_of(world, MOTE_KIND_RIGID), walls = walls_of(world);
  if (number >= rigid + walls) {
    size_t collider = mote_item_number(world, MOTE_ITEM_COLLIDER, number - rigid - walls);
    return MOTE_FIXED_OBSTACLE_FIRST + (uint32_t)(walls + collider);
  }
  if (number >= rigid) return MOTE_FIXED_OBSTACLE_FIRST + (uint32_t)(number - rigid);
  return mote_bodies_id(world, (mote_body_place){MOTE_KIND_RIGID, number});
}

uint32_t mote_obstacle_number(const mote_world *world, uint32_t name) {
  size_t rigid = mote_bodies_of(world, MOTE_KIND_RIGID);
  if (name >= MOTE_FIXED_OBSTACLE_FIRST) {
    size_t walls = walls_of(world), obstacle = name - MOTE_FIXED_OBSTACLE_FIRST;
    if (obstacle < walls) return (uint32_t)(obstacle + rigid);
    size_t k = mote_items_place(world, MOTE_ITEM_COLLIDER, obstacle - walls);
    return k == SIZE_MAX ? UINT32_MAX : (uint32_t)(rigid + walls + k);
  }
  size_t row = mote_bodies_row(world, MOTE_KIND_RIGID, name);
  return row == SIZE_MAX ? UINT32_MAX : (uint32_t)row;
}

// Drops contacts and friction of solids that are gone, by mote_obstacle_number, and of particles.
mote_result mote_contacts_drop_gone(mote_world *world, mote_error *error) {
  mote_store *contacts = &world->now.store[MOTE_TABLE_CONTACTS],
             *friction = &world->now.store[MOTE_TABLE_FRICTION];
  size_t count = contacts->count[0], memories = friction->count[0],
         most = count > memories ? count : memories;
  MOTE_TAKE_NEW(uint8_t, gone, &world->scratch, most + 1, error);
  mote_id_map map;
  const mote_store *store = mote_world_store(world);
  size_t fluid = mote_world_fluid_rows(world), rows = store->count[0] - fluid;
  MOTE_TRY(mote_id_map_make(mote_store_ids(store) + fluid, rows, world->env.threads, &world->scratch, &map,
                            error));
  for (size_t k = 0; k < count; ++k) {
    gone[k] = mote_obstacle_number(world, mote_store_u32(contacts, MOTE_CONTACT_A)[k]) == UINT32_MAX ||
              mote_obstacle_number(world, mote_store_u32(contacts, MOTE_CONTACT_B)[k]) == UINT32_MAX;
  }
  mote_store_remove(contacts, 0, gone);
  for (size_t k = 0; k < memories; ++k) {
    uint64_t other = mote_store_u64(friction, MOTE_FRICTION_OTHER)[k];
    bool ball = mote_store_u8(friction, MOTE_FRICTION_IS_PARTICLE)[k] != 0;
    bool there = ball ? mote_id_map_find(&map, other) != SIZE_MAX
                      : mote_obstacle_number(world, (uint32_t)other) != UINT32_MAX;
    gone[k] =
        !there || mote_id_map_find(&map, mote_store_u64(friction, MOTE_FRICTION_PARTICLE)[k]) == SIZE_MAX;
  }
  mote_store_remove(friction, 0, gone);
  return MOTE_OK;
}
