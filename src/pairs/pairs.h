// Neighbour lists of a fluid step, and the sums over fluid neighbours that do not change during the step.
#ifndef MOTE_PAIRS_H
#define MOTE_PAIRS_H

#include "pairs/fluid.h"

// The grid that mote_pairs_find needs: created once, kept by the world.
mote_grid_def mote_fluid_grid_def(const mote_fluid *fluid);

// Makes the kernel and the spectrum of the pressure matrix, unless they exist already.
void mote_fluid_make_kernel(mote_fluid *fluid);

// Takes the derived arrays of the step, builds the grid and the neighbour lists, and sums densities,
// gradients and the solve's diagonal over fluid neighbours. `last_relative`: relative densities of particles
// that are not active; read only where steps are individual. The kernel must be made.
mote_result mote_pairs_find(mote_fluid *fluid, mote_grid *grid, const float *last_relative,
                            mote_error *error);

#endif
