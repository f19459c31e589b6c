// Correction for the missing gas phase above a fluid with surface tension (docs/theory/tension.md,
// "Free-surface ghosts"; in place of the ghost particles of Schechter & Bridson 2012): the part of the
// density that gas would fill at a free surface. Without it tension would contract the surface until it is as
// dense as the interior.
#ifndef MOTE_FREE_SURFACE_GHOSTS_H
#define MOTE_FREE_SURFACE_GHOSTS_H

#include "pairs/fluid.h"

// Writes `free_surface_ghosts` and adds it to `relative`, for targets whose material has a tension; null
// where none has. Part of mote_fluid_prepare, after walls.
mote_result mote_free_surface_ghosts_add(mote_fluid *fluid, mote_error *error);

#endif
