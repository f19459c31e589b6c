// Finds particles at a free surface by their density and the gradient of concentration.
#ifndef MOTE_FREE_SURFACE_H
#define MOTE_FREE_SURFACE_H

#include "pairs/fluid.h"

typedef enum mote_surface_mark { MOTE_MARK_INSIDE, MOTE_MARK_NEAR, MOTE_MARK_SURFACE } mote_surface_mark;

// The mark of each particle, and INSIDE for the dummy, in scratch memory: SURFACE, NEAR for those with such a
// neighbour, INSIDE. Reads the arrays of mote_fluid_prepare. Walls are no free surface.
mote_result mote_free_surface_take(const mote_fluid *fluid, uint8_t **out, mote_error *error);

#endif
