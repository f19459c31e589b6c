// What the fluid stages share: pointers into the store, properties of materials, and the report of solves.
#ifndef MOTE_FLUID_BIND_H
#define MOTE_FLUID_BIND_H

#include "matter/world_data.h"

// Points world->fluid at the rows of the store and writes the properties of each particle's material into
// scratch memory. After rows were sorted, before anything reads world->fluid.
mote_result mote_fluid_bind(mote_world *world, mote_error *error);

// Adds the outcome of a solve to the step's report.
static inline void mote_fluid_note_solve(mote_world *world, const mote_solve_report *solve, int *iterations,
                                         double *fraction) {
  *iterations = solve->iterations;
  *fraction = solve->error;
  world->report.converged = world->report.converged && solve->converged;
}

// Bodies of every kind in the fluid. couple: makes world->fluid.coupled of them. expect: gives these the
// velocities expected at the end of the step without the fluid. take_impulses: adds the fluid's impulses to
// the state of the bodies.
mote_result mote_fluid_couple(mote_world *world, mote_error *error);
mote_result mote_fluid_expect(mote_world *world, mote_error *error);
void mote_fluid_take_impulses(mote_world *world);

#endif
