// The state of a world: see state.h.
#include "state/state.h"

#include <string.h>

#include "base/hash.h"
#include "particles/state_hash.h"

static const char *const world_groups[] = {"all", "ticks", "phases"};
static const char *const body_groups[] = {"all", "rigid", "deforming"};
static const mote_field world_field[] = {MOTE_WORLD_FIELDS(MOTE_FIELD_ENTRY)};
static const mote_field nozzle_field[] = {MOTE_NOZZLE_FIELDS(MOTE_FIELD_ENTRY)};
static const mote_field body_field[] = {MOTE_BODY_FIELDS(MOTE_FIELD_ENTRY)};
static const mote_field contact_field[] = {MOTE_CONTACT_FIELDS(MOTE_FIELD_ENTRY)};
static const mote_field friction_field[] = {MOTE_FRICTION_FIELDS(MOTE_FIELD_ENTRY)};

const mote_table mote_world_table = {"world", world_field, MOTE_WORLD_FIELD_COUNT, world_groups, 3, -1, 1};
const mote_table mote_nozzle_table = {"emitters", nozzle_field, MOTE_NOZZLE_FIELD_COUNT, world_groups, 1, -1,
                                      1};
const mote_table mote_body_table = {"bodies",     body_field, MOTE_BODY_FIELD_COUNT, body_groups, 3,
                                    MOTE_BODY_ID, 1};
const mote_table mote_contact_table = {
    "contacts", contact_field, MOTE_CONTACT_FIELD_COUNT, world_groups, 1, -1, 1};
const mote_table mote_friction_table = {
    "friction", friction_field, MOTE_FRICTION_FIELD_COUNT, world_groups, 1, -1, 1};

static const mote_table *const tables[MOTE_TABLES] = {
    [MOTE_TABLE_WORLD] = &mote_world_table,        [MOTE_TABLE_NOZZLES] = &mote_nozzle_table,
    [MOTE_TABLE_PARTICLES] = &mote_particle_table, [MOTE_TABLE_BODIES] = &mote_body_table,
    [MOTE_TABLE_CONTACTS] = &mote_contact_table,   [MOTE_TABLE_FRICTION] = &mote_friction_table,
};

mote_state mote_state_empty(const mote_env *env) {
  return (mote_state){.env = mote_env_resolve(env)};
}

static mote_result add_table(mote_state *state, const mote_table *table, mote_error *error) {
  MOTE_TRY(mote_reserve(&state->env, &state->store, &state->capacity, state->tables + 1, sizeof *state->store,
                        error));
  state->store[state->tables++] = mote_store_make(table, &state->env);
  return MOTE_OK;
}

// The blocks that a table has from the beginning: particles have one for each material and body.
static mote_result add_blocks(mote_state *state, size_t t, uint32_t groups, mote_error *error) {
  static const uint32_t of_kind[MOTE_KINDS] = {
      [MOTE_KIND_RIGID] = 1u << MOTE_GROUP_RIGID, [MOTE_KIND_ELASTIC] = 1u << MOTE_GROUP_DEFORMING};
  mote_store *store = &state->store[t];
  size_t block;
  if (t == MOTE_TABLE_PARTICLES) return MOTE_OK;
  if (t == MOTE_TABLE_WORLD) return mote_store_add_block(store, groups, 1, &block, error);
  if (t != MOTE_TABLE_BODIES) return mote_store_add_block(store, 0, 0, &block, error);
  for (int k = 0; k < MOTE_KINDS; ++k) MOTE_TRY(mote_store_add_block(store, of_kind[k], 0, &block, error));
  return MOTE_OK;
}

static void start_world(const mote_state *state) {
  for (int f = 0; f < MOTE_WORLD_FIELD_COUNT; ++f) {
    bool there = mote_store_has(&state->store[MOTE_TABLE_WORLD], f, 0);
    if (there && world_field[f].type == MOTE_TYPE_F64) *mote_state_f64(state, f) = world_field[f].initial;
  }
}

mote_result mote_state_make(const mote_env *env, uint32_t groups, mote_state *out, mote_error *error) {
  MOTE_ASSERT(out != NULL);
  *out = mote_state_empty(env);
  mote_result result = MOTE_OK;
  for (size_t t = 0; t < MOTE_TABLES && result == MOTE_OK; ++t) {
    result = add_table(out, tables[t], error);
    if (result == MOTE_OK) result = add_blocks(out, t, groups, error);
  }
  if (result == MOTE_OK) {
    start_world(out);
  } else {
    mote_state_destroy(out);
  }
  return result;
}

void mote_state_destroy(mote_state *state) {
  MOTE_ASSERT(state->tables <= state->capacity);
  for (size_t t = 0; t < state->tables; ++t) mote_store_destroy(&state->store[t]);
  mote_free(&state->env, state->store, state->capacity, sizeof *state->store);
  *state = mote_state_empty(&state->env);
}

size_t mote_state_find(const mote_state *state, const char *name) {
  MOTE_ASSERT(name != NULL);
  MOTE_ASSERT(state->tables <= state->capacity);
  for (size_t t = 0; t < state->tables; ++t) {
    if (strcmp(state->store[t].table->name, name) == 0) return t;
  }
  return SIZE_MAX;
}

mote_result mote_state_register(mote_state *state, const mote_table *table, size_t *index,
                                mote_error *error) {
  MOTE_ASSERT(table != NULL && index != NULL);
  MOTE_ASSERT(state->tables >= MOTE_TABLES);
  MOTE_TRY(mote_table_check(table, error));
  if (mote_state_find(state, table->name) != SIZE_MAX) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "there is a table \"%s\" already", table->name);
  }
  MOTE_TRY(add_table(state, table, error));
  mote_result result = add_blocks(state, state->tables - 1, 0, error);
  if (result == MOTE_OK) {
    *index = state->tables - 1;
  } else {
    mote_store_destroy(&state->store[--state->tables]);
  }
  return result;
}

mote_result mote_state_copy(const mote_state *from, mote_state *to, mote_error *error) {
  MOTE_ASSERT(from != to);
  MOTE_ASSERT(from->tables >= MOTE_TABLES && to->tables >= MOTE_TABLES);
  for (size_t t = 0, made; t < from->tables; ++t) {
    if (t == to->tables) MOTE_TRY(mote_state_register(to, from->store[t].table, &made, error));
    MOTE_TRY(mote_store_copy(&from->store[t], &to->store[t], error));
  }
  return MOTE_OK;
}

mote_result mote_state_hash_all(const mote_state *state, mote_arena *scratch, uint64_t *hash,
                                mote_error *error) {
  MOTE_ASSERT(scratch != NULL && hash != NULL);
  MOTE_ASSERT(state->tables == 0 || state->store != NULL);
  *hash = 0;
  for (size_t t = 0; t < state->tables; ++t) {
    const mote_table *table = state->store[t].table;
    if (state->store[t].count[0] == 0) continue;
    mote_state_hash own;
    MOTE_TRY(mote_store_hash(&state->store[t], scratch, &own, error));
    uint64_t total = mote_state_hash_total(table, &own);
    *hash += mote_hash_bytes(total, table->name, strlen(table->name));
  }
  return MOTE_OK;
}
