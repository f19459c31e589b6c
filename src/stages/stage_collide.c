// Stage collide: keeps particles out of walls and colliders (things/collide.h) and wraps periodic positions.
// Writes position, velocity, the distance to the nearest wall; gives bodies the impulses of contact.
#include "base/parallel.h"
#include "kinds/rigid/rigid_bodies.h"
#include "matter/collider_images.h"
#include "matter/colliders.h"
#include "matter/ledger.h"
#include "search/domain.h"
#include "stages/stages.h"
#include "things/tuning.inc"

#define PARTICLES_PER_TASK 4096  // particles of one task

typedef struct wrapper {
  const mote_domain *domain;
  double *position;
  float *velocity;
} wrapper;

static void wrap_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const wrapper *w = data;
  for (size_t i = begin; i < end; ++i) {
    mote_domain_wrap(w->domain, w->position + 3 * i);
    if (w->domain->dimensions == 2) w->velocity[3 * i + 2] = 0.0f;
  }
}

static mote_result collide(mote_world *world, bool gives_impulses, mote_error *error) {
  const mote_store *store = mote_world_store(world);
  mote_collision collision = {
      .domain = &world->domain,
      .images_reach = mote_collider_images_reach(world),
      .clearance = MOTE_COLLIDE_CLEARANCE * world->def.spacing,
      .threads = world->env.threads,
      .count = mote_world_fluid_rows(world),
      .from = world->from,
      .position = mote_store_f64(store, MOTE_PARTICLE_POSITION),
      .velocity = mote_store_f32(store, MOTE_PARTICLE_VELOCITY),
      .wall_distance = mote_store_f32(store, MOTE_PARTICLE_WALL_DISTANCE),
  };
  if (collision.count == 0) return MOTE_OK;
  MOTE_TRY(mote_colliders_obstacles(world, world->dt, &collision.obstacles, error));
  collision.obstacle = world->obstacle;
  if (gives_impulses) MOTE_TRY(mote_rigid_fluid_impulses_begin(world, &collision, error));
  if (collision.obstacles > 0) (void)mote_collide(&collision);
  if (gives_impulses) MOTE_TRY(mote_rigid_fluid_impulses_apply(world, &collision, error));
  if (gives_impulses) mote_ledger_book(world, MOTE_LEDGER_COLLIDE);
  wrapper w = {&world->domain, collision.position, collision.velocity};
  mote_parallel_for(world->env.threads, collision.count, PARTICLES_PER_TASK, wrap_chunk, &w);
  return MOTE_OK;
}

mote_result mote_stage_collide(mote_world *world, mote_error *error) {
  MOTE_ASSERT(world->from != NULL);
  return collide(world, true, error);
}

mote_result mote_stage_keep_out(mote_world *world, mote_error *error) {
  return collide(world, false, error);
}
