// The motion hash of mote/world.h: positions and velocities alone. Each row is keyed by the name of its body
// or emitter and by its rank by id there, so the hash does not depend on how ids are numbered, how tables and
// fields are called, or in which store or order rows lie. Values count as doubles, whatever their type.
#include <string.h>

#include "base/hash.h"
#include "matter/kind.h"
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

static mote_result hash_rows(const mote_world *world, const mote_kind_particles *r, mote_arena *scratch,
                             uint64_t *hash, mote_error *error) {
  if (r->count == 0) return MOTE_OK;
  MOTE_TAKE_NEW(uint64_t, key, scratch, r->count, error);
  MOTE_TAKE_NEW(uint32_t, from, scratch, r->count, error);
  for (size_t i = 0; i < r->count; ++i) key[i] = r->label[i];
  MOTE_TRY(mote_order_sort(key, r->id, r->count, world->env.threads, scratch, from, error));
  uint64_t name = 0, rank = 0;
  for (size_t k = 0; k < r->count; ++k) {
    size_t i = from[k];
    double v[3];
    mote_kind_velocity(r, i, v);
    if (k == 0 || r->label[i] != r->label[from[k - 1]]) name = hash_of_label(world, r->label[i]), rank = 0;
    uint64_t row = hash_doubles(mote_hash_mix(name ^ mote_hash_mix(rank++)), r->position + 3 * i, 3);
    *hash += hash_doubles(row, v, 3);
  }
  return MOTE_OK;
}

// Bodies without particles.
static uint64_t hash_bodies(const mote_world *world, mote_kind kind) {
  const mote_kind_row *row = mote_kind_row_of(world, kind);
  uint64_t hash = 0;
  for (size_t k = 0; row->read_motion != NULL && k < mote_bodies_of(world, kind); ++k) {
    char name[MOTE_BODY_NAME_SIZE];
    double motion[13];
    mote_bodies_name(world, (mote_body_place){kind, k}, name);
    row->read_motion(world, k, motion);
    uint64_t start = mote_hash_mix(mote_hash_bytes(HASH_SEED_BODY, name, strlen(name)));
    hash += hash_doubles(start, motion, 13);
  }
  return hash;
}

static mote_result motion_hash(const mote_world *world, mote_arena *scratch, uint64_t *hash,
                               mote_error *error) {
  *hash = 0;
  for (int kind = 0; kind < MOTE_KINDS; ++kind) {
    *hash += hash_bodies(world, (mote_kind)kind);
    mote_kind_particles rows = mote_kind_particles_of(world, (mote_kind)kind);
    MOTE_TRY(hash_rows(world, &rows, scratch, hash, error));
  }
  return MOTE_OK;
}

uint64_t mote_world_motion_hash(const mote_world *world) {
  mote_arena scratch = mote_arena_make(&world->env);
  uint64_t hash;
  if (motion_hash(world, &scratch, &hash, NULL) != MOTE_OK) hash = 0;
  mote_arena_destroy(&scratch);
  return hash;
}
