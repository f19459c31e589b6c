// Forces besides pressure: gravity and viscosity.
#ifndef MOTE_VISCOSITY_H
#define MOTE_VISCOSITY_H

#include "pairs/fluid.h"

// acceleration = gravity + viscosity (EG09 (46), (56) in the pair form of docs/coefficients.md). Reads
// velocity, viscosity and the prepared arrays; writes acceleration. WCSPH adds a viscosity of its own.
mote_result mote_fluid_forces(mote_fluid *fluid, mote_error *error);

// velocity += dt acceleration.
void mote_fluid_accelerate(mote_fluid *fluid, double dt);

#endif
