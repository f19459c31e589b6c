// Execution of commands (mote/steer.h): the checks of each kind against the world, and its immediate changes.
// Lasting effects are in steering.h.
#ifndef MOTE_COMMAND_ACT_H
#define MOTE_COMMAND_ACT_H

#include <mote/steer.h>

#include "matter/body_forces.h"
#include "matter/hand.h"

// A command with its target resolved.
typedef struct mote_resolved_command {
  const mote_command *command;
  size_t place;  // of its collider, emitter or material, or of the definition of a body that waits
  mote_addressed body;
  mote_body_place at;   // of the body, or its first piece
  mote_hand_grip grip;  // that a pull takes
  double speed;         // m/s, that it can bring about: set by the check
  uint32_t *row;        // of its particles; in scratch memory
} mote_resolved_command;

// Finds the target of the command and checks it against the world. Changes *out only.
mote_result mote_command_resolve(mote_world *world, const mote_command *command, mote_resolved_command *out,
                                 mote_error *error);
// Records it in the state and executes it. A frame begins after it, so that a failed step never undoes it.
mote_result mote_command_act(mote_world *world, const mote_resolved_command *resolved, mote_error *error);

// command_check.c: kinds with checks beyond the ranges of their numbers, and those that change the state.
// Checks change only the resolved command. After them only memory can fail, and then the world is unchanged.
mote_result mote_command_check_gravity(mote_world *world, mote_resolved_command *resolved, mote_error *error);
mote_result mote_command_check_velocity(mote_world *world, mote_resolved_command *resolved,
                                        mote_error *error);
mote_result mote_command_check_pose(mote_world *world, mote_resolved_command *resolved, mote_error *error);
mote_result mote_command_check_force(mote_world *world, mote_resolved_command *resolved, mote_error *error);
mote_result mote_command_check_impulse(mote_world *world, mote_resolved_command *resolved, mote_error *error);
mote_result mote_command_impulse(mote_world *world, const mote_resolved_command *resolved, mote_error *error);
// In 2D vectors lie in the plane, and rotations are about z; NaN is not given. Whether the speed is one.
mote_result mote_command_check_flat(const mote_world *world, const double x[3], const char *key, bool turns,
                                    mote_error *error);
mote_result mote_command_check_speed(const mote_resolved_command *resolved, const char *key,
                                     mote_error *error);
// command_hand.c
mote_result mote_command_check_hand(mote_world *world, mote_resolved_command *resolved, mote_error *error);
mote_result mote_command_move_hand(mote_world *world, const mote_resolved_command *resolved,
                                   mote_error *error);
// command_material.c. Applying: the lasting effect, also after a load.
mote_result mote_command_check_material(mote_world *world, mote_resolved_command *resolved,
                                        mote_error *error);
void mote_command_apply_material(mote_world *world, const mote_command *command);
// command_add.c
mote_result mote_command_check_addition(mote_world *world, mote_resolved_command *resolved,
                                        mote_error *error);
mote_result mote_command_add_body(mote_world *world, const mote_resolved_command *resolved,
                                  mote_error *error);
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
