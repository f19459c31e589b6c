// The stages of a step that are the world's own. Each does its part for the whole world, in the time it is
// given by world->dt; step.c puts them in order.
#ifndef MOTE_STAGES_H
#define MOTE_STAGES_H

#include "world/world_data.h"

typedef mote_result mote_stage(mote_world *world, mote_error *error);

// stage_order.c: sorts the rows of each material by (cell, id), so that what is near in space is near in
// memory. Reads position, id; moves all fields.
mote_stage mote_stage_order;

// fluid_stages.c: calls the solver's stages (pairs/fluid.h says what they read and write).
mote_stage mote_stage_search, mote_stage_divergence, mote_stage_forces, mote_stage_pressure;

// stage_time_step.c: writes world->dt and world->lands.
mote_stage mote_stage_time_step;

// stage_solids.c: forces in elastic bodies, and where their particles go. Writes the tables of solids.
mote_stage mote_stage_solids;

// stage_bodies.c: gravity and contacts of rigid bodies, and where they go. Writes the tables of bodies and
// contacts.
mote_stage mote_stage_bodies;

// move_and_collide.c: position += dt velocity, and keeping particles out of colliders. Writes position,
// velocity, room.
mote_stage mote_stage_move, mote_stage_collide;

// The same without blows to bodies (initial_relaxation.h).
mote_stage mote_stage_keep_out;

// emitters_and_drains.c: what is on its way out of a nozzle moves as that has it. Reads position; writes
// velocity.
mote_stage mote_stage_push;

// emitters_and_drains.c: new particles from emitters, as they are when the step ends; then who leaves.
mote_stage mote_stage_emit, mote_stage_leave;

// watchdog.c: looks for trouble in position and velocity; keeps the books of energy.
mote_stage mote_stage_check;

#endif
