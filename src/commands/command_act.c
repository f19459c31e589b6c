// Carries commands out: see command_act.h.
#include "commands/command_act.h"

#include <math.h>
#include <mote/text.h>
#include <string.h>

#include "commands/command_record.h"
#include "commands/steering.h"
#include "geom/triple.h"
#include "matter/body_forces.h"
#include "matter/items.h"

// --- What a command names -----------------------------------------------------------------------------

static const char *closest_item(const mote_world *world, int kind, const char *name) {
  const char *best = NULL;
  for (size_t k = 0; k < mote_world_items(world, kind); ++k) {
    const char *other = mote_items_name(world, kind, k), *both[2] = {best != NULL ? best : other, other};
    const char *closest = mote_text_closest(name, both, 2);
    if (closest != NULL) best = closest;
  }
  return best;
}

static mote_result fail_target(const mote_world *world, int kind, const char *what, const char *name,
                               mote_error *error) {
  size_t k = kind == MOTE_ITEM_BODY ? mote_items_find(world, kind, name) : SIZE_MAX;
  if (k < mote_world_items(world, kind) && mote_body_at(world, k)->waiting != NULL)
    return mote_fail_key(error, what, "\"%s\" is not there: the command add_body brings it", name);
  if (mote_items_had(world, kind, name))
    return mote_fail_key(error, what, "there is no %s \"%s\" any more", what, name);
  const char *closest = closest_item(world, kind, name);
  return mote_fail_key(error, what, "there is no %s \"%s\"%s%s%s", what, name,
                       closest != NULL ? "; did you mean \"" : "", closest != NULL ? closest : "",
                       closest != NULL ? "\"?" : "");
}

// Among those of the definitions, of which none are ever forgotten.
static mote_result find_waiting(mote_world *world, mote_resolved_command *resolved, mote_error *error) {
  const char *name = resolved->command->target;
  resolved->place = mote_items_find(world, MOTE_ITEM_BODY, name);
  if (resolved->place < mote_world_items(world, MOTE_ITEM_BODY)) return MOTE_OK;
  return fail_target(world, MOTE_ITEM_BODY, "body", name, error);
}

static mote_result find_target(mote_world *world, mote_resolved_command *resolved, mote_error *error) {
  const char *name = resolved->command->target;
  mote_command_target target = mote_command_kinds()[resolved->command->kind].target;
  if (target == MOTE_TARGET_WAITING) return find_waiting(world, resolved, error);
  if (target == MOTE_TARGET_BODY) {
    size_t first = 0;
    if (!mote_bodies_address(world, name, &resolved->body) ||
        !mote_bodies_next(world, &resolved->body, &first, &resolved->at))
      return fail_target(world, MOTE_ITEM_BODY, "body", name, error);
  }
  if (target != MOTE_TARGET_COLLIDER && target != MOTE_TARGET_EMITTER) return MOTE_OK;
  int kind = target == MOTE_TARGET_COLLIDER ? MOTE_ITEM_COLLIDER : MOTE_ITEM_EMITTER;
  resolved->place = mote_items_find(world, kind, name);
  bool there = resolved->place < mote_world_items(world, kind);
  if (there && kind == MOTE_ITEM_EMITTER) there = !mote_emitter_at(world, resolved->place)->removed;
  return there ? MOTE_OK : fail_target(world, kind, mote_command_target_name(target), name, error);
}

// --- Carrying out -------------------------------------------------------------------------------------

static mote_result check_emitter_speed(mote_world *world, mote_resolved_command *resolved,
                                       mote_error *error) {
  (void)world, (void)error;
  resolved->speed = resolved->command->value[0];
  return MOTE_OK;
}

typedef struct duty {
  mote_result (*check)(mote_world *world, mote_resolved_command *resolved, mote_error *error);
  mote_result (*act)(mote_world *world, const mote_resolved_command *resolved, mote_error *error);
} duty;

static const duty duties[MOTE_COMMANDS] = {
    [MOTE_COMMAND_GRAVITY] = {mote_command_check_gravity, NULL},
    [MOTE_COMMAND_COLLIDER_VELOCITY] = {mote_command_check_velocity, NULL},
    [MOTE_COMMAND_COLLIDER_POSE] = {mote_command_check_pose, NULL},
    [MOTE_COMMAND_EMITTER_SPEED] = {check_emitter_speed, NULL},
    [MOTE_COMMAND_FORCE] = {mote_command_check_force, NULL},
    [MOTE_COMMAND_IMPULSE] = {mote_command_check_impulse, mote_command_impulse},
    [MOTE_COMMAND_FIELD] = {mote_command_check_field, mote_command_set_field},
    [MOTE_COMMAND_REMOVE_BODY] = {mote_command_check_removal, mote_command_remove_body},
    [MOTE_COMMAND_ADD_BODY] = {mote_command_check_addition, mote_command_add_body},
    [MOTE_COMMAND_PULL] = {mote_command_check_hand, mote_command_move_hand},
    [MOTE_COMMAND_MATERIAL] = {mote_command_check_material, NULL},
    [MOTE_COMMAND_REMOVE_COLLIDER] = {NULL, mote_command_remove_collider},
};

mote_result mote_command_resolve(mote_world *world, const mote_command *command, mote_resolved_command *out,
                                 mote_error *error) {
  *out = (mote_resolved_command){.command = command};
  MOTE_TRY(find_target(world, out, error));
  const duty *d = &duties[command->kind];
  return d->check != NULL ? d->check(world, out, error) : MOTE_OK;
}

mote_result mote_command_act(mote_world *world, const mote_resolved_command *resolved, mote_error *error) {
  const duty *d = &duties[resolved->command->kind];
  mote_command recorded = *resolved->command;
  recorded.step = mote_world_steps(world), recorded.time = mote_world_time(world);
  MOTE_TRY(mote_commands_add(&world->now, resolved->command, resolved->speed, error));
  mote_result result = mote_steering_act(world, &recorded, resolved->speed, error);
  if (result == MOTE_OK && d->act != NULL) result = d->act(world, resolved, error);
  if (result != MOTE_OK) mote_commands_undo(&world->now);
  world->has_frame = false;
  world->body_watch.bodies = 0;  // its energies are another scene's
  mote_steering_expect_speed(world);
  return result;
}
