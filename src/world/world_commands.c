// The calls of mote/steer.h, each of which executes a command. A command takes effect immediately, between
// two steps.
#include <stdio.h>
#include <string.h>

#include "commands/command_act.h"
#include "commands/command_record.h"
#include "matter/hand.h"
#include "matter/items.h"
#include "world/prepare_world.h"

// A command that is refused changes nothing; one that is not ends a complete frame first, as the next step
// would. That sorts the rows, which are looked up again.
static mote_result carry_out(mote_world *world, const mote_command *command, mote_error *error) {
  mote_resolved_command resolved;
  double end = *mote_state_f64(&world->now, MOTE_WORLD_UNTIL);
  MOTE_TRY(mote_command_resolve(world, command, &resolved, error));
  if (world->has_frame && mote_world_time(world) == end) {
    MOTE_TRY(mote_world_begin_frame(world, error));
    MOTE_TRY(mote_command_resolve(world, command, &resolved, error));
  }
  ++world->generation;
  return mote_command_act(world, &resolved, error);
}

mote_result mote_world_command(mote_world *world, const mote_command *command, mote_error *error) {
  if (world == NULL) return mote_fail(error, MOTE_ERROR_ARGUMENT, "world must not be NULL");
  MOTE_TRY(mote_command_check(command, error));
  MOTE_TRY(mote_world_make_ready(world, error));
  mote_arena_mark mark = mote_arena_here(&world->scratch);
  mote_result result = carry_out(world, command, error);
  mote_arena_release(&world->scratch, mark);
  if (result != MOTE_OK) return result;
  return mote_world_make_ready(world, error);
}

size_t mote_world_commands(const mote_world *world) {
  return world == NULL ? 0 : mote_commands_count(&world->now);
}

bool mote_world_command_at(const mote_world *world, size_t k, mote_command *out) {
  if (world == NULL || out == NULL || k >= mote_commands_count(&world->now)) return false;
  *out = mote_commands_at(&world->now, k);
  return true;
}

// --- Calls that make commands -------------------------------------------------------------------------

static void set_vector(mote_command *command, int first, const double x[3]) {
  if (x != NULL) memcpy(command->value + first, x, 3 * sizeof *x);
}

static mote_result name_item(const mote_world *world, int kind, uint32_t number, uint32_t generation,
                             mote_command *command, mote_error *error) {
  const char *what = kind == MOTE_ITEM_COLLIDER ? "collider" : "emitter";
  size_t k = world != NULL && generation == 1 ? mote_items_place(world, kind, number) : SIZE_MAX;
  if (k == SIZE_MAX) return mote_fail_key(error, what, "there is no such %s", what);
  snprintf(command->target, sizeof command->target, "%s", mote_items_name(world, kind, k));
  return MOTE_OK;
}

static mote_result name_collider(const mote_world *world, mote_collider collider, mote_command *command,
                                 mote_error *error) {
  return name_item(world, MOTE_ITEM_COLLIDER, collider.index, collider.generation, command, error);
}

static mote_result name_emitter(const mote_world *world, mote_emitter emitter, mote_command *command,
                                mote_error *error) {
  return name_item(world, MOTE_ITEM_EMITTER, emitter.index, emitter.generation, command, error);
}

static mote_result name_body(const mote_world *world, mote_body body, mote_command *command,
                             mote_error *error) {
  mote_body_place place;
  if (world == NULL || !mote_bodies_resolve(world, body, &place))
    return mote_fail_key(error, "body", "there is no such body");
  mote_bodies_name(world, place, command->target);
  return MOTE_OK;
}

mote_result mote_world_set_gravity(mote_world *world, const double gravity[3], mote_error *error) {
  mote_command command = mote_command_make(MOTE_COMMAND_GRAVITY);
  set_vector(&command, 0, gravity);
  return mote_world_command(world, &command, error);
}

mote_result mote_world_set_collider_velocity(mote_world *world, mote_collider collider,
                                             const double velocity[3], const double spin[3],
                                             mote_error *error) {
  mote_command command = mote_command_make(MOTE_COMMAND_COLLIDER_VELOCITY);
  MOTE_TRY(name_collider(world, collider, &command, error));
  set_vector(&command, 0, velocity);
  set_vector(&command, 3, spin);
  return mote_world_command(world, &command, error);
}

mote_result mote_world_move_collider(mote_world *world, mote_collider collider, const double move[3],
                                     const double turn[3], double seconds, mote_error *error) {
  mote_command command = mote_command_make(MOTE_COMMAND_COLLIDER_POSE);
  MOTE_TRY(name_collider(world, collider, &command, error));
  set_vector(&command, 0, move);
  set_vector(&command, 3, turn);
  command.value[6] = seconds;
  return mote_world_command(world, &command, error);
}

mote_result mote_world_set_emitter_speed(mote_world *world, mote_emitter emitter, double speed,
                                         mote_error *error) {
  mote_command command = mote_command_make(MOTE_COMMAND_EMITTER_SPEED);
  MOTE_TRY(name_emitter(world, emitter, &command, error));
  command.value[0] = speed;
  return mote_world_command(world, &command, error);
}

mote_result mote_world_set_force(mote_world *world, mote_body body, const double force[3],
                                 mote_error *error) {
  mote_command command = mote_command_make(MOTE_COMMAND_FORCE);
  MOTE_TRY(name_body(world, body, &command, error));
  set_vector(&command, 0, force);
  return mote_world_command(world, &command, error);
}

mote_result mote_world_add_impulse(mote_world *world, mote_body body, const double impulse[3],
                                   const double at[3], mote_error *error) {
  mote_command command = mote_command_make(MOTE_COMMAND_IMPULSE);
  MOTE_TRY(name_body(world, body, &command, error));
  set_vector(&command, 0, impulse);
  set_vector(&command, 3, at);
  return mote_world_command(world, &command, error);
}

mote_result mote_world_set_field(mote_world *world, const char *field, const uint64_t *ids,
                                 const double *values, size_t count, mote_error *error) {
  mote_command command = mote_command_make(MOTE_COMMAND_FIELD);
  command.field = field, command.id = ids, command.values = values, command.count = count;
  return mote_world_command(world, &command, error);
}

mote_result mote_world_remove_body(mote_world *world, mote_body body, mote_error *error) {
  mote_command command = mote_command_make(MOTE_COMMAND_REMOVE_BODY);
  MOTE_TRY(name_body(world, body, &command, error));
  return mote_world_command(world, &command, error);
}

mote_result mote_world_remove_collider(mote_world *world, mote_collider collider, mote_error *error) {
  mote_command command = mote_command_make(MOTE_COMMAND_REMOVE_COLLIDER);
  MOTE_TRY(name_collider(world, collider, &command, error));
  return mote_world_command(world, &command, error);
}

mote_result mote_world_remove_emitter(mote_world *world, mote_emitter emitter, mote_error *error) {
  mote_command command = mote_command_make(MOTE_COMMAND_REMOVE_EMITTER);
  MOTE_TRY(name_emitter(world, emitter, &command, error));
  return mote_world_command(world, &command, error);
}

mote_result mote_world_pull(mote_world *world, const double at[3], const double to[3], double radius,
                            double stiffness, double seconds, mote_error *error) {
  mote_command command = mote_command_make(MOTE_COMMAND_PULL);
  set_vector(&command, 0, at);
  set_vector(&command, 3, to);
  command.value[6] = at == NULL ? (double)NAN : radius;
  command.value[7] = stiffness, command.value[8] = seconds;
  return mote_world_command(world, &command, error);
}

mote_hand_state mote_world_hand(const mote_world *world) {
  mote_hand_state state = {.holds = MOTE_HOLDS_NOTHING};
  if (world != NULL) (void)mote_hand_read(world, &state);
  return state;
}

mote_result mote_world_set_material(mote_world *world, const char *path, double value, mote_error *error) {
  mote_command command = mote_command_make(MOTE_COMMAND_MATERIAL);
  if (path == NULL || strlen(path) >= sizeof command.target)
    return mote_fail_key(error, "material", "a value is named MATERIAL.KEY");
  snprintf(command.target, sizeof command.target, "%s", path);
  command.value[0] = value;
  return mote_world_command(world, &command, error);
}

mote_result mote_world_add_waiting(mote_world *world, const char *body, const double move[3],
                                   const double velocity[3], mote_error *error) {
  mote_command command = mote_command_make(MOTE_COMMAND_ADD_BODY);
  if (body == NULL || strlen(body) >= sizeof command.target)
    return mote_fail_key(error, "body", "there is no such body");
  snprintf(command.target, sizeof command.target, "%s", body);
  set_vector(&command, 0, move);
  set_vector(&command, 3, velocity);
  return mote_world_command(world, &command, error);
}

mote_emitter mote_world_find_emitter(const mote_world *world, const char *name) {
  if (world == NULL || name == NULL) return (mote_emitter){0};
  size_t k = mote_items_find(world, MOTE_ITEM_EMITTER, name);
  bool there = k < mote_world_items(world, MOTE_ITEM_EMITTER) && !mote_emitter_at(world, k)->removed;
  return there ? (mote_emitter){(uint32_t)k, 1} : (mote_emitter){0};
}
