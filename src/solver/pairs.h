// The first stage of a fluid step: who is near whom, and the sums that do not change during the step.
#ifndef MOTE_PAIRS_H
#define MOTE_PAIRS_H

#include "solver/boundary.h"
#include "solver/fluid.h"

// The grid that mote_fluid_prepare needs: created once, kept by the world.
mote_grid_def mote_fluid_grid_def(const mote_fluid *fluid);

// The kernel, where it is not made yet: part of
void mote_fluid_make_kernel(mote_fluid *fluid);

// Reads the constants, position, mass, rest_density. Writes density and all that is derived, in
// fluid->scratch. `boundary` may be null. Fails for want of memory, and where a position is not finite
// (ARGUMENT, by the search). The derived arrays are valid until the scratch memory is released or the grid is
// used again.
mote_result mote_fluid_prepare(mote_fluid *fluid, mote_boundary *boundary, mote_grid *grid,
                               mote_error *error);

#endif
