// Followed densities: d rho / dt = -rho div v, with the diffusion of Molteni & Colagrossi 2009 in
// the form of Antuono et al. 2010 (delta-SPH).
#ifndef MOTE_CONTINUITY_H
#define MOTE_CONTINUITY_H

#include "fluid/pressure.h"

// compression += dt (dD/dt + diffusion); where steps are individual, writes this sum as the rate. Reads the
// velocity after the pressure of this step: positions and densities then alternate as in a leapfrog scheme.
// `pressures` lends its arrays.
mote_result mote_continuity_advance(mote_fluid *fluid, const mote_pressures *pressures, double dt,
                                    mote_error *error);

#endif
