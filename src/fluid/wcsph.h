// Weakly compressible pressure: EG09 (47), (50), (51), (54), DES96 (6), with a bulk viscosity against sound.
#ifndef MOTE_WCSPH_H
#define MOTE_WCSPH_H

#include "pairs/fluid.h"

// Where densities are followed, writes pressure as the state of its density has it. Part of
// mote_fluid_prepare: walls then find theirs from it.
void mote_wcsph_state(mote_fluid *fluid);

// Writes pressure; velocity += dt times its acceleration; and compression, where it is followed. Reads
// velocity and what was prepared. Where steps are individual, of those that are active, in place of dt by
// their own (individual_steps.h), and what compression is of is kept as a rate.
mote_result mote_wcsph_pressure(mote_fluid *fluid, double dt, mote_error *error);

#endif
