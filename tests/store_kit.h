// What the tests of the store share: a table with every type and kind of field, an allocator that counts
// and can refuse, stores filled with reproducible values.
#ifndef MOTE_STORE_KIT_H
#define MOTE_STORE_KIT_H

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "bytes_kit.h"
#include "particles/archive.h"
#include "particles/state_hash.h"
#include "particles/store.h"

// --- A table --------------------------------------------------------------------------------------------

enum { MOTE_GROUP_WARM = 1, MOTE_GROUP_SOFT, THING_GROUPS };

// clang-format off
#define THING_FIELDS(F) \
  F(THING_PLACE,  "place",  F64, 3, ALL,  REQUIRED, 0,      "m",   "test", "") \
  F(THING_SPEED,  "speed",  F32, 3, ALL,  OPTIONAL, 1.5,    "m/s", "test", "") \
  F(THING_ID,     "id",     U64, 1, ALL,  REQUIRED, 0,      "1",   "test", "") \
  F(THING_FLAGS,  "flags",  U8,  1, ALL,  OPTIONAL, 7,      "1",   "test", "") \
  F(THING_FORCE,  "force",  F32, 3, ALL,  DERIVED,  0,      "N",   "test", "") \
  F(THING_HEAT,   "heat",   F32, 1, WARM, OPTIONAL, 293.15, "K",   "test", "") \
  F(THING_COLOUR, "colour", U32, 1, WARM, OPTIONAL, 42,     "1",   "test", "") \
  F(THING_STRAIN, "strain", F64, 9, SOFT, REQUIRED, 0,      "1",   "test", "") \
  F(THING_CRACK,  "crack",  I32, 2, SOFT, OPTIONAL, -3,     "1",   "test", "") \
  F(THING_STRESS, "stress", F64, 6, SOFT, DERIVED,  0,      "Pa",  "test", "")
// clang-format on

enum { THING_FIELDS(MOTE_FIELD_INDEX) THING_FIELD_COUNT };
static const mote_field thing_field[] = {THING_FIELDS(MOTE_FIELD_ENTRY)};
static const char *const thing_group[] = {"all", "warm", "soft"};
static const mote_table thing_table = {
    "things", thing_field, THING_FIELD_COUNT, thing_group, THING_GROUPS, THING_ID, 1};

enum { WARM = 1 << MOTE_GROUP_WARM, SOFT = 1 << MOTE_GROUP_SOFT };

// --- Memory ---------------------------------------------------------------------------------------------

typedef struct kit_memory {
  size_t calls;    // that asked for memory
  size_t refuse;   // from this call on; SIZE_MAX: never
  size_t largest;  // of all requests
  long live;       // blocks
} kit_memory;

static inline void *kit_resize(void *user, void *block, size_t old_size, size_t size) {
  kit_memory *memory = user;
  if (size == 0) {
    memory->live -= block != NULL;
    free(block);
    return NULL;
  }
  if (size > memory->largest) memory->largest = size;
  if (memory->calls++ >= memory->refuse) return NULL;
  void *grown = aligned_alloc(MOTE_ALIGNMENT, (size + MOTE_ALIGNMENT - 1) / MOTE_ALIGNMENT * MOTE_ALIGNMENT);
  if (grown == NULL) return NULL;
  if (block == NULL) {
    ++memory->live;
  } else {
    memcpy(grown, block, old_size < size ? old_size : size);
    free(block);
  }
  return grown;
}

static inline mote_env kit_env(kit_memory *memory) {
  *memory = (kit_memory){.refuse = SIZE_MAX};
  mote_env env = mote_env_default();
  env.resize = kit_resize;
  env.resize_user = memory;
  return env;
}

// --- Stores ---------------------------------------------------------------------------------------------

// A value that depends on nothing but (seed, field, id): small numbers, so that all types hold them.
static inline unsigned kit_value(uint64_t seed, int field, uint64_t id, int component) {
  return mote_random(seed, (uint64_t)(field * 16 + component), id).v[0] % 200;
}

static inline void kit_put(mote_type type, void *to, size_t k, unsigned value) {
  switch (type) {
    case MOTE_TYPE_F32: ((float *)to)[k] = 0.37f * (float)value; break;
    case MOTE_TYPE_F64: ((double *)to)[k] = 0.37 * value; break;
    case MOTE_TYPE_U8: ((uint8_t *)to)[k] = (uint8_t)value; break;
    case MOTE_TYPE_U32: ((uint32_t *)to)[k] = value; break;
    case MOTE_TYPE_U64: ((uint64_t *)to)[k] = value; break;
    case MOTE_TYPE_I32: ((int32_t *)to)[k] = -(int32_t)value; break;
    case MOTE_TYPE_COUNT: break;
  }
}

// Fills the saved fields of a block, but not the ids, with values of the rows' ids.
static inline void kit_fill(mote_store *store, size_t block, uint64_t seed) {
  const mote_block *b = &store->block[block];
  for (int f = 0; f < store->table->fields; ++f) {
    const mote_field *field = &store->table->field[f];
    if (f == store->table->id || !mote_field_saved(field) || !mote_store_has(store, f, block)) continue;
    void *rows = mote_store_rows(store, f, block);
    for (size_t r = 0; r < b->count; ++r) {
      uint64_t id = mote_store_ids(store)[b->first[0] + r];
      for (int k = 0; k < field->components; ++k) {
        kit_put(field->type, rows, r * (size_t)field->components + (size_t)k, kit_value(seed, f, id, k));
      }
    }
  }
}

// Three blocks, in all ways of using groups but one.
static inline mote_store kit_store(const mote_env *env, size_t rows, uint64_t seed) {
  mote_store store = mote_store_make(&thing_table, env);
  const uint32_t groups[3] = {WARM, SOFT, WARM | SOFT};
  for (int b = 0; b < 3; ++b) {
    size_t made;
    if (mote_store_add_block(&store, groups[b], rows / 3 + (size_t)b, &made, NULL) != MOTE_OK) abort();
    kit_fill(&store, made, seed);
  }
  return store;
}

static inline uint64_t kit_hash(const mote_store *store) {
  mote_arena arena = mote_arena_make(NULL);
  mote_state_hash hash;
  if (mote_store_hash(store, &arena, &hash, NULL) != MOTE_OK) abort();
  mote_arena_destroy(&arena);
  return mote_state_hash_total(store->table, &hash);
}

// --- Archives in memory ---------------------------------------------------------------------------------

static inline kit_bytes kit_save(const mote_store *store) {
  kit_bytes bytes = {0};
  mote_arena arena = mote_arena_make(NULL);
  if (mote_archive_write(store, &arena, &(mote_sink){kit_write, &bytes}, NULL) != MOTE_OK) abort();
  mote_arena_destroy(&arena);
  return bytes;
}

static inline mote_source kit_source(kit_bytes *bytes) {
  bytes->at = 0;
  return (mote_source){.read = kit_read, .user = bytes, .left = bytes->size};
}

static inline mote_result kit_load(kit_bytes *bytes, mote_store *store, mote_error *error) {
  mote_arena arena = mote_arena_make(&store->env);
  mote_source source = kit_source(bytes);
  mote_result result = mote_archive_read(&source, store, &arena, error);
  mote_arena_destroy(&arena);
  return result;
}

#endif
