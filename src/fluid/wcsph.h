// Weakly compressible pressure: EG09 (47), (50), (51), (54), DES96 (6), with a bulk viscosity against sound.
#ifndef MOTE_WCSPH_H
#define MOTE_WCSPH_H

#include "pairs/fluid.h"

// Where densities are followed, writes the pressure of the state law. Part of mote_fluid_prepare: walls
// then gather theirs from it.
void mote_wcsph_state(mote_fluid *fluid);

// Writes pressure; velocity += dt times its acceleration; and compression, where it is followed. Reads
// velocity and the prepared arrays. Where steps are individual: for active particles, with their own steps in
// place of dt (individual_steps.h); the change of compression is kept as a rate.
mote_result mote_wcsph_pressure(mote_fluid *fluid, double dt, mote_solve_report *report, mote_error *error);

#endif
