// Removes bodies and colliders: see command_act.h. Their rows and those of their contacts are removed
// immediately; samples and other data derived from definitions are rebuilt.
#include "commands/command_act.h"
#include "kinds/elastic/elastic_bodies.h"
#include "kinds/lattice/lattice_bodies.h"
#include "matter/items.h"
#include "particles/id_map.h"

mote_result mote_command_check_removal(mote_world *world, mote_resolved_command *resolved,
                                       mote_error *error) {
  if (resolved->at.kind != MOTE_KIND_ELASTIC || mote_bodies_value(world, resolved->at, MOTE_BODY_PARENT) == 0)
    return MOTE_OK;
  size_t definition = mote_bodies_definition(world, resolved->at);
  return mote_fail_key(error, "body", "\"%s\" is a part of the elastic body \"%s\": remove that",
                       resolved->command->target, mote_body_at(world, definition)->name);
}

// --- Contacts -----------------------------------------------------------------------------------------

// Drops contacts and friction of removed bodies and colliders, by mote_obstacle_number, and of particles.
static mote_result drop_contacts(mote_world *world, mote_error *error) {
  mote_store *contacts = &world->now.store[MOTE_TABLE_CONTACTS],
             *friction = &world->now.store[MOTE_TABLE_FRICTION];
  size_t count = contacts->count[0], memories = friction->count[0],
         most = count > memories ? count : memories;
  MOTE_TAKE_NEW(uint8_t, gone, &world->scratch, most + 1, error);
  mote_id_map map;
  size_t rows = mote_world_elastic_rows(world) + mote_world_lattice_rows(world);
  MOTE_TRY(mote_id_map_make(mote_elastic_ids(world), rows, world->env.threads, &world->scratch, &map, error));
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

mote_result mote_command_remove_collider(mote_world *world, const mote_resolved_command *resolved,
                                         mote_error *error) {
  (void)resolved;  // it is off the list already
  return drop_contacts(world, error);
}

// --- Bodies -------------------------------------------------------------------------------------------

// The body's rows of a block.
static mote_result remove_rows(mote_world *world, const mote_resolved_command *resolved, size_t block,
                               mote_error *error) {
  mote_store *store = mote_world_store(world);
  size_t count = store->block[block].count;
  if (count == 0) return MOTE_OK;
  const uint32_t *label = mote_store_rows(store, MOTE_PARTICLE_BODY, block);
  MOTE_TAKE_NEW(uint8_t, gone, &world->scratch, count + 1, error);
  for (size_t i = 0; i < count; ++i) gone[i] = label[i] == resolved->body + 1;
  mote_store_remove(store, block, gone);
  return MOTE_OK;
}

static mote_result remove_fluid(mote_world *world, const mote_resolved_command *resolved, mote_error *error) {
  MOTE_TRY(remove_rows(world, resolved, mote_bodies_value(world, resolved->at, MOTE_BODY_MATERIAL), error));
  if (mote_bodies_definition(world, resolved->at) != SIZE_MAX) mote_bodies_end(world, resolved->body);
  world->measured = false;
  return MOTE_OK;
}

static mote_result remove_rigid(mote_world *world, const mote_resolved_command *resolved, mote_error *error) {
  MOTE_TRY(mote_items_expect_removal(world, MOTE_KIND_RIGID, error));
  mote_items_remove(world, MOTE_KIND_RIGID, resolved->at.row);
  mote_bodies_end(world, resolved->body);
  world->ready = false;
  return drop_contacts(world, error);
}

// Its fragments are in its block and are removed with it.
static void end_parts(mote_world *world, size_t definition) {
  for (size_t r = mote_bodies_of(world, MOTE_KIND_ELASTIC); r > 0; --r) {
    mote_body_place place = {MOTE_KIND_ELASTIC, r - 1};
    if (mote_bodies_definition(world, place) == definition)
      mote_bodies_end(world, mote_bodies_id(world, place));
  }
}

static mote_result remove_elastic(mote_world *world, const mote_resolved_command *resolved,
                                  mote_error *error) {
  size_t definition = mote_bodies_definition(world, resolved->at), k = 0;
  mote_store *store = mote_world_store(world);
  MOTE_TRY(mote_items_expect_removal(world, MOTE_KIND_ELASTIC, error));
  while (mote_elastic_at(world, k)->body != definition) ++k;
  mote_store_remove_block(store, mote_elastic_block(world, k));
  end_parts(world, definition);
  mote_items_remove(world, MOTE_KIND_ELASTIC, k);
  world->ready = world->measured = false;
  return drop_contacts(world, error);
}

// Including its melt.
static mote_result remove_lattice(mote_world *world, const mote_resolved_command *resolved,
                                  mote_error *error) {
  size_t definition = mote_bodies_definition(world, resolved->at), k = 0,
         material = mote_bodies_value(world, resolved->at, MOTE_BODY_MATERIAL);
  MOTE_TRY(mote_items_expect_removal(world, MOTE_KIND_LATTICE, error));
  MOTE_TRY(remove_rows(world, resolved, mote_lattice_block(world, material), error));
  MOTE_TRY(remove_rows(world, resolved, material, error));
  while (mote_lattice_at(world, k)->body != definition) ++k;
  mote_items_remove(world, MOTE_KIND_LATTICE, k);
  mote_bodies_end(world, resolved->body);
  world->ready = world->measured = false;
  return drop_contacts(world, error);
}

mote_result mote_command_remove_body(mote_world *world, const mote_resolved_command *resolved,
                                     mote_error *error) {
  if (resolved->at.kind == MOTE_KIND_FLUID) return remove_fluid(world, resolved, error);
  if (resolved->at.kind == MOTE_KIND_LATTICE) return remove_lattice(world, resolved, error);
  return resolved->at.kind == MOTE_KIND_RIGID ? remove_rigid(world, resolved, error)
                                              : remove_elastic(world, resolved, error);
}
