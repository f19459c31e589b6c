// Contact of elastic bodies in a step: with walls, colliders, rigid bodies, each other and themselves. See
// elastic_bodies.h; theory: docs/theory/elastic.md
#include <inttypes.h>
#include <string.h>

#include "geom/triple.h"
#include "kinds/elastic/elastic_bodies.h"
#include "kinds/rigid/rigid_bodies.h"
#include "matter/bodies.h"

// --- A step -------------------------------------------------------------------------------------------

static mote_result clear_forces(mote_elastic_contact *contact, size_t obstacles, mote_error *error) {
  size_t count = 3 * (obstacles + contact->parts);
  MOTE_TRY(mote_reserve(&contact->env, &contact->total_force, &contact->total_capacity, count,
                        sizeof *contact->total_force, error));
  contact->force_obstacles = obstacles;
  memset(contact->total_force, 0, count * sizeof *contact->total_force);
  return MOTE_OK;
}

static void add_force(mote_elastic_contact *to, size_t place, double share, const double impulse[3]) {
  step3(to->total_force + 3 * place, share, impulse, to->total_force + 3 * place);
}

// Forces on elastic bodies, and theirs on obstacles, of a set whose first parts they are.
static void add_forces(mote_elastic_contact *to, const mote_elastic_contact *set, double dt) {
  for (size_t k = 0; k < set->records - set->rigids; ++k) {
    const mote_elastic_contact_record *t = set->record + k;
    bool face = t->meets == MOTE_MEETS_FACE, of_body = set->part_of[t->i] < to->parts;
    if (of_body) add_force(to, to->force_obstacles + set->part_of[t->i], 1.0 / dt, t->impulse);
    if (face && set->part_of[t->other] < to->parts)
      add_force(to, to->force_obstacles + set->part_of[t->other], -1.0 / dt, t->impulse);
    if (!face && of_body) add_force(to, t->other, -1.0 / dt, t->impulse);
  }
}

mote_result mote_elastic_contact_stage_find(mote_world *world, mote_elastic_contact *set,
                                            const uint8_t *member, double travel, mote_contact_scene *scene,
                                            mote_error *error) {
  MOTE_ASSERT(set != NULL);
  MOTE_TRY(mote_friction_load(world, set, error));
  MOTE_TRY(mote_contacts_load(world, error));
  MOTE_TRY(mote_contact_obstacles(world, world->dt, scene, error));  // velocities already include gravity
  copy3(world->def.gravity, set->applied_gravity);
  set->stepped = member;
  set->former = &world->contacts.set, set->former_tick = *mote_state_f64(&world->now, MOTE_WORLD_LENGTH);
  return mote_elastic_contact_find(set, scene, mote_elastic_positions(world), travel, error);
}

mote_result mote_elastic_contact_stage_begin(mote_world *world, const uint8_t *member, double travel,
                                             bool first, mote_error *error) {
  MOTE_ASSERT(world->elastic_bodies.contact != NULL);
  MOTE_ASSERT(travel >= 0.0);
  mote_contact_scene scene;
  mote_elastic_contact *contact = world->elastic_bodies.contact;
  MOTE_TRY(mote_elastic_contact_stage_find(world, contact, member, travel, &scene, error));
  if (!first) return MOTE_OK;
  world->report.elastic_contacts = contact->records - contact->rigids;
  return clear_forces(contact, scene.obstacles, error);
}

static void apply(mote_world *world, const mote_elastic_contact *contact) {
  const mote_store *rigid = &world->now.store[MOTE_TABLE_BODIES];
  for (size_t m = 0; m < contact->movers; ++m) {
    const mote_elastic_contact_mover *mover = contact->mover + m;
    const mote_rigid *body = &mote_rigid_at(world, mover->obstacle)->rigid;
    double *v = mote_store_f64(rigid, MOTE_RIGID_VELOCITY) + 3 * mover->obstacle;
    double *x = mote_store_f64(rigid, MOTE_RIGID_POSITION) + 3 * mover->obstacle;
    double *q = mote_store_f64(rigid, MOTE_RIGID_ORIENTATION) + 4 * mover->obstacle;
    step3(v, body->inverse_mass, mover->impulse, v);
    mote_rigid_add_angular_impulse(body, q, mover->twist,
                                   mote_store_f64(rigid, MOTE_RIGID_MOMENTUM) + 3 * mover->obstacle);
    // The displacement that the final velocities do not account for: explicit steps had varying velocities.
    step3(x, 1.0, mover->shift, x);
    mote_rigid_rotate(mover->turn, q);
    if (world->contacts.met == NULL) continue;
    world->contacts.met[mover->obstacle] = 1;
    world->contacts.pressed[mover->obstacle] |= mover->pressed;
  }
}

static mote_result give_contacts(mote_world *world, const mote_elastic_contact *set, mote_error *error) {
  mote_contact_set *given = &world->contacts.given;
  size_t count = given->count + set->rigids;
  MOTE_TRY(
      mote_reserve(&world->env, &given->contact, &given->capacity, count, sizeof *given->contact, error));
  for (size_t k = 0; k < set->rigids; ++k) {
    if (set->rigid[k].normal_impulse > 0.0) given->contact[given->count++] = set->rigid[k];
  }
  return MOTE_OK;
}

// What is pressed between obstacles may bear no more: then no impulses keep it out of them.
static mote_result check_overlaps(mote_world *world, mote_elastic_contact *set, mote_error *error) {
  const mote_store *store = mote_world_store(world);
  size_t elastic = mote_world_elastic_rows(world), i = 0;
  MOTE_TAKE_NEW(uint8_t, held, &world->scratch, set->count, error);
  memset(held, 0, set->count);
  if (world->elastic_bodies.has_holds) memcpy(held, mote_store_u8(store, MOTE_ELASTIC_HOLD), elastic);
  if (set->count > elastic)
    memcpy(held + elastic, mote_store_u8(store, MOTE_LATTICE_HOLD), set->count - elastic);
  double most =
      mote_elastic_contact_squeezed(set, mote_elastic_positions(world), held, world->def.spacing, &i);
  if (most == 0.0) return MOTE_OK;
  return mote_fail(error, MOTE_ERROR_NUMERIC,
                   "particle %" PRIu64
                   " is pressed %.2g spacings into a wall, a collider or a rigid body: it is squeezed "
                   "beyond what it bears",
                   mote_elastic_ids(world)[i], most / world->def.spacing);
}

mote_result mote_elastic_contact_stage_end(mote_world *world, mote_elastic_contact *set, mote_error *error) {
  MOTE_TRY(check_overlaps(world, set, error));
  MOTE_TRY(mote_elastic_contact_end(set, error));
  if (world->elastic_bodies.contact != NULL) add_forces(world->elastic_bodies.contact, set, world->dt);
  apply(world, set);
  MOTE_TRY(give_contacts(world, set, error));
  return mote_friction_save(world, set, error);
}
