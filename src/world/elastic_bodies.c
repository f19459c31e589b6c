// All elastic bodies of a world as one system: see elastic_bodies.h.
#include "world/elastic_bodies.h"

mote_elastic_motion mote_soft_motion(const mote_world *world, size_t k) {
  const mote_soft_item *item = mote_soft_at(world, k);
  return (mote_elastic_motion){.position = mote_soft_rows(world, MOTE_SOLID_POSITION, k),
                               .velocity = mote_soft_rows(world, MOTE_SOLID_VELOCITY, k),
                               .plastic = item->flows ? mote_soft_rows(world, MOTE_SOLID_PLASTIC, k) : NULL,
                               .held = item->held};
}

mote_elastic_motion mote_softs_motion(const mote_world *world) {
  const mote_store *store = &world->now.store[MOTE_STATE_SOLIDS];
  const mote_softs *soft = &world->soft;
  return (mote_elastic_motion){.position = mote_store_f64(store, MOTE_SOLID_POSITION),
                               .velocity = mote_store_f64(store, MOTE_SOLID_VELOCITY),
                               .plastic = soft->flows ? mote_store_f64(store, MOTE_SOLID_PLASTIC) : NULL,
                               .held = soft->held,
                               .external = soft->touch != NULL ? &soft->touch->external : NULL};
}

// --- Making -------------------------------------------------------------------------------------------

static mote_result make_held(mote_world *world, mote_softs *soft, mote_error *error) {
  bool any = false;
  for (size_t k = 0; k < soft->group.bodies; ++k) any = any || mote_soft_at(world, k)->held != NULL;
  if (!any) return MOTE_OK;
  soft->held = mote_arena_take(&soft->memory, soft->group.count, 1);
  if (soft->held == NULL) return mote_fail_memory(error, soft->group.count);
  for (size_t k = 0; k < soft->group.bodies; ++k) {
    const uint8_t *held = mote_soft_at(world, k)->held;
    for (size_t i = soft->group.start[k]; i < soft->group.start[k + 1]; ++i) {
      soft->held[i] = held != NULL && held[i - soft->group.start[k]] != 0;
    }
  }
  return MOTE_OK;
}

static mote_result make_touch(mote_world *world, mote_softs *soft, mote_error *error) {
  size_t bodies = soft->group.bodies;
  mote_soft_part *part = mote_arena_take(&soft->memory, bodies, sizeof *part);
  if (part == NULL) return mote_fail_memory(error, bodies * sizeof *part);
  for (size_t k = 0; k < bodies; ++k) {
    const mote_soft_item *item = mote_soft_at(world, k);
    part[k] = (mote_soft_part){.body = item->origin, .rest = item->rest, .friction = item->friction};
  }
  return mote_soft_touch_create(part, bodies, &world->env, &soft->touch, error);
}

// One that is to lose energy makes all lose it that have implicit steps.
static mote_result make_solver(mote_world *world, mote_softs *soft, mote_error *error) {
  mote_elastic_implicit_def def = mote_elastic_implicit_def_default();
  bool euler = false, midpoint = false, any = false;
  for (size_t k = 0; k < soft->group.bodies; ++k) {
    euler = euler || mote_soft_at(world, k)->integrator == MOTE_INTEGRATOR_IMPLICIT;
    midpoint = midpoint || mote_soft_at(world, k)->integrator == MOTE_INTEGRATOR_MIDPOINT;
    any = any || mote_soft_at(world, k)->integrator == MOTE_INTEGRATOR_AUTO;
    soft->flows = soft->flows || mote_soft_at(world, k)->flows;
  }
  def.scheme = euler || !midpoint ? MOTE_ELASTIC_EULER : MOTE_ELASTIC_MIDPOINT;
  if (!euler && !midpoint && !any) return MOTE_OK;
  return mote_elastic_implicit_create_group(&def, soft->group.body, soft->group.bodies, &soft->implicit,
                                            error);
}

static mote_result build(mote_world *world, mote_softs *soft, mote_error *error) {
  size_t bodies = mote_world_items(world, MOTE_ITEM_SOFT);
  mote_elastic **body = mote_arena_take(&soft->memory, bodies, sizeof(mote_elastic *));
  if (body == NULL) return mote_fail_memory(error, bodies * sizeof *body);
  for (size_t k = 0; k < bodies; ++k) body[k] = mote_soft_at(world, k)->elastic;
  MOTE_TRY(mote_elastic_group_make(body, bodies, &soft->memory, &soft->group, error));
  MOTE_TRY(make_held(world, soft, error));
  MOTE_TRY(make_touch(world, soft, error));
  return make_solver(world, soft, error);
}

mote_result mote_softs_make(mote_world *world, mote_error *error) {
  mote_softs soft = {.memory = mote_arena_make(&world->env)};
  if (mote_world_items(world, MOTE_ITEM_SOFT) == 0) return MOTE_OK;
  mote_result result = build(world, &soft, error);
  if (result != MOTE_OK) {
    mote_softs_free(&soft);
    return result;
  }
  mote_softs_free(&world->soft);
  world->soft = soft;
  return MOTE_OK;
}

void mote_softs_free(mote_softs *soft) {
  mote_elastic_implicit_destroy(soft->implicit);
  mote_soft_touch_destroy(soft->touch);
  mote_arena_destroy(&soft->memory);
  *soft = (mote_softs){0};
}
