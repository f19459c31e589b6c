// The stages of a step, each in a file of its name. A stage works on the whole world, over the time
// world->dt. step.c has their order. No stage calls another; what several need is in matter/ and in
// fluid_bind.h.
#ifndef MOTE_STAGES_H
#define MOTE_STAGES_H

#include "matter/world_data.h"

typedef mote_result mote_stage(mote_world *world, mote_error *error);

// stage_sort.c: sorts the rows of each material by (cell, id), so that neighbours in space are close in
// memory. Reads position, id; moves all fields.
mote_stage mote_stage_sort;

// stage_search.c: binds world->fluid to the fluid rows and to coupled bodies; neighbour lists, densities,
// walls. stage_divergence.c: DFSPH's divergence solve; writes velocity. stage_forces.c: writes acceleration.
// stage_pressure.c: applies accelerations of fluids, gravity and loads of rigid bodies; then viscosity and
// pressure solves; writes velocity, pressure, velocities of rigid bodies, and the impulses of the fluid on
// elastic and lattice rows. The arrays they share: pairs/fluid.h.
mote_stage mote_stage_search, mote_stage_divergence, mote_stage_forces, mote_stage_pressure;

// stage_time_step.c: writes world->dt and world->lands.
mote_stage mote_stage_time_step;

// stage_heat.c: conduction of heat between particles, to walls and air, and sources. Reads position, mass,
// the arrays of world->fluid; writes enthalpy, temperature, liquid fraction. No effect in a world without
// heat.
mote_stage mote_stage_heat;

// stage_move.c: position += dt velocity. Writes position.
mote_stage mote_stage_move;

// stage_collide.c: keeps particles out of walls and colliders. Writes position, velocity, wall distance. The
// second gives bodies no impulses (initial_relaxation.h).
mote_stage mote_stage_collide, mote_stage_keep_out;

// stage_nozzles.c: particles inside a nozzle move with its flow velocity. Reads position; writes velocity.
mote_stage mote_stage_nozzles;

// stage_phase.c: melting of lattices and freezing of melts: moves rows between the blocks of a material.
// Reads enthalpy, temperature; writes the fields of the rows that it moves. No effect in a world without
// heat.
mote_stage mote_stage_phase;

// stage_surface.c: advects the tracked mesh with the particles. Reads position and world->from; writes the
// tables of the surface. No effect where no surface is tracked.
mote_stage mote_stage_surface;

// stage_emit.c: adds particles from emitters, with the position and velocity they have at the end of the
// step.
mote_stage mote_stage_emit;

// stage_leave.c: removes particles in drains and beyond open sides.
mote_stage mote_stage_leave;

// stage_check.c: the watchdog: fails on NaN, on speeds above the limit and on gains of energy.
mote_stage mote_stage_check;

#endif
