// Friction state of elastic and lattice particles between steps: see elastic_bodies.h.
#include <string.h>

#include "geom/triple.h"
#include "kinds/elastic/elastic_bodies.h"
#include "matter/bodies.h"
#include "matter/contact_names.h"
#include "particles/id_map.h"

typedef struct memories {
  const mote_world *world;
  const mote_store *store;
  mote_id_map map;  // of elastic and lattice rows
  size_t elastic;   // rows; those of lattices follow
} memories;

static mote_result open_table(mote_world *world, memories *out, mote_error *error) {
  *out = (memories){world, &world->now.store[MOTE_TABLE_FRICTION], {0}, mote_world_elastic_rows(world)};
  return mote_id_map_make(mote_elastic_ids(world), out->elastic + mote_world_lattice_rows(world),
                          world->env.threads, &world->scratch, &out->map, error);
}

// Row k of the table; false: one side no longer exists.
static bool read(const memories *m, size_t k, mote_friction_memory *out) {
  bool ball = mote_store_u8(m->store, MOTE_FRICTION_IS_PARTICLE)[k] != 0;
  uint64_t other = mote_store_u64(m->store, MOTE_FRICTION_OTHER)[k];
  size_t i = mote_id_map_find(&m->map, mote_store_u64(m->store, MOTE_FRICTION_PARTICLE)[k]);
  size_t j = ball ? mote_id_map_find(&m->map, other) : mote_obstacle_number(m->world, (uint32_t)other);
  if (i == SIZE_MAX || j >= UINT32_MAX) return false;
  *out = (mote_friction_memory){.i = (uint32_t)i, .other = (uint32_t)j, .ball = ball};
  copy3(mote_store_f64(m->store, MOTE_FRICTION_SLIP) + 3 * k, out->slip);
  out->normal_force = mote_store_f64(m->store, MOTE_FRICTION_FORCE)[k];
  return true;
}

static bool is_of_lattice(const memories *m, const mote_friction_memory *memory) {
  return memory->i >= m->elastic || (memory->ball && memory->other >= m->elastic);
}

static bool comes_before(const mote_friction_memory *a, const mote_friction_memory *b) {
  if (a->i != b->i) return a->i < b->i;
  return a->ball != b->ball ? b->ball : a->other < b->other;
}

// By ascending (i, ball, other): rows of lattices change their places from step to step.
static void sort(mote_friction_memory *memory, size_t count) {
  for (size_t gap = count / 2; gap > 0; gap /= 2) {
    for (size_t k = gap; k < count; ++k) {
      mote_friction_memory own = memory[k];
      size_t at = k;
      for (; at >= gap && comes_before(&own, &memory[at - gap]); at -= gap) memory[at] = memory[at - gap];
      memory[at] = own;
    }
  }
}

mote_result mote_friction_load(mote_world *world, mote_elastic_contact *contact, bool lattice,
                               mote_error *error) {
  memories m;
  MOTE_TRY(open_table(world, &m, error));
  size_t count = m.store->count[0];
  MOTE_TRY(mote_reserve(&contact->env, &contact->memory, &contact->memory_capacity, count,
                        sizeof *contact->memory, error));
  contact->memories = 0;
  for (size_t k = 0; k < count; ++k) {
    mote_friction_memory memory;
    if (read(&m, k, &memory) && is_of_lattice(&m, &memory) == lattice)
      contact->memory[contact->memories++] = memory;
  }
  if (lattice) sort(contact->memory, contact->memories);
  return MOTE_OK;
}

static void write(const mote_world *world, mote_store *store, size_t k, const mote_friction_memory *m) {
  const uint64_t *id = mote_elastic_ids(world);
  mote_store_u64(store, MOTE_FRICTION_PARTICLE)[k] = id[m->i];
  mote_store_u64(store, MOTE_FRICTION_OTHER)[k] =
      m->ball ? id[m->other] : mote_obstacle_name(world, m->other);
  mote_store_u8(store, MOTE_FRICTION_IS_PARTICLE)[k] = m->ball;
  copy3(m->slip, mote_store_f64(store, MOTE_FRICTION_SLIP) + 3 * k);
  mote_store_f64(store, MOTE_FRICTION_FORCE)[k] = m->normal_force;
}

// The set's own, and behind them those of the other set.
mote_result mote_friction_save(mote_world *world, const mote_elastic_contact *contact, bool lattice,
                               mote_error *error) {
  memories m;
  mote_store *store = &world->now.store[MOTE_TABLE_FRICTION];
  size_t kept = 0, old = store->count[0];
  MOTE_TAKE_NEW(mote_friction_memory, others, &world->scratch, old + 1, error);
  if (mote_world_lattice_rows(world) > 0) {
    MOTE_TRY(open_table(world, &m, error));
    for (size_t k = 0; k < old; ++k) {
      if (read(&m, k, &others[kept]) && is_of_lattice(&m, &others[kept]) != lattice) ++kept;
    }
  }
  MOTE_TRY(mote_store_resize(store, 0, contact->memories + kept, error));
  for (size_t k = 0; k < contact->memories; ++k) write(world, store, k, &contact->memory[k]);
  for (size_t k = 0; k < kept; ++k) write(world, store, contact->memories + k, &others[k]);
  return MOTE_OK;
}
