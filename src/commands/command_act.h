// Carrying out commands (mote/steer.h): what each kind checks against the world, and what it changes at once.
// Lasting effects are in steering.h.
#ifndef MOTE_COMMAND_ACT_H
#define MOTE_COMMAND_ACT_H

#include <mote/steer.h>

#include "matter/bodies.h"

// A command with what it names, once that is found.
typedef struct mote_resolved_command {
  const mote_command *command;
  size_t place;  // of its collider or emitter
  uint32_t body;
  mote_body_place at;  // of the body
  double speed;        // m/s, that it can bring about: set by the check
  uint32_t *row;       // of its particles; in scratch memory
} mote_resolved_command;

// Finds what the command names and checks it against the world. Changes nothing but *out.
mote_result mote_command_resolve(mote_world *world, const mote_command *command, mote_resolved_command *out,
                                 mote_error *error);
// Records it in the state and carries it out. A frame begins behind it, so that a step that fails never takes
// it back.
mote_result mote_command_act(mote_world *world, const mote_resolved_command *resolved, mote_error *error);

// command_check.c: kinds that have more to check than their numbers, and those that change the state. Checks
// change nothing but what was resolved; nothing fails after them but for want of memory, and then it changes
// nothing either.
mote_result mote_command_check_gravity(mote_world *world, mote_resolved_command *resolved, mote_error *error);
mote_result mote_command_check_velocity(mote_world *world, mote_resolved_command *resolved,
                                        mote_error *error);
mote_result mote_command_check_pose(mote_world *world, mote_resolved_command *resolved, mote_error *error);
mote_result mote_command_check_force(mote_world *world, mote_resolved_command *resolved, mote_error *error);
mote_result mote_command_check_impulse(mote_world *world, mote_resolved_command *resolved, mote_error *error);
mote_result mote_command_impulse(mote_world *world, const mote_resolved_command *resolved, mote_error *error);
// command_field.c
mote_result mote_command_check_field(mote_world *world, mote_resolved_command *resolved, mote_error *error);
mote_result mote_command_set_field(mote_world *world, const mote_resolved_command *resolved,
                                   mote_error *error);
// command_remove.c
mote_result mote_command_check_removal(mote_world *world, mote_resolved_command *resolved, mote_error *error);
mote_result mote_command_remove_body(mote_world *world, const mote_resolved_command *resolved,
                                     mote_error *error);
mote_result mote_command_remove_collider(mote_world *world, const mote_resolved_command *resolved,
                                         mote_error *error);

#endif
