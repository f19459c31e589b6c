// Contact of elastic bodies in a step: with walls, colliders, rigid bodies, each other and themselves. See
// elastic_bodies.h; theory: docs/theory/solids.md
#include <string.h>

#include "geom/triple.h"
#include "matter/bodies.h"
#include "matter/elastic_bodies.h"
#include "matter/rigid_bodies.h"
#include "particles/id_map.h"

// --- Friction memory ---------------------------------------------------------------------------------

// Memories of what is gone are lost with it.
static mote_result load_memory(mote_world *world, mote_error *error) {
  const mote_store *store = &world->now.store[MOTE_TABLE_FRICTION];
  mote_elastic_contact *contact = world->elastic_bodies.contact;
  mote_id_map map;
  size_t count = store->count[0];
  MOTE_TRY(mote_reserve(&contact->env, &contact->memory, &contact->memory_capacity, count,
                        sizeof *contact->memory, error));
  MOTE_TRY(mote_id_map_make(mote_elastic_ids(world), mote_world_elastic_rows(world), world->env.threads,
                            &world->scratch, &map, error));
  contact->memories = 0;
  for (size_t k = 0; k < count; ++k) {
    bool ball = mote_store_u8(store, MOTE_FRICTION_IS_PARTICLE)[k] != 0;
    uint64_t other = mote_store_u64(store, MOTE_FRICTION_OTHER)[k];
    size_t i = mote_id_map_find(&map, mote_store_u64(store, MOTE_FRICTION_PARTICLE)[k]);
    size_t j = ball ? mote_id_map_find(&map, other) : mote_solid_number(world, (uint32_t)other);
    if (i == SIZE_MAX || j >= UINT32_MAX) continue;
    mote_friction_memory *memory = &contact->memory[contact->memories++];
    *memory = (mote_friction_memory){.i = (uint32_t)i, .other = (uint32_t)j, .ball = ball};
    copy3(mote_store_f64(store, MOTE_FRICTION_SLIP) + 3 * k, memory->slip);
  }
  return MOTE_OK;
}

static mote_result save_memory(mote_world *world, mote_error *error) {
  mote_store *store = &world->now.store[MOTE_TABLE_FRICTION];
  const mote_elastic_contact *contact = world->elastic_bodies.contact;
  const uint64_t *id = mote_elastic_ids(world);
  MOTE_TRY(mote_store_resize(store, 0, contact->memories, error));
  for (size_t k = 0; k < contact->memories; ++k) {
    const mote_friction_memory *m = contact->memory + k;
    mote_store_u64(store, MOTE_FRICTION_PARTICLE)[k] = id[m->i];
    mote_store_u64(store, MOTE_FRICTION_OTHER)[k] = m->ball ? id[m->other] : mote_solid_name(world, m->other);
    mote_store_u8(store, MOTE_FRICTION_IS_PARTICLE)[k] = m->ball;
    copy3(m->slip, mote_store_f64(store, MOTE_FRICTION_SLIP) + 3 * k);
  }
  return MOTE_OK;
}

// --- A step -------------------------------------------------------------------------------------------

static mote_result clear_forces(mote_elastic_contact *contact, size_t solids, mote_error *error) {
  size_t count = 3 * (solids + contact->parts);
  MOTE_TRY(mote_reserve(&contact->env, &contact->total_force, &contact->total_capacity, count,
                        sizeof *contact->total_force, error));
  contact->force_solids = solids;
  memset(contact->total_force, 0, count * sizeof *contact->total_force);
  return MOTE_OK;
}

// Each pair of particles has a record from both ends.
static void add_forces(mote_elastic_contact *contact, double dt) {
  for (size_t k = 0; k < contact->records; ++k) {
    const mote_elastic_contact_record *t = contact->record + k;
    double *body = contact->total_force + 3 * (contact->force_solids + contact->part_of[t->i]);
    step3(body, 1.0 / dt, t->impulse, body);
    if (t->ball) continue;
    double *solid = contact->total_force + 3 * (size_t)t->other;
    step3(solid, -1.0 / dt, t->impulse, solid);
  }
}

mote_result mote_elastic_contact_stage_begin(mote_world *world, const uint8_t *member, double travel,
                                             mote_error *error) {
  MOTE_ASSERT(world->elastic_bodies.contact != NULL);
  MOTE_ASSERT(travel >= 0.0);
  mote_contact_scene scene;
  MOTE_TRY(load_memory(world, error));
  MOTE_TRY(mote_rigid_solids(world, world->dt, &scene, error));  // velocities already include gravity
  copy3(world->def.gravity, world->elastic_bodies.contact->applied_gravity);
  world->elastic_bodies.contact->stepped = member;
  MOTE_TRY(mote_elastic_contact_find(world->elastic_bodies.contact, &scene, mote_elastic_positions(world),
                                     travel, error));
  if (member != NULL) return MOTE_OK;
  world->report.elastic_contacts = world->elastic_bodies.contact->records;
  return clear_forces(world->elastic_bodies.contact, scene.solids, error);
}

mote_result mote_elastic_contact_stage_end(mote_world *world, mote_error *error) {
  MOTE_ASSERT(world->elastic_bodies.contact != NULL);
  const mote_store *rigid = &world->now.store[MOTE_TABLE_BODIES];
  mote_elastic_contact *contact = world->elastic_bodies.contact;
  MOTE_TRY(mote_elastic_contact_end(contact, mote_elastic_positions(world), error));
  add_forces(contact, world->dt);
  for (size_t m = 0; m < contact->movers; ++m) {
    const mote_elastic_contact_mover *mover = contact->mover + m;
    const mote_rigid *body = &mote_rigid_at(world, mover->solid)->rigid;
    double *v = mote_store_f64(rigid, MOTE_RIGID_VELOCITY) + 3 * mover->solid;
    double *x = mote_store_f64(rigid, MOTE_RIGID_POSITION) + 3 * mover->solid;
    double *q = mote_store_f64(rigid, MOTE_RIGID_ORIENTATION) + 4 * mover->solid;
    step3(v, body->inverse_mass, mover->impulse, v);
    mote_rigid_add_angular_impulse(body, q, mover->twist,
                                   mote_store_f64(rigid, MOTE_RIGID_MOMENTUM) + 3 * mover->solid);
    // The displacement that the final velocities do not account for: explicit steps had varying velocities.
    step3(x, 1.0, mover->shift, x);
    mote_rigid_rotate(mover->turn, q);
  }
  return save_memory(world, error);
}
