// Rigid bodies before the pressure solve: velocities, gravity, and the predicted support by contacts. See
// rigid_bodies.h. Theory:
// docs/theory/bodies.md, "Fluids"
#include <string.h>

#include "base/parallel.h"
#include "geom/triple.h"
#include "kinds/rigid/rigid_bodies.h"
#include "kinds/rigid/tuning.inc"
#include "matter/bodies.h"
#include "matter/contact_names.h"

#define CONTACTS_PER_CHUNK 64

static void load_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const mote_world *world = data;
  const mote_store *store = &world->now.store[MOTE_TABLE_CONTACTS];
  for (size_t k = begin; k < end; ++k) {
    mote_contact *c = world->contacts.set.contact + k;
    *c = (mote_contact){.a = mote_obstacle_number(world, mote_store_u32(store, MOTE_CONTACT_A)[k]),
                        .b = mote_obstacle_number(world, mote_store_u32(store, MOTE_CONTACT_B)[k]),
                        .sample = mote_store_u32(store, MOTE_CONTACT_SAMPLE)[k],
                        .normal_impulse = mote_store_f64(store, MOTE_CONTACT_NORMAL_IMPULSE)[k]};
    copy3(mote_store_f64(store, MOTE_CONTACT_FRICTION_IMPULSE) + 3 * k, c->friction_impulse);
  }
}

mote_result mote_contacts_load(mote_world *world, mote_error *error) {
  MOTE_ASSERT(world->contacts.set.count <= world->contacts.set.capacity);
  mote_contact_set *set = &world->contacts.set;
  size_t count = world->now.store[MOTE_TABLE_CONTACTS].count[0];
  MOTE_TRY(mote_reserve(&world->env, &set->contact, &set->capacity, count, sizeof *set->contact, error));
  set->count = count;
  mote_parallel_for(world->env.threads, count, CONTACTS_PER_CHUNK, load_chunk, world);
  return MOTE_OK;
}

mote_result mote_rigid_keep_velocities(mote_world *world, mote_error *error) {
  const mote_store *store = &world->now.store[MOTE_TABLE_BODIES];
  size_t count = store->count[MOTE_GROUP_RIGID];
  MOTE_TAKE(world->contacts.velocity_before, &world->scratch, 3 * count, error);
  MOTE_TAKE(world->contacts.met, &world->scratch, 2 * count, error);
  world->contacts.pressed = world->contacts.met + count, world->contacts.given.count = 0;
  if (count > 0) memset(world->contacts.met, 0, 2 * count);
  if (count > 0)
    memcpy(world->contacts.velocity_before, mote_store_f64(store, MOTE_RIGID_VELOCITY),
           3 * count * sizeof(double));
  return MOTE_OK;
}

void mote_rigid_apply_gravity(mote_world *world) {
  MOTE_ASSERT(world->now.store[MOTE_TABLE_BODIES].count[MOTE_GROUP_RIGID] ==
              mote_world_items(world, MOTE_KIND_RIGID));
  const mote_store *store = &world->now.store[MOTE_TABLE_BODIES];
  for (size_t k = 0; k < store->count[MOTE_GROUP_RIGID]; ++k) {
    mote_rigid_add_gravity(&mote_rigid_at(world, k)->rigid,
                           mote_store_f64(store, MOTE_RIGID_ORIENTATION) + 4 * k, world->def.gravity,
                           world->dt, mote_store_f64(store, MOTE_RIGID_VELOCITY) + 3 * k,
                           mote_store_f64(store, MOTE_RIGID_MOMENTUM) + 3 * k);
  }
}

// The current contacts, with their impulses of the last step.
static mote_result find_contacts(mote_world *world, mote_contact_scene *scene, mote_error *error) {
  mote_contacts *contacts = &world->contacts;
  MOTE_TRY(mote_contacts_load(world, error));
  MOTE_TRY(mote_contact_obstacles(world, world->dt, scene, error));
  MOTE_TRY(mote_contact_find(contacts->finder, scene, NULL, &contacts->lasting, error));
  mote_contact_warm_start(scene->threads, &contacts->lasting, &contacts->set);
  return MOTE_OK;
}

// Adds the change of velocity and spin by an impulse applied at `arm`.
static void add_impulse(const mote_obstacle *s, const double arm[3], const double impulse[3], double factor,
                        double change[6]) {
  double twist[3], turn[3];
  cross3(arm, impulse, twist);
  turn3(s->inverse_inertia, twist, turn);
  step3(change, factor * s->inverse_mass, impulse, change);
  step3(change + 3, factor, turn, change + 3);
}

static void add_contact(const mote_contact_scene *scene, const mote_contact *c, double factor,
                        double *change) {
  double impulse[3], ra[3], rb[3];
  if (!(c->normal_impulse > 0.0)) return;
  step3(c->friction_impulse, c->normal_impulse, c->normal, impulse);
  mote_contact_arms(scene, c, ra, rb);
  if (c->a < scene->bodies) add_impulse(scene->obstacle + c->a, ra, impulse, factor, change + 6 * c->a);
  if (c->b < scene->bodies) add_impulse(scene->obstacle + c->b, rb, impulse, -factor, change + 6 * c->b);
}

// Limits the prediction to a small multiple of gravity, which supports resting bodies: impacts do not repeat.
static void limit(double change[6], double radius, double most) {
  double size = max2(length3(change), length3(change + 3) * radius);
  if (!(size > most)) return;
  for (int a = 0; a < 6; ++a) change[a] *= most / size;
}

mote_result mote_rigid_predict_contacts(mote_world *world, const double **out, mote_error *error) {
  MOTE_ASSERT(out != NULL);
  mote_contact_scene scene;
  double last = *mote_state_f64(&world->now, MOTE_WORLD_LENGTH);
  *out = NULL;
  if (world->now.store[MOTE_TABLE_CONTACTS].count[0] == 0 || !(last > 0.0)) return MOTE_OK;
  MOTE_TRY(find_contacts(world, &scene, error));
  MOTE_TAKE_NEW(double, change, &world->scratch, 6 * scene.bodies, error);
  for (size_t k = 0; k < 6 * scene.bodies; ++k) change[k] = 0.0;
  const mote_contact_set *set = &world->contacts.lasting;
  for (size_t k = 0; k < set->count; ++k) add_contact(&scene, set->contact + k, world->dt / last, change);
  for (size_t k = 0; k < scene.bodies; ++k) {
    limit(change + 6 * k, scene.obstacle[k].radius, SUPPORT_GRAVITY_MAX * scene.gravity * world->dt);
  }
  *out = change;
  return MOTE_OK;
}
