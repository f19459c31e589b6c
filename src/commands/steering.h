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

// The body of that name, a part or a flow as well; false: there is none.
bool mote_bodies_find_named(const mote_world *world, const char *name, uint32_t *id);
// The mass of a body, kg; of a part or of what flows the sum of its particles.
double mote_bodies_mass(const mote_world *world, uint32_t id);

// Forces in a step. On rigid bodies: their velocities after world->dt. On fluid rows and on elastic rows:
// accelerations.
void mote_body_forces_rigid(mote_world *world);
void mote_body_forces_fluid(mote_world *world);
void mote_body_forces_elastic(const mote_world *world, double *acceleration);
void mote_body_forces_lattice(const mote_world *world, double *acceleration);

// Adds an impulse to rigid body k, at a point, or at its centre of mass (null).
void mote_rigid_strike(mote_world *world, size_t k, const double impulse[3], const double *at);

#endif
