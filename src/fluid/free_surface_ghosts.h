// Air above a fluid with surface tension (docs/theory/tension.md, "Air"; after Schechter & Bridson 2012,
// whose ghosts it stands for): what it would add to the densities of particles at a free surface. Without it
// tension would draw them together until they are as dense as those inside.
#ifndef MOTE_FREE_SURFACE_GHOSTS_H
#define MOTE_FREE_SURFACE_GHOSTS_H

#include "pairs/fluid.h"

// Writes `air` and adds it to `relative`, of targets whose material has a tension; null where none has. Part
// of mote_fluid_prepare, after walls.
mote_result mote_air_fill(mote_fluid *fluid, mote_error *error);

#endif
