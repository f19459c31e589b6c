// What elastic bodies touch in a step: walls, colliders, rigid bodies, each other and themselves. See
// elastic_bodies.h; theory: docs/theory/solids.md
#include "geom/triple.h"
#include "world/elastic_bodies.h"
#include "world/rigid_bodies.h"

// --- What friction remembers --------------------------------------------------------------------------

static mote_result load_memory(mote_world *world, mote_error *error) {
  const mote_store *store = &world->now.store[MOTE_STATE_TOUCHES];
  mote_soft_touch *touch = world->soft.touch;
  size_t count = store->count[0];
  MOTE_TRY(
      mote_reserve(&touch->env, &touch->memory, &touch->memory_held, count, sizeof *touch->memory, error));
  touch->memories = count;
  for (size_t k = 0; k < count; ++k) {
    touch->memory[k] = (mote_touch_memory){.i = mote_store_u32(store, MOTE_TOUCH_PARTICLE)[k],
                                           .other = mote_store_u32(store, MOTE_TOUCH_OTHER)[k],
                                           .ball = mote_store_u8(store, MOTE_TOUCH_BALL)[k] != 0};
    copy3(mote_store_f64(store, MOTE_TOUCH_SLIP) + 3 * k, touch->memory[k].slip);
  }
  return MOTE_OK;
}

static mote_result save_memory(mote_world *world, mote_error *error) {
  mote_store *store = &world->now.store[MOTE_STATE_TOUCHES];
  const mote_soft_touch *touch = world->soft.touch;
  MOTE_TRY(mote_store_resize(store, 0, touch->memories, error));
  for (size_t k = 0; k < touch->memories; ++k) {
    const mote_touch_memory *m = touch->memory + k;
    mote_store_u32(store, MOTE_TOUCH_PARTICLE)[k] = m->i;
    mote_store_u32(store, MOTE_TOUCH_OTHER)[k] = m->other;
    mote_store_u8(store, MOTE_TOUCH_BALL)[k] = m->ball;
    copy3(m->slip, mote_store_f64(store, MOTE_TOUCH_SLIP) + 3 * k);
  }
  return MOTE_OK;
}

// --- A step -------------------------------------------------------------------------------------------

mote_result mote_soft_meet(mote_world *world, const uint8_t *member, double travel, mote_error *error) {
  mote_contact_scene scene;
  MOTE_TRY(load_memory(world, error));
  MOTE_TRY(mote_rigid_solids(world, world->dt, &scene, error));  // gravity has pulled at bodies already
  copy3(world->def.gravity, world->soft.touch->pull);
  world->soft.touch->stepped = member;
  MOTE_TRY(mote_soft_touch_find(world->soft.touch, &scene,
                                mote_store_f64(&world->now.store[MOTE_STATE_SOLIDS], MOTE_SOLID_POSITION),
                                travel, error));
  if (member == NULL) world->report.touches = world->soft.touch->touches;
  return MOTE_OK;
}

mote_result mote_soft_leave(mote_world *world, mote_error *error) {
  const mote_store *rigid = &world->now.store[MOTE_STATE_RIGID];
  mote_soft_touch *touch = world->soft.touch;
  MOTE_TRY(mote_soft_touch_end(
      touch, mote_store_f64(&world->now.store[MOTE_STATE_SOLIDS], MOTE_SOLID_POSITION), error));
  for (size_t m = 0; m < touch->movers; ++m) {
    const mote_touch_mover *mover = touch->mover + m;
    const mote_rigid *body = &mote_rigid_at(world, mover->solid)->rigid;
    double *v = mote_store_f64(rigid, MOTE_RIGID_VELOCITY) + 3 * mover->solid;
    double *x = mote_store_f64(rigid, MOTE_RIGID_POSITION) + 3 * mover->solid;
    double *q = mote_store_f64(rigid, MOTE_RIGID_ORIENTATION) + 4 * mover->solid;
    step3(v, body->inverse_mass, mover->impulse, v);
    mote_rigid_twist(body, q, mover->twist, mote_store_f64(rigid, MOTE_RIGID_MOMENTUM) + 3 * mover->solid);
    // Beyond what these velocities will make of the step: explicit steps went their own way through it.
    step3(x, 1.0, mover->shift, x);
    mote_rigid_rotate(mover->turn, q);
  }
  return save_memory(world, error);
}
