// Weakly compressible pressure: EG09 (47), (51), (54), with a bulk viscosity against sound.
#ifndef MOTE_WCSPH_H
#define MOTE_WCSPH_H

#include "solver/fluid.h"

// Writes pressure; velocity += dt times its acceleration. Reads velocity and what was prepared.
mote_result mote_wcsph_pressure(mote_fluid *fluid, double dt, mote_error *error);

#endif
