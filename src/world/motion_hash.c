// The motion hash of mote/world.h: positions and velocities alone. Each row is keyed by the name of its body
// or emitter and by its rank by id there, so the hash does not depend on how ids are numbered, how tables and
// fields are called, or in which store or order rows lie. Values count as doubles, whatever their type.
#include <string.h>

#include "base/hash.h"
#include "matter/bodies.h"
#include "particles/sort.h"

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

// The name of the body behind a particle's label: 1 + id; 0: none.
static uint64_t hash_of_label(const mote_world *world, uint32_t label) {
  mote_body_place place;
  char name[MOTE_BODY_NAME_SIZE];
  if (label == 0 || !mote_bodies_find(world, label - 1, &place)) return 0;
  mote_bodies_name(world, place, name);
  bool emitter = mote_bodies_definition(world, place) == SIZE_MAX;
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
  MOTE_TAKE_NEW(uint64_t, key, scratch, r->count, error);
  MOTE_TAKE_NEW(uint32_t, from, scratch, r->count, error);
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
  const mote_store *store = mote_bodies(world);
  uint64_t hash = 0;
  for (size_t k = 0; k < mote_bodies_of(world, MOTE_KIND_RIGID); ++k) {
    char name[MOTE_BODY_NAME_SIZE];
    mote_bodies_name(world, (mote_body_place){MOTE_KIND_RIGID, k}, name);
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
  const mote_store *store = mote_world_store(world);
  size_t fluid = mote_world_fluid_rows(world);
  rows fluid_rows = {.count = fluid,
                     .id = mote_store_ids(store),
                     .label = mote_store_u32(store, MOTE_PARTICLE_BODY),
                     .position = mote_store_f64(store, MOTE_PARTICLE_POSITION),
                     .velocity_f32 = mote_store_f32(store, MOTE_PARTICLE_VELOCITY)};
  rows elastic_rows = {.count = mote_world_elastic_rows(world),
                       .id = mote_store_ids(store) + fluid,
                       .label = mote_store_u32(store, MOTE_PARTICLE_BODY) + fluid,
                       .position = mote_store_f64(store, MOTE_PARTICLE_POSITION) + 3 * fluid,
                       .velocity = mote_store_f64(store, MOTE_ELASTIC_VELOCITY)};
  size_t behind = fluid + elastic_rows.count;
  rows lattice_rows = {.count = mote_world_lattice_rows(world),
                       .id = mote_store_ids(store) + behind,
                       .label = mote_store_u32(store, MOTE_PARTICLE_BODY) + behind,
                       .position = mote_store_f64(store, MOTE_PARTICLE_POSITION) + 3 * behind,
                       .velocity = mote_store_f64(store, MOTE_LATTICE_VELOCITY)};
  *hash = hash_rigid_bodies(world);
  MOTE_TRY(hash_rows(world, &lattice_rows, scratch, hash, error));
  MOTE_TRY(hash_rows(world, &fluid_rows, scratch, hash, error));
  return hash_rows(world, &elastic_rows, scratch, hash, error);
}

uint64_t mote_world_motion_hash(const mote_world *world) {
  mote_arena scratch = mote_arena_make(&world->env);
  uint64_t hash;
  if (motion_hash(world, &scratch, &hash, NULL) != MOTE_OK) hash = 0;
  mote_arena_destroy(&scratch);
  return hash;
}
