// The solids of a world for the contact solver: see rigid_bodies.h.
#include <math.h>

#include "base/parallel.h"
#include "kinds/rigid/rigid_bodies.h"
#include "matter/collider_images.h"
#include "matter/colliders.h"

#define BODIES_PER_CHUNK 64
#define SAG 0.1  // spacings; chosen by eye

static const mote_store *bodies(const mote_world *world) {
  return &world->now.store[MOTE_TABLE_BODIES];
}

mote_pose mote_rigid_body_pose(const mote_world *world, size_t k) {
  return mote_rigid_pose(&mote_rigid_at(world, k)->rigid,
                         mote_store_f64(bodies(world), MOTE_RIGID_POSITION) + 3 * k,
                         mote_store_f64(bodies(world), MOTE_RIGID_ORIENTATION) + 4 * k);
}

// The velocity added by gravity in this step; 0 if anything else has changed it.
static void find_kick(const mote_world *world, size_t k, double seconds, mote_solid *solid) {
  const double *before = world->contacts.velocity_before;
  double fallen[3];
  if (before == NULL || !(solid->inverse_mass > 0.0)) return;
  step3(before + 3 * k, seconds, world->def.gravity, fallen);
  bool alone = fallen[0] == solid->v[0] && fallen[1] == solid->v[1] && fallen[2] == solid->v[2];
  for (int a = 0; a < 3 && alone; ++a) solid->kick[a] = seconds * world->def.gravity[a];
}

mote_solid mote_rigid_body_solid(const mote_world *world, size_t k, double seconds) {
  const mote_rigid_item *item = mote_rigid_at(world, k);
  const double *x = mote_store_f64(bodies(world), MOTE_RIGID_POSITION) + 3 * k;
  const double *q = mote_store_f64(bodies(world), MOTE_RIGID_ORIENTATION) + 4 * k;
  const double *v = mote_store_f64(bodies(world), MOTE_RIGID_VELOCITY) + 3 * k;
  mote_solid solid = {.shape = item->shape,
                      .skin = &item->skin,
                      .pose = mote_rigid_body_pose(world, k),
                      .inverse_mass = item->rigid.inverse_mass,
                      .radius = item->radius,
                      .dt = seconds,
                      .friction = item->friction,
                      .restitution = item->restitution};
  for (int a = 0; a < 3; ++a) solid.x[a] = x[a], solid.v[a] = v[a];
  mote_rigid_inverse_inertia(&item->rigid, q, solid.inverse_inertia);
  mote_rigid_spin(&item->rigid, q, mote_store_f64(bodies(world), MOTE_RIGID_MOMENTUM) + 3 * k, solid.w);
  find_kick(world, k, seconds, &solid);
  if (world->contacts.pressed != NULL && world->contacts.pressed[k] != 0) solid.restitution = 0.0;
  return solid;
}

static mote_solid obstacle(const mote_shape *shape, double seconds) {
  return (mote_solid){.shape = shape,
                      .pose = mote_pose_identity(),
                      .radius = HUGE_VAL,
                      .dt = seconds,
                      .friction = (double)NAN,
                      .restitution = (double)NAN};
}

// The image that is nearest; bodies look beyond the sides of the domain for others.
static mote_solid collider_solid(const mote_world *world, const mote_collider_item *item, double t,
                                 double seconds) {
  mote_solid solid = obstacle(item->shape, seconds);
  if (!item->moves) return solid;
  mote_pose now = mote_motion_at(item->motion, t), after = mote_motion_at(item->motion, t + seconds);
  double shift[3];
  mote_collider_nearest_image(world, item, &now, shift);
  solid.pose = now;
  for (int a = 0; a < 3; ++a) {
    solid.pose.move[a] += shift[a];
    solid.x[a] = solid.pose.pivot[a] + solid.pose.move[a];
  }
  if (seconds > 0.0) mote_pose_rates(&now, &after, seconds, solid.v, solid.w);
  return solid;
}

size_t mote_rigid_obstacles(const mote_world *world, double seconds, mote_solid *out) {
  double t = *mote_state_f64(&world->now, MOTE_WORLD_TIME);
  size_t n = 0;
  for (int s = 0; s < 6; ++s) {
    if (world->contacts.side[s] != NULL) out[n++] = obstacle(world->contacts.side[s], seconds);
  }
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_COLLIDER); ++k) {
    out[n++] = collider_solid(world, mote_collider_at(world, k), t, seconds);
  }
  return n;
}

mote_contact_scene mote_rigid_scene(const mote_world *world, double seconds) {
  const double *g = world->def.gravity;
  const bool *periodic = world->domain.periodic;
  return (mote_contact_scene){.solid = world->contacts.solid,
                              .dt = seconds,
                              .spacing = world->def.spacing,
                              .gravity = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]),
                              .dimensions = world->def.dimensions,
                              .threads = world->env.threads,
                              .domain = periodic[0] || periodic[1] || periodic[2] ? &world->domain : NULL};
}

mote_result mote_rigid_reserve(mote_world *world, mote_error *error) {
  MOTE_ASSERT(mote_world_items(world, MOTE_KIND_RIGID) <= UINT32_MAX);
  mote_contacts *contacts = &world->contacts;
  size_t count = mote_world_items(world, MOTE_KIND_RIGID) + 6 + mote_world_items(world, MOTE_ITEM_COLLIDER);
  return mote_reserve(&world->env, &contacts->solid, &contacts->solid_capacity, count,
                      sizeof *contacts->solid, error);
}

typedef struct solids_job {
  const mote_world *world;
  double seconds;
} solids_job;

static void solids_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const solids_job *job = data;
  mote_solid *solid = job->world->contacts.solid;
  for (size_t k = begin; k < end; ++k) solid[k] = mote_rigid_body_solid(job->world, k, job->seconds);
}

mote_result mote_rigid_solids(mote_world *world, double seconds, mote_contact_scene *scene,
                              mote_error *error) {
  size_t count = mote_world_items(world, MOTE_KIND_RIGID);
  MOTE_TRY(mote_rigid_reserve(world, error));
  *scene = mote_rigid_scene(world, seconds);
  solids_job job = {world, seconds};
  mote_parallel_for(world->env.threads, count, BODIES_PER_CHUNK, solids_chunk, &job);
  scene->bodies = count;
  scene->solids = count + mote_rigid_obstacles(world, seconds, scene->solid + count);
  return MOTE_OK;
}

// --- Turning bodies -----------------------------------------------------------------------------------

// A point at distance R from the axis leaves its straight path by R angle^2 / 2.
static double spin_limit(const mote_world *world, size_t k) {
  const mote_rigid_item *item = mote_rigid_at(world, k);
  double spin[3];
  if (item->skin.count == 1 && item->skin.sample[0].ring == 0.0) return HUGE_VAL;  // a ball
  mote_rigid_spin(&item->rigid, mote_store_f64(bodies(world), MOTE_RIGID_ORIENTATION) + 4 * k,
                  mote_store_f64(bodies(world), MOTE_RIGID_MOMENTUM) + 3 * k, spin);
  return sqrt(2.0 * SAG * world->def.spacing / item->radius) / max2(length3(spin), 1e-300);
}

static bool may_meet(const mote_contact_scene *scene, size_t k) {
  const mote_solid *s = scene->solid + k;
  double reach = s->radius + scene->dt * length3(s->v) + SAG * scene->spacing, between[3];
  for (size_t j = 0; j < scene->solids; ++j) {
    const mote_solid *other = scene->solid + j;
    if (j == k) continue;
    double path =
        reach + (j < scene->bodies ? scene->dt * length3(other->v) : mote_solid_travel(other, s->x, reach));
    if (isfinite(other->radius)) {
      mote_contact_between(scene, s->x, other->x, between);
      if (length3(between) < path + other->radius) return true;
    } else if (mote_solid_distance(other, 0.0, s->x, NULL) < path) {
      return true;
    }
  }
  return false;
}

mote_result mote_rigid_spin_limit(mote_world *world, double *longest, mote_error *error) {
  MOTE_ASSERT(longest != NULL && *longest > 0.0);
  mote_contact_scene scene = {0};
  double least = *longest;
  for (size_t k = 0; k < mote_world_items(world, MOTE_KIND_RIGID); ++k) {
    double limit = spin_limit(world, k);
    if (!(limit < least)) continue;
    if (scene.solids == 0) MOTE_TRY(mote_rigid_solids(world, *longest, &scene, error));
    if (may_meet(&scene, k)) least = limit;
  }
  *longest = least;
  return MOTE_OK;
}

void mote_contacts_free(mote_contacts *contacts, const mote_env *env) {
  for (int s = 0; s < 6; ++s) mote_shape_destroy(contacts->side[s]);
  mote_contact_finder_destroy(contacts->finder);
  mote_free(env, contacts->solid, contacts->solid_capacity, sizeof *contacts->solid);
  mote_free(env, contacts->set.contact, contacts->set.capacity, sizeof *contacts->set.contact);
  mote_free(env, contacts->fluid_impulse, contacts->fluid_impulse_capacity, sizeof *contacts->fluid_impulse);
  mote_free(env, contacts->wall_probe, contacts->wall_probe_capacity, sizeof *contacts->wall_probe);
  mote_free(env, contacts->lasting.contact, contacts->lasting.capacity, sizeof *contacts->lasting.contact);
  *contacts = (mote_contacts){0};
}
