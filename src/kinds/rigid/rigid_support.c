// Predicts the support of bodies by contacts, for the pressure solve: see rigid_bodies.h. Theory:
// docs/theory/bodies.md, "Fluids"
#include "geom/triple.h"
#include "kinds/rigid/rigid_bodies.h"

// times gravity: the weight of a body, and of water above one that lies flush on a floor; chosen by eye
#define SUPPORT_GRAVITY_MAX 4.0

// The current contacts, with their impulses of the last step.
static mote_result find_contacts(mote_world *world, mote_contact_scene *scene, mote_error *error) {
  mote_contacts *contacts = &world->contacts;
  MOTE_TRY(mote_contacts_load(world, error));
  MOTE_TRY(mote_rigid_solids(world, world->dt, scene, error));
  MOTE_TRY(mote_contact_find(contacts->finder, scene, NULL, &contacts->lasting, error));
  mote_contact_warm_start(scene->threads, &contacts->lasting, &contacts->set);
  return MOTE_OK;
}

// Adds the change of velocity and spin by an impulse applied at `arm`.
static void add_impulse(const mote_solid *s, const double arm[3], const double impulse[3], double factor,
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
  if (c->a < scene->bodies) add_impulse(scene->solid + c->a, ra, impulse, factor, change + 6 * c->a);
  if (c->b < scene->bodies) add_impulse(scene->solid + c->b, rb, impulse, -factor, change + 6 * c->b);
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
    limit(change + 6 * k, scene.solid[k].radius, SUPPORT_GRAVITY_MAX * scene.gravity * world->dt);
  }
  *out = change;
  return MOTE_OK;
}
