// What is made of the definitions before the first step: samples of walls, the speed to be expected.
#ifndef MOTE_PREPARE_WORLD_H
#define MOTE_PREPARE_WORLD_H

#include "matter/world_data.h"

// Does nothing when nothing was added since the last time. Depends on definitions and commands only, never on
// what the particles have done: a world that loads a snapshot has the same walls and limits.
mote_result mote_world_make_ready(mote_world *world, mote_error *error);

#endif
