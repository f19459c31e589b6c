// The relative density D that particles next to a flat free surface have on a packing at rest, as a function
// of the gradient sum |g| there: both follow from the depth of the row. Where D is lower, there is a deficit
// to be filled; where it is equal, the neighbourhood is cut off by the surface and there is no deficit
// (docs/theory/fluids.md, "Free surfaces").
#ifndef MOTE_SURFACE_DENSITY_H
#define MOTE_SURFACE_DENSITY_H

#include "pairs/fluid.h"

// Of a kernel that is scaled to D = 1 inside the packing.
mote_surface_density mote_surface_density_of(const mote_kernel *kernel, double spacing);

#endif
