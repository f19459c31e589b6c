// What commands have made of a world's definitions, and of which things are there: a function of the
// definitions and of the commands in the state alone, so that a world that was loaded is steered as the one
// that was saved. docs/steering.md
#ifndef MOTE_STEERING_H
#define MOTE_STEERING_H

#include <mote/steer.h>

#include "matter/world_data.h"

// As the definitions have it; frees what commands made.
void mote_steering_begin(mote_world *world);
void mote_steering_free(mote_world *world);

// The lasting effect of a command, from command->time on: gravity, colliders, emitters, forces, and what is
// there. `speed`: that it can bring about. Its target is there.
mote_result mote_steering_act(mote_world *world, const mote_command *command, double speed,
                              mote_error *error);
// That of all commands in the state, after it was loaded.
mote_result mote_steering_load(mote_world *world, mote_error *error);

// world->speed and stirring, from those of the definitions and of commands.
void mote_steering_expect_speed(mote_world *world);

#endif
