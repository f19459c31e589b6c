// Lasting effects of commands: see steering.h.
#include "commands/steering.h"

#include <string.h>

#include "commands/command_act.h"
#include "commands/command_record.h"
#include "geom/triple.h"
#include "matter/bodies.h"
#include "matter/body_forces.h"
#include "matter/items.h"
#include "matter/kind.h"

static void set_gravity(mote_world *world, const double gravity[3]) {
  for (int a = 0; a < 3; ++a) {
    world->def.gravity[a] = gravity[a];
    world->fluid.gravity[a] = (float)gravity[a];
  }
}

static mote_collider_item *collider_of(const mote_world *world, size_t number) {
  return (mote_collider_item *)world->item[MOTE_ITEM_COLLIDER].data + number;
}

// --- Life ---------------------------------------------------------------------------------------------

void mote_steering_begin(mote_world *world) {
  MOTE_ASSERT(world->steering.force == NULL && world->steering.forces == 0);
  copy3(world->def.gravity, world->steering.gravity);
}

void mote_steering_free(mote_world *world) {
  mote_steering *s = &world->steering;
  mote_free(&world->env, s->force, s->force_capacity, sizeof *s->force);
  s->force = NULL, s->forces = s->force_capacity = 0;
}

static void forget(mote_world *world) {
  set_gravity(world, world->steering.gravity);
  mote_steering_free(world);
  world->steering.speed = world->steering.stirring = 0.0;
  world->steering.hand = (mote_hand){.stiffness = 0.0};
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_MATERIAL); ++k)
    mote_material_at(world, k)->def = mote_material_at(world, k)->given;
  for (size_t n = 0; n < world->item[MOTE_ITEM_COLLIDER].all; ++n) {
    mote_collider_item *item = collider_of(world, n);
    mote_motion_steer(item->motion, NULL);
    item->moves = item->moves_by_itself;
  }
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_EMITTER); ++k) {
    mote_emitter_item *item = mote_emitter_at(world, k);
    mote_nozzle_steer(item->nozzle, -1.0);
    item->removed = false;
  }
  mote_items_restore(world, MOTE_ITEM_COLLIDER);
  for (int kind = 0; kind < MOTE_KINDS; ++kind) mote_items_restore(world, kind);
  world->steering.rebuilt = false;
}

// --- Lasting effects ----------------------------------------------------------------------------------

static void steer_collider(mote_world *world, const mote_command *c) {
  mote_collider_item *item = mote_collider_at(world, mote_items_find(world, MOTE_ITEM_COLLIDER, c->target));
  mote_motion_obey(item->motion, c);
  if (!item->moves) item->moves = true, world->ready = false;  // its samples move from now on
}

// In the order of ids; those of pieces behind, by definition.
static bool comes_before(const mote_addressed *a, const mote_addressed *b) {
  return a->pieces != b->pieces ? b->pieces : a->body < b->body;
}

static mote_result set_force(mote_world *world, const mote_addressed *of, const double force[3],
                             mote_error *error) {
  mote_steering *s = &world->steering;
  size_t k = 0;
  while (k < s->forces && comes_before(&s->force[k].of, of)) ++k;
  bool there = k < s->forces && !comes_before(of, &s->force[k].of);
  if (there && length3(force) == 0.0) {
    memmove(s->force + k, s->force + k + 1, (s->forces - k - 1) * sizeof *s->force);
    --s->forces;
  }
  if (length3(force) == 0.0) return MOTE_OK;
  if (!there) {
    MOTE_TRY(
        mote_reserve(&world->env, &s->force, &s->force_capacity, s->forces + 1, sizeof *s->force, error));
    memmove(s->force + k + 1, s->force + k, (s->forces - k) * sizeof *s->force);
    ++s->forces;
  }
  s->force[k].of = *of;
  copy3(force, s->force[k].force);
  return MOTE_OK;
}

static void move_hand(mote_world *world, const mote_command *c) {
  mote_hand *hand = &world->steering.hand;
  const double *at = c->value, *to = at + 3;
  if (!isnan(at[0])) copy3(at, hand->at), copy3(at, hand->to);
  if (!isnan(to[0])) copy3(to, hand->to);
  if (!isnan(c->value[6])) hand->radius = c->value[6];
  hand->stiffness = c->value[7];
  hand->until = isnan(c->value[8]) ? HUGE_VAL : c->time + c->value[8];
}

static mote_result remove_collider(mote_world *world, const char *name, mote_error *error) {
  MOTE_TRY(mote_items_expect_removal(world, MOTE_ITEM_COLLIDER, error));
  mote_items_remove(world, MOTE_ITEM_COLLIDER, mote_items_find(world, MOTE_ITEM_COLLIDER, name));
  world->ready = false;
  return MOTE_OK;
}

mote_result mote_steering_act(mote_world *world, const mote_command *c, double speed, mote_error *error) {
  static const double none[3] = {0.0, 0.0, 0.0};
  mote_steering *s = &world->steering;
  mote_emitter_item *emitter = NULL;
  mote_addressed body;
  if (mote_command_kinds()[c->kind].target == MOTE_TARGET_EMITTER)
    emitter = mote_emitter_at(world, mote_items_find(world, MOTE_ITEM_EMITTER, c->target));
  bool collides = c->kind == MOTE_COMMAND_COLLIDER_VELOCITY || c->kind == MOTE_COMMAND_COLLIDER_POSE;
  s->rebuilt = s->rebuilt || collides || c->kind == MOTE_COMMAND_REMOVE_COLLIDER ||
               c->kind == MOTE_COMMAND_REMOVE_BODY || c->kind == MOTE_COMMAND_ADD_BODY;
  if (collides) {
    s->stirring = max2(s->stirring, speed);
  } else {
    s->speed = max2(s->speed, speed);
  }
  switch (c->kind) {
    case MOTE_COMMAND_GRAVITY: set_gravity(world, c->value); break;
    case MOTE_COMMAND_COLLIDER_VELOCITY:
    case MOTE_COMMAND_COLLIDER_POSE: steer_collider(world, c); break;
    case MOTE_COMMAND_EMITTER_SPEED: mote_nozzle_steer(emitter->nozzle, c->value[0]); break;
    case MOTE_COMMAND_FORCE:
    case MOTE_COMMAND_REMOVE_BODY:  // of one that is gone nothing is left
      if (!mote_bodies_address(world, c->target, &body)) break;
      return set_force(world, &body, c->kind == MOTE_COMMAND_FORCE ? c->value : none, error);
    case MOTE_COMMAND_REMOVE_COLLIDER: return remove_collider(world, c->target, error);
    case MOTE_COMMAND_REMOVE_EMITTER:
      mote_nozzle_steer(emitter->nozzle, 0.0);
      emitter->removed = true;
      break;
    case MOTE_COMMAND_PULL: move_hand(world, c); break;
    case MOTE_COMMAND_MATERIAL: mote_command_apply_material(world, c); break;
    case MOTE_COMMAND_IMPULSE:
    case MOTE_COMMAND_ADD_BODY:
    case MOTE_COMMAND_FIELD:
    case MOTE_COMMANDS: break;
  }
  return MOTE_OK;
}

// --- Loading ------------------------------------------------------------------------------------------

// Which bodies are there is in the table of bodies.
static mote_result keep_there(mote_world *world, mote_kind kind, mote_error *error) {
  for (size_t k = mote_world_items(world, (int)kind); k > 0; --k) {
    uint32_t body = mote_kind_item_at(world, kind, k - 1)->body;
    mote_body_place place;
    if (mote_bodies_find(world, mote_body_at(world, body)->id, &place)) continue;
    MOTE_TRY(mote_items_expect_removal(world, (int)kind, error));
    mote_items_remove(world, (int)kind, k - 1);
  }
  return MOTE_OK;
}

// A forged snapshot may name targets that do not exist.
static bool has_target(const mote_world *world, const mote_command *c) {
  mote_command_target target = mote_command_kinds()[c->kind].target;
  if (target == MOTE_TARGET_COLLIDER)
    return mote_items_find(world, MOTE_ITEM_COLLIDER, c->target) <
           mote_world_items(world, MOTE_ITEM_COLLIDER);
  if (target == MOTE_TARGET_EMITTER)
    return mote_items_find(world, MOTE_ITEM_EMITTER, c->target) < mote_world_items(world, MOTE_ITEM_EMITTER);
  return true;
}

mote_result mote_steering_load(mote_world *world, mote_error *error) {
  bool rebuilt = world->steering.rebuilt;
  forget(world);
  for (int kind = 0; kind < MOTE_KINDS; ++kind) MOTE_TRY(keep_there(world, (mote_kind)kind, error));
  for (size_t k = 0; k < mote_commands_count(&world->now); ++k) {
    mote_command command = mote_commands_at(&world->now, k);
    if (has_target(world, &command))
      MOTE_TRY(mote_steering_act(world, &command, mote_commands_speed(&world->now, k), error));
  }
  if (rebuilt || world->steering.rebuilt) world->ready = false;
  mote_steering_expect_speed(world);
  return MOTE_OK;
}

void mote_steering_expect_speed(mote_world *world) {
  const mote_steering *s = &world->steering;
  world->stirring = max2(s->own_stirring, s->stirring);
  world->speed = s->own_speed + (world->stirring - s->own_stirring) + s->speed;
}
