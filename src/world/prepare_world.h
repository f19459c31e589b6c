// What is made of the definitions before the first step: samples of walls, the speed to be expected.
#ifndef MOTE_PREPARE_WORLD_H
#define MOTE_PREPARE_WORLD_H

#include "matter/world_data.h"

// Does nothing when nothing was added since the last time. Depends on definitions and commands only, never on
// what the particles have done: a world that loads a snapshot has the same walls and limits.
mote_result mote_world_make_ready(mote_world *world, mote_error *error);

// The bounds of all that is or was there, where it ends.
void mote_world_extent(const mote_world *world, double low[3], double high[3]);
// What falls from end to end of all that is or was there gains by this acceleration: half of its squared
// speed, m^2/s^2.
double mote_world_fall(const mote_world *world, const double acceleration[3]);

#endif
