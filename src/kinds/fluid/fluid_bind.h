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

// Moves the impulses that the fluid has given to rigid and elastic bodies into the state of these.
void mote_fluid_take_impulses(mote_world *world);

#endif
