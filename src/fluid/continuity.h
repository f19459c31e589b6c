// Densities that are followed: d rho / dt = -rho div v, with the diffusion of Molteni & Colagrossi 2009 in
// the form of Antuono et al. 2010 (delta-SPH).
#ifndef MOTE_CONTINUITY_H
#define MOTE_CONTINUITY_H

#include "fluid/pressure.h"

#define MOTE_COMPRESSION_LEAST -0.9f  // D - 1: a fluid has some density

// compression += dt (dD/dt + diffusion); where steps are individual, their rate is this sum. Reads velocity,
// which has the pressure of this step: with the motion that comes then, particles and densities take turns as
// in a leapfrog. `pressures` is for its arrays.
mote_result mote_continuity_advance(mote_fluid *fluid, const mote_pressures *pressures, double dt,
                                    mote_error *error);

#endif
