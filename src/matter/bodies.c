// The table of bodies: see bodies.h.
#include "matter/bodies.h"

#include <inttypes.h>
#include <stdio.h>

#include "matter/items.h"

static void set_u32(const mote_store *store, int field, size_t row, uint32_t value) {
  mote_store_u32(store, field)[row] = value;
}

#ifdef MOTE_ASSERTS
static void check_row(const mote_world *world, size_t r) {
  const mote_store *store = mote_bodies(world);
  uint8_t origin = mote_store_u8(store, MOTE_BODY_ORIGIN)[r];
  int of = origin == MOTE_ORIGIN_EMITTER ? MOTE_ITEM_EMITTER : MOTE_ITEM_BODY;
  uint32_t parent = mote_store_u32(store, MOTE_BODY_PARENT)[r];
  MOTE_ASSERT(origin < MOTE_ORIGINS);
  MOTE_ASSERT(mote_store_u32(store, MOTE_BODY_DEFINITION)[r] < mote_world_items(world, of));
  MOTE_ASSERT(mote_store_u32(store, MOTE_BODY_MATERIAL)[r] < mote_world_items(world, MOTE_ITEM_MATERIAL));
  MOTE_ASSERT(parent <= mote_store_ids(store)[r]);
  MOTE_ASSERT((parent != 0) == (origin == MOTE_ORIGIN_PARENT));
  MOTE_ASSERT(mote_store_u64(store, MOTE_BODY_FIRST_STEP)[r] <=
              *mote_state_u64(&world->now, MOTE_WORLD_STEP));
}

void mote_bodies_check(const mote_world *world) {
  const mote_store *store = mote_bodies(world);
  const uint64_t *id = mote_store_ids(store);
  MOTE_ASSERT(store->blocks == MOTE_KINDS);
  for (size_t b = 0; b < store->blocks; ++b) {
    size_t first = store->block[b].first[0], end = first + store->block[b].count;
    for (size_t r = first; r < end; ++r) {
      MOTE_ASSERT(id[r] < store->next_id);
      MOTE_ASSERT(r == first || id[r - 1] < id[r]);
      check_row(world, r);
    }
  }
}
#endif

mote_result mote_bodies_add(mote_world *world, const mote_body_birth *birth, uint32_t *id,
                            mote_error *error) {
  MOTE_ASSERT(birth->material < mote_world_items(world, MOTE_ITEM_MATERIAL));
  MOTE_ASSERT(birth->parent <= mote_bodies(world)->next_id);
  MOTE_ASSERT(id != NULL);
  mote_store *store = mote_bodies(world);
  MOTE_ASSERT(birth->kind < MOTE_KINDS && birth->origin < MOTE_ORIGINS);
  if (store->next_id >= UINT32_MAX - 1)
    return mote_fail(error, MOTE_ERROR_MEMORY, "there are too many bodies");
  MOTE_TRY(mote_store_resize(store, birth->kind, store->block[birth->kind].count + 1, error));
  size_t row = store->block[birth->kind].first[0] + store->block[birth->kind].count - 1;
  *id = (uint32_t)mote_store_ids(store)[row];
  MOTE_ASSERT(store->block[birth->kind].count == 1 || mote_store_ids(store)[row - 1] < *id);
  set_u32(store, MOTE_BODY_MATERIAL, row, birth->material);
  set_u32(store, MOTE_BODY_DEFINITION, row, birth->definition);
  set_u32(store, MOTE_BODY_PARENT, row, birth->parent);
  set_u32(store, MOTE_BODY_FLAGS, row, 0);
  mote_store_u8(store, MOTE_BODY_ORIGIN)[row] = (uint8_t)birth->origin;
  mote_store_u64(store, MOTE_BODY_FIRST_STEP)[row] = *mote_state_u64(&world->now, MOTE_WORLD_STEP);
  return MOTE_OK;
}

mote_result mote_bodies_insert(mote_world *world, mote_kind kind, uint32_t id, size_t *row,
                               mote_error *error) {
  mote_store *store = mote_bodies(world);
  uint64_t next_id = store->next_id;
  size_t count = store->block[kind].count;
  MOTE_ASSERT(id < next_id && mote_bodies_row(world, kind, id) == SIZE_MAX);
  MOTE_TRY(mote_store_resize(store, kind, count + 1, error));
  store->next_id = next_id;
  uint64_t *ids = mote_store_rows(store, store->table->id, kind);
  for (*row = 0; *row < count && ids[*row] < id;) ++*row;
  for (int f = 0; f < store->table->fields; ++f) {
    if (!mote_store_has(store, f, kind)) continue;
    size_t size = mote_field_size(&store->table->field[f]);
    char *rows = mote_store_rows(store, f, kind);
    memmove(rows + (*row + 1) * size, rows + *row * size, (count - *row) * size);
  }
  ids[*row] = id;
  return MOTE_OK;
}

void mote_bodies_end(mote_world *world, uint32_t id) {
  mote_body_place place;
  mote_store *store = mote_bodies(world);
  bool there = mote_bodies_find(world, id, &place);
  MOTE_ASSERT(there);
  if (!there) return;
  for (int f = 0; f < store->table->fields; ++f) {
    if (!mote_store_has(store, f, place.kind)) continue;
    size_t size = mote_field_size(&store->table->field[f]);
    char *rows = mote_store_rows(store, f, place.kind);
    memmove(rows + place.row * size, rows + (place.row + 1) * size,
            (store->block[place.kind].count - place.row - 1) * size);
  }
  (void)mote_store_resize(store, place.kind, store->block[place.kind].count - 1, NULL);  // fewer: cannot fail
}

void mote_bodies_undo(mote_world *world, uint32_t id) {
  MOTE_ASSERT(mote_bodies(world)->next_id == (uint64_t)id + 1);
  mote_bodies_end(world, id);
  mote_bodies(world)->next_id = id;
}

// Ids ascend within a block.
size_t mote_bodies_row(const mote_world *world, mote_kind kind, uint32_t id) {
  const mote_store *store = mote_bodies(world);
  size_t block = (size_t)kind;
  const uint64_t *ids = mote_store_ids(store);
  size_t first = store->block[block].first[0], low = 0, high = store->block[block].count;
  if (high > 0 && id >= ids[first] && id - ids[first] < high && ids[first + (id - ids[first])] == id) {
    return (size_t)(id - ids[first]);  // as long as no body of another kind was born between them
  }
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (ids[first + middle] < id) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < store->block[block].count && ids[first + low] == id ? low : SIZE_MAX;
}

bool mote_bodies_find(const mote_world *world, uint32_t id, mote_body_place *out) {
  MOTE_ASSERT(mote_bodies(world)->blocks == MOTE_KINDS);
  for (int kind = 0; kind < MOTE_KINDS; ++kind) {
    size_t row = mote_bodies_row(world, (mote_kind)kind, id);
    if (row == SIZE_MAX) continue;
    *out = (mote_body_place){(mote_kind)kind, row};
    return true;
  }
  return false;
}

static size_t table_row(const mote_store *store, mote_body_place place) {
  MOTE_ASSERT(place.kind < MOTE_KINDS && place.row < store->block[place.kind].count);
  return store->block[place.kind].first[0] + place.row;
}

uint32_t mote_bodies_id(const mote_world *world, mote_body_place place) {
  return (uint32_t)mote_store_ids(mote_bodies(world))[table_row(mote_bodies(world), place)];
}

uint32_t mote_bodies_value(const mote_world *world, mote_body_place place, int field) {
  MOTE_ASSERT(mote_bodies(world)->table->field[field].type == MOTE_TYPE_U32);
  return mote_store_u32(mote_bodies(world), field)[table_row(mote_bodies(world), place)];
}

mote_body mote_bodies_handle(const mote_world *world, mote_body_place place) {
  const mote_store *store = mote_bodies(world);
  uint64_t step = mote_store_u64(store, MOTE_BODY_FIRST_STEP)[table_row(store, place)];
  return (mote_body){mote_bodies_id(world, place), (uint32_t)(step % UINT32_MAX) + 1};
}

bool mote_bodies_resolve(const mote_world *world, mote_body body, mote_body_place *out) {
  MOTE_ASSERT(out != NULL);
  if (body.generation == 0 || !mote_bodies_find(world, body.index, out)) return false;
  return mote_bodies_handle(world, *out).generation == body.generation;
}

size_t mote_bodies_definition(const mote_world *world, mote_body_place place) {
  const mote_store *store = mote_bodies(world);
  size_t row = table_row(store, place);
  if (mote_store_u8(store, MOTE_BODY_ORIGIN)[row] == MOTE_ORIGIN_EMITTER) return SIZE_MAX;
  return mote_store_u32(store, MOTE_BODY_DEFINITION)[row];
}

void mote_bodies_name(const mote_world *world, mote_body_place place, char name[MOTE_BODY_NAME_SIZE]) {
  MOTE_ASSERT(name != NULL);
  const mote_store *store = mote_bodies(world);
  size_t row = table_row(store, place);
  uint32_t definition = mote_store_u32(store, MOTE_BODY_DEFINITION)[row];
  mote_body_origin origin = (mote_body_origin)mote_store_u8(store, MOTE_BODY_ORIGIN)[row];
  if (origin == MOTE_ORIGIN_EMITTER) {
    snprintf(name, MOTE_BODY_NAME_SIZE, "%s", mote_emitter_at(world, definition)->def.name);
  } else if (origin == MOTE_ORIGIN_BODY) {
    snprintf(name, MOTE_BODY_NAME_SIZE, "%s", mote_body_at(world, definition)->name);
  } else {
    snprintf(name, MOTE_BODY_NAME_SIZE, "%.40s.%" PRIu32, mote_body_at(world, definition)->name,
             mote_bodies_id(world, place));
  }
}
