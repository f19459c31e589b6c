// Particles at a free surface, and what gas would be there.
#ifndef MOTE_FREE_SURFACE_H
#define MOTE_FREE_SURFACE_H

#include "pairs/fluid.h"
#include "rows/mark_row.h"

// The mark of each particle by its density and the gradient of concentration, and INSIDE for the dummy, in
// scratch memory: SURFACE, NEAR for those with such a neighbour, INSIDE. Reads the arrays of
// mote_fluid_prepare. Walls are no free surface.
mote_result mote_free_surface_take(const mote_fluid *fluid, uint8_t **out, mote_error *error);

// Correction for the missing gas phase above a fluid with surface tension (docs/theory/tension.md, "Air";
// in place of the ghost particles of Schechter & Bridson 2012): the part of the density that gas would fill
// at a free surface. Without it tension would contract the surface until it is as dense as the interior.
// Writes `free_surface_ghosts` and adds it to `relative`, for targets whose material has a tension; null
// where none has. Part of mote_fluid_prepare, after walls.
mote_result mote_free_surface_ghosts_add(mote_fluid *fluid, mote_error *error);

#endif
