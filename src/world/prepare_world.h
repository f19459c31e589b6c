// Data derived from the definitions before the first step: samples of walls, the expected speed.
#ifndef MOTE_PREPARE_WORLD_H
#define MOTE_PREPARE_WORLD_H

#include "matter/world_data.h"

// No effect if nothing was added since the last call. Depends on definitions and commands only, never on the
// state of the particles: a world that loads a snapshot has the same walls and limits.
mote_result mote_world_make_ready(mote_world *world, mote_error *error);

#endif
