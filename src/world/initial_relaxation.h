// A lattice that does not fit to a vessel is too dense at its walls. DFSPH and PCISPH move it apart step by
// step; WCSPH would answer with sound, and be thrown up. It moves apart by its own pressure before the first
// step, with friction and without gravity, and begins with the velocities it was given.
#ifndef MOTE_INITIAL_RELAXATION_H
#define MOTE_INITIAL_RELAXATION_H

#include "world/world_data.h"

// Does nothing after the first step, with other solvers, and where nothing is crowded. Writes position, room.
mote_result mote_world_settle(mote_world *world, mote_error *error);

#endif
