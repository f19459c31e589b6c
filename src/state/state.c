// The state of a world: see state.h.
#include "state/state.h"

#include <string.h>

#include "base/hash.h"
#include "particles/state_hash.h"

static const char *const groups[] = {"all", "ticks"};
static const char *const solid_groups[] = {"all", "renewed"};
static const mote_field world_field[] = {MOTE_WORLD_FIELDS(MOTE_FIELD_ENTRY)};
static const mote_field nozzle_field[] = {MOTE_NOZZLE_FIELDS(MOTE_FIELD_ENTRY)};
static const mote_field rigid_field[] = {MOTE_RIGID_FIELDS(MOTE_FIELD_ENTRY)};
static const mote_field contact_field[] = {MOTE_CONTACT_FIELDS(MOTE_FIELD_ENTRY)};
static const mote_field solid_field[] = {MOTE_SOLID_FIELDS(MOTE_FIELD_ENTRY)};
static const mote_field soft_field[] = {MOTE_SOFT_FIELDS(MOTE_FIELD_ENTRY)};
static const mote_field touch_field[] = {MOTE_TOUCH_FIELDS(MOTE_FIELD_ENTRY)};

const mote_table mote_world_table = {"world", world_field, MOTE_WORLD_FIELD_COUNT, groups, 2, -1};
const mote_table mote_nozzle_table = {"emitters", nozzle_field, MOTE_NOZZLE_FIELD_COUNT, groups, 1, -1};
const mote_table mote_rigid_table = {"rigid", rigid_field, MOTE_RIGID_FIELD_COUNT, groups, 1, -1};
const mote_table mote_contact_table = {"contacts", contact_field, MOTE_CONTACT_FIELD_COUNT, groups, 1, -1};
const mote_table mote_solid_table = {"solids",     solid_field, MOTE_SOLID_FIELD_COUNT,
                                     solid_groups, 2,           MOTE_SOLID_ID};
const mote_table mote_soft_table = {"soft", soft_field, MOTE_SOFT_FIELD_COUNT, groups, 1, -1};
const mote_table mote_touch_table = {"touches", touch_field, MOTE_TOUCH_FIELD_COUNT, groups, 1, -1};

static void start(const mote_state *state) {
  for (int f = 0; f < MOTE_WORLD_FIELD_COUNT; ++f) {
    bool there = mote_store_has(&state->store[MOTE_STATE_WORLD], f, 0);
    if (there && world_field[f].type == MOTE_TYPE_F64) *mote_state_f64(state, f) = world_field[f].initial;
  }
}

mote_state mote_state_empty(const mote_env *env) {
  return (mote_state){{
      [MOTE_STATE_WORLD] = mote_store_make(&mote_world_table, env),
      [MOTE_STATE_NOZZLES] = mote_store_make(&mote_nozzle_table, env),
      [MOTE_STATE_PARTICLES] = mote_store_make(&mote_particle_table, env),
      [MOTE_STATE_RIGID] = mote_store_make(&mote_rigid_table, env),
      [MOTE_STATE_CONTACTS] = mote_store_make(&mote_contact_table, env),
      [MOTE_STATE_SOLIDS] = mote_store_make(&mote_solid_table, env),
      [MOTE_STATE_SOFT] = mote_store_make(&mote_soft_table, env),
      [MOTE_STATE_TOUCHES] = mote_store_make(&mote_touch_table, env),
  }};
}

mote_result mote_state_make(const mote_env *env, uint32_t world_groups, mote_state *out, mote_error *error) {
  *out = mote_state_empty(env);
  size_t block;
  mote_result result = MOTE_OK;
  for (int s = 0; s < MOTE_STATE_STORES && result == MOTE_OK; ++s) {
    if (s == MOTE_STATE_PARTICLES || s == MOTE_STATE_SOLIDS) continue;  // a block for each material, or body
    bool world = s == MOTE_STATE_WORLD;
    result = mote_store_add_block(&out->store[s], world ? world_groups : 0, world, &block, error);
  }
  if (result == MOTE_OK) {
    start(out);
  } else {
    mote_state_destroy(out);
  }
  return result;
}

void mote_state_destroy(mote_state *state) {
  for (int s = 0; s < MOTE_STATE_STORES; ++s) mote_store_destroy(&state->store[s]);
}

mote_result mote_state_copy(const mote_state *from, mote_state *to, mote_error *error) {
  for (int s = 0; s < MOTE_STATE_STORES; ++s) {
    MOTE_TRY(mote_store_copy(&from->store[s], &to->store[s], error));
  }
  return MOTE_OK;
}

mote_result mote_state_hash_all(const mote_state *state, mote_arena *scratch, uint64_t *hash,
                                mote_error *error) {
  *hash = 0;
  for (int s = 0; s < mote_state_stores(state); ++s) {
    const mote_table *table = state->store[s].table;
    mote_state_hash own;
    MOTE_TRY(mote_store_hash(&state->store[s], scratch, &own, error));
    uint64_t total = mote_state_hash_total(table, &own);
    *hash += mote_hash_bytes(total, table->name, strlen(table->name));
  }
  return MOTE_OK;
}

int mote_state_stores(const mote_state *state) {
  if (state->store[MOTE_STATE_SOFT].count[0] > 0) return MOTE_STATE_STORES;
  return state->store[MOTE_STATE_RIGID].count[0] > 0 ? MOTE_STATE_JOINTED : MOTE_STATE_BASIC;
}
