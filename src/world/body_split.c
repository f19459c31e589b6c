// Fragments: parts of fluid and elastic bodies that become separate bodies, and their removal. See
// mote/world.h. Particles stay in their block; only their label and the table of bodies change.
#include <inttypes.h>

#include "matter/kind.h"
#include "particles/id_map.h"

static uint32_t *labels_of(const mote_world *world, size_t block) {
  return mote_store_rows(mote_world_store(world), MOTE_PARTICLE_BODY, block);
}

// Rows of the particles in the block; all must have the label.
static mote_result find_rows(mote_world *world, size_t block, const uint64_t *ids, size_t count,
                             uint32_t label, uint32_t *rows, mote_error *error) {
  const mote_store *store = mote_world_store(world);
  const uint64_t *there = mote_store_rows(store, MOTE_PARTICLE_ID, block);
  const uint32_t *labels = labels_of(world, block);
  mote_id_map map;
  MOTE_TRY(
      mote_id_map_make(there, store->block[block].count, world->env.threads, &world->scratch, &map, error));
  for (size_t k = 0; k < count; ++k) {
    size_t row = mote_id_map_find(&map, ids[k]);
    if (row == SIZE_MAX || labels[row] != label) {
      return mote_fail(error, MOTE_ERROR_ARGUMENT, "particle %" PRIu64 " is not part of the body", ids[k]);
    }
    rows[k] = (uint32_t)row;
  }
  return MOTE_OK;
}

static mote_result split(mote_world *world, mote_body_place place, const uint64_t *ids, size_t count,
                         uint32_t *id, mote_error *error) {
  const mote_store *bodies = mote_bodies(world);
  size_t block = mote_kind_block_of_body(world, place), definition = mote_bodies_definition(world, place);
  uint32_t parent = mote_bodies_id(world, place);
  MOTE_TAKE_NEW(uint32_t, rows, &world->scratch, count, error);
  MOTE_TRY(find_rows(world, block, ids, count, parent + 1, rows, error));
  mote_body_birth birth = {.kind = place.kind,
                           .origin = MOTE_ORIGIN_PARENT,
                           .material = mote_bodies_value(world, place, MOTE_BODY_MATERIAL),
                           .definition = (uint32_t)definition,
                           .parent = parent + 1};
  MOTE_TRY(mote_bodies_add(world, &birth, id, error));
  size_t row = bodies->block[place.kind].first[0] + place.row;  // births come behind it
  mote_store_u32(bodies, MOTE_BODY_FLAGS)[row] |= MOTE_BODY_BROKEN;
  const mote_kind_row *kind = mote_kind_row_of(world, place.kind);
  if (kind->begin_part != NULL) kind->begin_part(world);
  for (size_t k = 0; k < count; ++k) labels_of(world, block)[rows[k]] = *id + 1;
  return MOTE_OK;
}

mote_result mote_world_split_body(mote_world *world, mote_body body, const uint64_t *ids, size_t count,
                                  mote_body *out, mote_error *error) {
  mote_body_place place;
  uint32_t id;
  if (world == NULL || !mote_bodies_resolve(world, body, &place)) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "there is no such body");
  }
  if (ids == NULL || count == 0)
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "no particles are given to split off");
  if (!mote_kind_row_of(world, place.kind)->is_split || mote_bodies_definition(world, place) == SIZE_MAX) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT,
                     "only fluid and elastic bodies of a definition can be split");
  }
  mote_arena_mark mark = mote_arena_here(&world->scratch);
  mote_result result = split(world, place, ids, count, &id, error);
  mote_arena_release(&world->scratch, mark);
  if (result != MOTE_OK) return result;
  world->has_frame = false;
  ++world->generation;
  mote_body_place born = {place.kind, mote_bodies_of(world, place.kind) - 1};
  if (out != NULL) *out = mote_bodies_handle(world, born);
  return MOTE_OK;
}

// The nearest existing ancestor; the last one is the body of the definition.
static uint32_t heir_of(const mote_world *world, mote_body_place place) {
  mote_body_place parent;
  uint32_t label = mote_bodies_value(world, place, MOTE_BODY_PARENT);
  if (label > 0 && mote_bodies_find(world, label - 1, &parent)) return label;
  return mote_body_at(world, mote_bodies_definition(world, place))->id + 1;
}

mote_result mote_world_merge_body(mote_world *world, mote_body body, mote_error *error) {
  mote_body_place place;
  if (world == NULL || !mote_bodies_resolve(world, body, &place)) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "there is no such body");
  }
  if (mote_bodies_value(world, place, MOTE_BODY_PARENT) == 0) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "the body is not part of another one");
  }
  uint32_t id = mote_bodies_id(world, place), heir = heir_of(world, place);
  mote_body_place other;
  if (!mote_bodies_find(world, heir - 1, &other))
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "the body that it was part of is removed");
  size_t block = mote_kind_block_of_body(world, place);
  for (size_t i = 0; i < mote_world_store(world)->block[block].count; ++i) {
    uint32_t *label = &labels_of(world, block)[i];
    if (*label == id + 1) *label = heir;
  }
  mote_bodies_end(world, id);
  world->has_frame = false;
  ++world->generation;
  return MOTE_OK;
}
