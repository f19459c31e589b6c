// Lasting effects of commands on definitions and on the set of colliders and emitters: a function of the
// definitions and of the commands in the state alone, so that a loaded world is steered like the saved one.
// docs/steering.md
#ifndef MOTE_STEERING_H
#define MOTE_STEERING_H

#include <mote/steer.h>

#include "matter/world_data.h"

// Resets to the definitions; frees the effects of commands.
void mote_steering_begin(mote_world *world);
void mote_steering_free(mote_world *world);

// Applies the lasting effect of a command, from command->time on: gravity, colliders, emitters, forces,
// removals. `speed`: the largest that it can cause. Its target must exist.
mote_result mote_steering_act(mote_world *world, const mote_command *command, double speed,
                              mote_error *error);
// Applies those of all commands in the state, after a load.
mote_result mote_steering_load(mote_world *world, mote_error *error);

// world->speed and stirring, from those of the definitions and of commands.
void mote_steering_expect_speed(mote_world *world);

#endif
