// A packing that does not fit its vessel is too dense at the walls. Solvers with shifts separate the
// particles step by step; WCSPH would answer with sound waves. There the particles separate by their own
// pressure before the first step, damped and without gravity, and then start with their initial velocities.
#ifndef MOTE_INITIAL_RELAXATION_H
#define MOTE_INITIAL_RELAXATION_H

#include "matter/world_data.h"

// Does nothing after the first step, for solvers with shifts, and where nothing is crowded. Writes
// position, wall distance.
mote_result mote_initial_relaxation(mote_world *world, mote_error *error);

#endif
