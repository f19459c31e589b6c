// The motion hash of mote/world.h: positions and velocities alone. Each row is keyed by the name of its body
// or emitter and by its rank by id there, so the hash does not depend on how ids are numbered, how tables and
// fields are called, or in which store or order rows lie. Values count as doubles, whatever their type.
#include <string.h>

#include "base/hash.h"
#include "particles/sort.h"
#include "world/world_data.h"

#define HASH_SEED_BODY 1u
#define HASH_SEED_EMITTER 2u

static uint64_t hash_doubles(uint64_t hash, const double *value, size_t count) {
  for (size_t k = 0; k < count; ++k) {
    uint64_t word;
    memcpy(&word, &value[k], sizeof word);
    hash = mote_hash_mix(hash ^ word);
  }
  return hash;
}

// The name behind a particle's label: 1 + number of the body, then of the emitter; 0: none.
static uint64_t hash_of_label(const mote_world *world, uint32_t label) {
  size_t bodies = mote_world_items(world, MOTE_ITEM_BODY),
         emitters = mote_world_items(world, MOTE_ITEM_EMITTER);
  if (label == 0 || label > bodies + emitters) return 0;
  bool emitter = label > bodies;
  const char *name =
      emitter ? mote_emitter_at(world, label - 1 - bodies)->def.name : mote_body_at(world, label - 1)->name;
  return mote_hash_bytes(emitter ? HASH_SEED_EMITTER : HASH_SEED_BODY, name, strlen(name));
}

typedef struct rows {
  size_t count;
  const uint64_t *id;
  const uint32_t *label;
  const double *position;
  const float *velocity_f32;  // either this
  const double *velocity;     // or that
} rows;

static mote_result hash_rows(const mote_world *world, const rows *r, mote_arena *scratch, uint64_t *hash,
                             mote_error *error) {
  if (r->count == 0) return MOTE_OK;
  uint64_t *key = mote_arena_take(scratch, r->count, sizeof *key);
  uint32_t *from = mote_arena_take(scratch, r->count, sizeof *from);
  if (key == NULL || from == NULL) return mote_fail_memory(error, r->count * (sizeof *key + sizeof *from));
  for (size_t i = 0; i < r->count; ++i) key[i] = r->label[i];
  MOTE_TRY(mote_order_sort(key, r->id, r->count, world->env.threads, scratch, from, error));
  uint64_t name = 0, rank = 0;
  for (size_t k = 0; k < r->count; ++k) {
    size_t i = from[k];
    double v[3];
    for (int a = 0; a < 3; ++a) {
      v[a] = r->velocity != NULL ? r->velocity[3 * i + a] : (double)r->velocity_f32[3 * i + a];
    }
    if (k == 0 || r->label[i] != r->label[from[k - 1]]) name = hash_of_label(world, r->label[i]), rank = 0;
    uint64_t row = hash_doubles(mote_hash_mix(name ^ mote_hash_mix(rank++)), r->position + 3 * i, 3);
    *hash += hash_doubles(row, v, 3);
  }
  return MOTE_OK;
}

static uint64_t hash_rigid_bodies(const mote_world *world) {
  const mote_store *store = &world->now.store[MOTE_STATE_RIGID];
  uint64_t hash = 0;
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_RIGID); ++k) {
    const char *name = mote_rigid_at(world, k)->name;
    uint64_t row = mote_hash_mix(mote_hash_bytes(HASH_SEED_BODY, name, strlen(name)));
    row = hash_doubles(row, mote_store_f64(store, MOTE_RIGID_POSITION) + 3 * k, 3);
    row = hash_doubles(row, mote_store_f64(store, MOTE_RIGID_ORIENTATION) + 4 * k, 4);
    row = hash_doubles(row, mote_store_f64(store, MOTE_RIGID_VELOCITY) + 3 * k, 3);
    hash += hash_doubles(row, mote_store_f64(store, MOTE_RIGID_MOMENTUM) + 3 * k, 3);
  }
  return hash;
}

static mote_result motion_hash(const mote_world *world, mote_arena *scratch, uint64_t *hash,
                               mote_error *error) {
  const mote_store *fluid = &world->now.store[MOTE_STATE_PARTICLES];
  const mote_store *solid = &world->now.store[MOTE_STATE_SOLIDS];
  rows fluid_rows = {.count = fluid->count[0],
                     .id = mote_store_ids(fluid),
                     .label = mote_store_u32(fluid, MOTE_PARTICLE_BODY),
                     .position = mote_store_f64(fluid, MOTE_PARTICLE_POSITION),
                     .velocity_f32 = mote_store_f32(fluid, MOTE_PARTICLE_VELOCITY)};
  rows solid_rows = {.count = solid->count[0],
                     .id = mote_store_ids(solid),
                     .label = mote_store_u32(solid, MOTE_SOLID_BODY),
                     .position = mote_store_f64(solid, MOTE_SOLID_POSITION),
                     .velocity = mote_store_f64(solid, MOTE_SOLID_VELOCITY)};
  *hash = hash_rigid_bodies(world);
  MOTE_TRY(hash_rows(world, &fluid_rows, scratch, hash, error));
  return hash_rows(world, &solid_rows, scratch, hash, error);
}

uint64_t mote_world_motion_hash(const mote_world *world) {
  mote_arena scratch = mote_arena_make(&world->env);
  uint64_t hash;
  if (motion_hash(world, &scratch, &hash, NULL) != MOTE_OK) hash = 0;
  mote_arena_destroy(&scratch);
  return hash;
}
