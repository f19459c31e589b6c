// Multipliers of the contacts of elastic and lattice particles between steps: see elastic_bodies.h.
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

// The other side in the table: a particle's id, or an obstacle's name, above it the number of a sample
// plus 1.
#define SAMPLE_SHIFT 32

// Row k of the table; false: one side no longer exists.
static bool read(const memories *m, size_t k, mote_friction_memory *out) {
  bool particle = mote_store_u8(m->store, MOTE_FRICTION_IS_PARTICLE)[k] != 0;
  uint64_t other = mote_store_u64(m->store, MOTE_FRICTION_OTHER)[k], sample = other >> SAMPLE_SHIFT;
  size_t i = mote_id_map_find(&m->map, mote_store_u64(m->store, MOTE_FRICTION_PARTICLE)[k]);
  size_t j = particle ? mote_id_map_find(&m->map, other) : mote_obstacle_number(m->world, (uint32_t)other);
  if (i == SIZE_MAX || j >= UINT32_MAX) return false;
  *out = (mote_friction_memory){.i = (uint32_t)i, .other = (uint32_t)j};
  copy3(mote_store_f64(m->store, MOTE_FRICTION_SLIP) + 3 * k, out->tangent);
  out->normal = mote_store_f64(m->store, MOTE_FRICTION_FORCE)[k];
  if (particle) {
    out->meets = MOTE_MEETS_FACE;
  } else if (sample > 0) {
    out->meets = MOTE_MEETS_SAMPLE, out->sample = (uint32_t)(sample - 1);
  }
  return true;
}

static bool has_particle(const mote_friction_memory *memory) {
  return memory->meets == MOTE_MEETS_FACE;
}

static bool is_of_lattice(const memories *m, const mote_friction_memory *memory) {
  return memory->i >= m->elastic || (has_particle(memory) && memory->other >= m->elastic);
}

mote_result mote_friction_load(mote_world *world, mote_elastic_contact *contact, mote_error *error) {
  bool all = contact->count > mote_world_elastic_rows(world);
  memories m;
  MOTE_TRY(open_table(world, &m, error));
  size_t count = m.store->count[0];
  MOTE_TRY(mote_reserve(&contact->env, &contact->memory, &contact->memory_capacity, count,
                        sizeof *contact->memory, error));
  contact->memories = 0;
  for (size_t k = 0; k < count; ++k) {
    mote_friction_memory memory;
    if (read(&m, k, &memory) && (all || !is_of_lattice(&m, &memory)))
      contact->memory[contact->memories++] = memory;
  }
  mote_friction_memory_sort(contact->memory, contact->memories);
  return MOTE_OK;
}

static void write(const mote_world *world, mote_store *store, size_t k, const mote_friction_memory *m) {
  const uint64_t *id = mote_elastic_ids(world);
  mote_store_u64(store, MOTE_FRICTION_PARTICLE)[k] = id[m->i];
  uint64_t other = has_particle(m) ? id[m->other] : mote_obstacle_name(world, m->other);
  if (m->meets == MOTE_MEETS_SAMPLE) other |= ((uint64_t)m->sample + 1) << SAMPLE_SHIFT;
  mote_store_u64(store, MOTE_FRICTION_OTHER)[k] = other;
  mote_store_u8(store, MOTE_FRICTION_IS_PARTICLE)[k] = has_particle(m);
  copy3(m->tangent, mote_store_f64(store, MOTE_FRICTION_SLIP) + 3 * k);
  mote_store_f64(store, MOTE_FRICTION_FORCE)[k] = m->normal;
}

// The set's own, and behind them those of lattices, where they are not among them.
mote_result mote_friction_save(mote_world *world, const mote_elastic_contact *contact, mote_error *error) {
  memories m;
  mote_store *store = &world->now.store[MOTE_TABLE_FRICTION];
  size_t kept = 0, old = store->count[0];
  MOTE_TAKE_NEW(mote_friction_memory, others, &world->scratch, old + 1, error);
  if (contact->count < mote_world_elastic_rows(world) + mote_world_lattice_rows(world)) {
    MOTE_TRY(open_table(world, &m, error));
    for (size_t k = 0; k < old; ++k) {
      if (read(&m, k, &others[kept]) && is_of_lattice(&m, &others[kept])) ++kept;
    }
  }
  MOTE_TRY(mote_store_resize(store, 0, contact->memories + kept, error));
  for (size_t k = 0; k < contact->memories; ++k) write(world, store, k, &contact->memory[k]);
  for (size_t k = 0; k < kept; ++k) write(world, store, contact->memories + k, &others[k]);
  return MOTE_OK;
}
