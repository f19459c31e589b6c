// The obstacles of a world for the contact solver: see rigid_bodies.h.
#include <math.h>

#include "base/parallel.h"
#include "kinds/rigid/rigid_bodies.h"
#include "kinds/rigid/tuning.inc"
#include "matter/collider_images.h"
#include "matter/colliders.h"

#define BODIES_PER_CHUNK 64

static const mote_store *bodies(const mote_world *world) {
  return &world->now.store[MOTE_TABLE_BODIES];
}

mote_pose mote_rigid_body_pose(const mote_world *world, size_t k) {
  return mote_rigid_pose(&mote_rigid_at(world, k)->rigid,
                         mote_store_f64(bodies(world), MOTE_RIGID_POSITION) + 3 * k,
                         mote_store_f64(bodies(world), MOTE_RIGID_ORIENTATION) + 4 * k);
}

// The velocity added by gravity in this step; 0 if anything else has changed it.
static void find_kick(const mote_world *world, size_t k, double seconds, mote_obstacle *obstacle) {
  const double *before = world->contacts.velocity_before;
  double fallen[3];
  if (before == NULL || !(obstacle->inverse_mass > 0.0)) return;
  step3(before + 3 * k, seconds, world->def.gravity, fallen);
  bool alone = fallen[0] == obstacle->v[0] && fallen[1] == obstacle->v[1] && fallen[2] == obstacle->v[2];
  for (int a = 0; a < 3 && alone; ++a) obstacle->kick[a] = seconds * world->def.gravity[a];
}

mote_obstacle mote_rigid_body_obstacle(const mote_world *world, size_t k, double seconds) {
  const mote_rigid_item *item = mote_rigid_at(world, k);
  const mote_material_def *material = &mote_material_at(world, item->material)->def;
  const double *x = mote_store_f64(bodies(world), MOTE_RIGID_POSITION) + 3 * k;
  const double *q = mote_store_f64(bodies(world), MOTE_RIGID_ORIENTATION) + 4 * k;
  const double *v = mote_store_f64(bodies(world), MOTE_RIGID_VELOCITY) + 3 * k;
  mote_obstacle obstacle = {.shape = item->shape,
                            .contact_samples = &item->contact_samples,
                            .pose = mote_rigid_body_pose(world, k),
                            .inverse_mass = item->rigid.inverse_mass,
                            .radius = item->radius,
                            .dt = seconds,
                            .friction = material->friction,
                            .restitution = material->restitution};
  for (int a = 0; a < 3; ++a) obstacle.x[a] = x[a], obstacle.v[a] = v[a];
  mote_rigid_inverse_inertia(&item->rigid, q, obstacle.inverse_inertia);
  mote_rigid_spin(&item->rigid, q, mote_store_f64(bodies(world), MOTE_RIGID_MOMENTUM) + 3 * k, obstacle.w);
  find_kick(world, k, seconds, &obstacle);
  if (world->contacts.pressed != NULL && world->contacts.pressed[k] != 0) obstacle.restitution = 0.0;
  return obstacle;
}

static mote_obstacle fixed_obstacle(const mote_shape *shape, double seconds) {
  return (mote_obstacle){.shape = shape,
                         .pose = mote_pose_identity(),
                         .radius = HUGE_VAL,
                         .dt = seconds,
                         .friction = (double)NAN,
                         .restitution = (double)NAN};
}

// The image that is nearest; bodies look beyond the sides of the domain for others.
static mote_obstacle collider_obstacle(const mote_world *world, const mote_collider_item *item, double t,
                                       double seconds) {
  mote_obstacle obstacle = fixed_obstacle(item->shape, seconds);
  if (!item->moves) return obstacle;
  mote_pose now = mote_motion_at(item->motion, t), after = mote_motion_at(item->motion, t + seconds);
  double shift[3];
  mote_collider_nearest_image(world, item, &now, shift);
  obstacle.pose = now;
  for (int a = 0; a < 3; ++a) {
    obstacle.pose.move[a] += shift[a];
    obstacle.x[a] = obstacle.pose.pivot[a] + obstacle.pose.move[a];
  }
  if (seconds > 0.0) mote_pose_rates(&now, &after, seconds, obstacle.v, obstacle.w);
  return obstacle;
}

size_t mote_fixed_obstacles(const mote_world *world, double seconds, mote_obstacle *out) {
  double t = *mote_state_f64(&world->now, MOTE_WORLD_TIME);
  size_t n = 0;
  for (int s = 0; s < 6; ++s) {
    if (world->contacts.side[s] != NULL) out[n++] = fixed_obstacle(world->contacts.side[s], seconds);
  }
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_COLLIDER); ++k) {
    out[n++] = collider_obstacle(world, mote_collider_at(world, k), t, seconds);
  }
  return n;
}

mote_contact_scene mote_rigid_scene(const mote_world *world, double seconds) {
  const double *g = world->def.gravity;
  const bool *periodic = world->domain.periodic;
  return (mote_contact_scene){.obstacle = world->contacts.obstacle,
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
  return mote_reserve(&world->env, &contacts->obstacle, &contacts->obstacle_capacity, count,
                      sizeof *contacts->obstacle, error);
}

typedef struct obstacles_job {
  const mote_world *world;
  double seconds;
} obstacles_job;

static void obstacles_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const obstacles_job *job = data;
  mote_obstacle *obstacle = job->world->contacts.obstacle;
  for (size_t k = begin; k < end; ++k) obstacle[k] = mote_rigid_body_obstacle(job->world, k, job->seconds);
}

mote_result mote_contact_obstacles(mote_world *world, double seconds, mote_contact_scene *scene,
                                   mote_error *error) {
  size_t count = mote_world_items(world, MOTE_KIND_RIGID);
  MOTE_TRY(mote_rigid_reserve(world, error));
  *scene = mote_rigid_scene(world, seconds);
  obstacles_job job = {world, seconds};
  mote_parallel_for(world->env.threads, count, BODIES_PER_CHUNK, obstacles_chunk, &job);
  scene->bodies = count;
  scene->obstacles = count + mote_fixed_obstacles(world, seconds, scene->obstacle + count);
  return MOTE_OK;
}

// --- Turning bodies -----------------------------------------------------------------------------------

// A point at distance R from the axis leaves its straight path by R angle^2 / 2.
static double spin_limit(const mote_world *world, size_t k) {
  const mote_rigid_item *item = mote_rigid_at(world, k);
  double spin[3];
  if (item->contact_samples.count == 1 && item->contact_samples.sample[0].ring == 0.0)
    return HUGE_VAL;  // a ball
  mote_rigid_spin(&item->rigid, mote_store_f64(bodies(world), MOTE_RIGID_ORIENTATION) + 4 * k,
                  mote_store_f64(bodies(world), MOTE_RIGID_MOMENTUM) + 3 * k, spin);
  return sqrt(2.0 * ROTATION_SAG_MAX * world->def.spacing / item->radius) / max2(length3(spin), 1e-300);
}

static bool may_meet(const mote_contact_scene *scene, size_t k) {
  const mote_obstacle *s = scene->obstacle + k;
  double reach = s->radius + scene->dt * length3(s->v) + ROTATION_SAG_MAX * scene->spacing, between[3];
  for (size_t j = 0; j < scene->obstacles; ++j) {
    const mote_obstacle *other = scene->obstacle + j;
    if (j == k) continue;
    double path = reach + (j < scene->bodies ? scene->dt * length3(other->v)
                                             : mote_obstacle_travel(other, s->x, reach));
    if (isfinite(other->radius)) {
      mote_contact_between(scene, s->x, other->x, between);
      if (length3(between) < path + other->radius) return true;
    } else if (mote_obstacle_distance(other, 0.0, s->x, NULL) < path) {
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
    if (scene.obstacles == 0) MOTE_TRY(mote_contact_obstacles(world, *longest, &scene, error));
    if (may_meet(&scene, k)) least = limit;
  }
  *longest = least;
  return MOTE_OK;
}

void mote_contacts_free(mote_contacts *contacts, const mote_env *env) {
  for (int s = 0; s < 6; ++s) mote_shape_destroy(contacts->side[s]);
  mote_contact_finder_destroy(contacts->finder);
  mote_free(env, contacts->obstacle, contacts->obstacle_capacity, sizeof *contacts->obstacle);
  mote_free(env, contacts->set.contact, contacts->set.capacity, sizeof *contacts->set.contact);
  mote_free(env, contacts->fluid_impulse, contacts->fluid_impulse_capacity, sizeof *contacts->fluid_impulse);
  mote_free(env, contacts->wall_probe, contacts->wall_probe_capacity, sizeof *contacts->wall_probe);
  mote_free(env, contacts->given.contact, contacts->given.capacity, sizeof *contacts->given.contact);
  mote_free(env, contacts->lasting.contact, contacts->lasting.capacity, sizeof *contacts->lasting.contact);
  *contacts = (mote_contacts){0};
}
