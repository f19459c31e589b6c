// A packing that does not fit its vessel is too dense at the walls. Solvers with shifting separate the
// particles step by step; WCSPH would respond with sound waves. For it the particles are separated by their
// own pressure before the first step, damped and without gravity, and then start with their initial
// velocities.
#ifndef MOTE_INITIAL_RELAXATION_H
#define MOTE_INITIAL_RELAXATION_H

#include "matter/world_data.h"

// No effect after the first step, for solvers with shifting, and if no density is too high. Writes position,
// wall distance.
mote_result mote_initial_relaxation(mote_world *world, mote_error *error);

#endif
