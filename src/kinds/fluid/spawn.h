// New particles, from bodies and emitters.
#ifndef MOTE_SPAWN_H
#define MOTE_SPAWN_H

#include "matter/world_data.h"

// Adds `count` particles of the material, each of this volume, behind those that are there. Positions and
// velocities are for the caller to write: *first is the row in the store of the first of them.
mote_result mote_spawn(mote_world *world, uint32_t material, uint32_t body, double volume, size_t count,
                       size_t *first, mote_error *error);

#endif
