// The first stage of a fluid step: neighbours and densities (pairs.h), then walls, coupled bodies and
// free-surface ghosts.
#ifndef MOTE_PREPARE_H
#define MOTE_PREPARE_H

#include "pairs/boundary.h"
#include "pairs/fluid.h"

// Reads the constants, position, mass, rest_density. Writes density and all derived arrays, in
// fluid->scratch. `boundary` may be null. Fails for lack of memory, and where a position is not finite
// (ARGUMENT, by the search). The derived arrays are valid until the scratch memory is released or the grid is
// used again.
mote_result mote_fluid_prepare(mote_fluid *fluid, mote_boundary *boundary, mote_grid *grid,
                               mote_error *error);

#endif
