// The stages of a step, each in a file of its name. A stage does its part for the whole world, over the time
// world->dt; step.c has their order.
#ifndef MOTE_STAGES_H
#define MOTE_STAGES_H

#include "matter/world_data.h"

typedef mote_result mote_stage(mote_world *world, mote_error *error);

// stage_order.c: sorts the rows of each material by (cell, id), so that what is near in space is near in
// memory. Reads position, id; moves all fields.
mote_stage mote_stage_order;

// stage_search.c, stage_divergence.c, stage_forces.c, stage_pressure.c: call the fluid solver's stages
// (pairs/fluid.h says what they read and write). What they share: fluid_bind.h.
mote_stage mote_stage_search, mote_stage_divergence, mote_stage_forces, mote_stage_pressure;

// stage_time_step.c: writes world->dt and world->lands.
mote_stage mote_stage_time_step;

// stage_heat.c: conduction of heat between particles, to walls and air, and sources. Reads position, mass,
// the arrays of world->fluid; writes enthalpy, temperature, liquid fraction. Nothing in a world without heat.
mote_stage mote_stage_heat;

// stage_elastic.c: forces in elastic bodies, and where their particles go. Writes the elastic rows of
// the particles.
mote_stage mote_stage_solids;

// stage_lattice.c: forces in lattices, and where their particles go. Writes the lattice rows of the
// particles, and velocities of what they touch.
mote_stage mote_stage_lattice;

// stage_rigid.c: gravity and contacts of rigid bodies, and where they go. Writes the tables of bodies and
// contacts.
mote_stage mote_stage_bodies;

// stage_move.c: position += dt velocity. Writes position.
mote_stage mote_stage_move;

// stage_collide.c: keeps particles out of walls and colliders. Writes position, velocity, wall distance. The
// second gives bodies no impulses (initial_relaxation.h).
mote_stage mote_stage_collide, mote_stage_keep_out;

// stage_fracture.c: cracks start and run, cut weights, and bodies that have come apart. Reads elastic rows;
// writes the tables of cracks, fronts and bodies, and eyes and labels of elastic rows.
mote_stage mote_stage_fracture;

// stage_nozzles.c: particles inside a nozzle move with its flow velocity. Reads position; writes velocity.
mote_stage mote_stage_nozzles;

// stage_phase.c: lattices that melt and melts that freeze: moves rows between the blocks of a material. Reads
// enthalpy, temperature; writes the fields of the rows that it moves. Nothing in a world without heat.
mote_stage mote_stage_phase;

// stage_surface.c: the tracked mesh goes with the particles. Reads position and world->from; writes the
// tables of the surface. Nothing where no surface is tracked.
mote_stage mote_stage_surface;

// stage_emit.c: adds particles from emitters, as they are when the step ends.
mote_stage mote_stage_emit;

// stage_leave.c: removes particles in drains and beyond open sides.
mote_stage mote_stage_leave;

// stage_check.c: the watchdog: looks for trouble in position and velocity; keeps the energy balance.
mote_stage mote_stage_check;

#endif
