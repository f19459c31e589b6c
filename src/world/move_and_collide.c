// Particles move (symplectic Euler: the velocities are already those of the step's end) and are kept out of
// colliders.
#include <string.h>

#include "base/parallel.h"
#include "fluid/shift.h"
#include "world/colliders.h"
#include "world/rigid_bodies.h"
#include "world/spawn.h"
#include "world/stages.h"
#include "world/tick_block.h"

#define GRAIN 4096

typedef struct mover {
  double dt;
  const mote_domain *domain;
  double *from, *position;
  float *velocity;
} mover;

static void move_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const mover *m = data;
  memcpy(m->from + 3 * begin, m->position + 3 * begin, 3 * (end - begin) * sizeof *m->from);
  for (size_t k = 3 * begin; k < 3 * end; ++k) m->position[k] += m->dt * (double)m->velocity[k];
}

static void wrap_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const mover *m = data;
  for (size_t i = begin; i < end; ++i) {
    mote_domain_wrap(m->domain, m->position + 3 * i);
    if (m->domain->dimensions == 2) m->velocity[3 * i + 2] = 0.0f;
  }
}

static mover make_mover(mote_world *world) {
  const mote_store *store = mote_world_store(world);
  return (mover){world->dt, &world->domain, world->from, mote_store_f64(store, MOTE_PARTICLE_POSITION),
                 mote_store_f32(store, MOTE_PARTICLE_VELOCITY)};
}

mote_result mote_stage_move(mote_world *world, mote_error *error) {
  size_t count = mote_world_store(world)->count[0];
  world->from = mote_arena_take(&world->scratch, count, 3 * sizeof *world->from);
  if (world->from == NULL) return mote_fail_memory(error, 3 * count * sizeof *world->from);
  mover m = make_mover(world);
  mote_parallel_for(world->env.threads, count, GRAIN, move_chunk, &m);
  mote_shift_settle(&world->fluid);  // before contact, which looks at velocities
  if (mote_tick_block_on(world)) mote_steps_drift(&world->fluid);
  return MOTE_OK;
}

static mote_result collide(mote_world *world, bool blows, mote_error *error) {
  const mote_store *store = mote_world_store(world);
  mote_collision collision = {
      .domain = &world->domain,
      .clearance = MOTE_COLLIDE_CLEARANCE * world->def.spacing,
      .dt = world->dt,
      .threads = world->env.threads,
      .count = store->count[0],
      .from = world->from,
      .position = mote_store_f64(store, MOTE_PARTICLE_POSITION),
      .velocity = mote_store_f32(store, MOTE_PARTICLE_VELOCITY),
      .room = mote_store_f32(store, MOTE_PARTICLE_ROOM),
  };
  if (collision.count == 0) return MOTE_OK;
  MOTE_TRY(mote_colliders_obstacles(world, world->dt, &collision.obstacles, error));
  collision.obstacle = world->obstacle;
  if (blows) MOTE_TRY(mote_rigid_blows_begin(world, &collision, error));
  if (collision.obstacles > 0) (void)mote_collide(&collision);
  if (blows) MOTE_TRY(mote_rigid_blows_give(world, &collision, error));
  mover m = make_mover(world);
  mote_parallel_for(world->env.threads, collision.count, GRAIN, wrap_chunk, &m);
  return MOTE_OK;
}

mote_result mote_stage_collide(mote_world *world, mote_error *error) {
  return collide(world, true, error);
}

mote_result mote_stage_keep_out(mote_world *world, mote_error *error) {
  return collide(world, false, error);
}
