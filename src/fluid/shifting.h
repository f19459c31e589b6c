// Particle shifting (Lind et al. 2012; Sun et al. 2017): moves particles down the gradient of
// concentration, where the flow has formed strings and gaps.
#ifndef MOTE_SHIFTING_H
#define MOTE_SHIFTING_H

#include <math.h>

#include "fluid/tuning.inc"
#include "pairs/fluid.h"
#include "scene/pressure_kinds.h"

// S of the definition, or the default: neither followed densities nor consistent rates feel where particles
// lie unevenly, so they need shifting. Not with surface tension, where it damps swings
// (docs/theory/fluids.md, "Consistent rates").
static inline double mote_shifting_strength(const mote_fluid *fluid) {
  if (!isnan(fluid->solver.shifting)) return fluid->solver.shifting;
  if (mote_pressure_follows_density(&fluid->solver)) return MOTE_SHIFTING_FOLLOWED;
  return fluid->corrected != NULL && fluid->tension == NULL ? MOTE_SHIFTING_CONSISTENT : 0.0;
}

// Adds to the shift of this step (shift.h) -S v R (g_i + G_i), the gradient of concentration times a speed:
// the largest difference of velocity to a neighbour or, where more, the sqrt(-p/rho0) of a tension. Particles
// at a free surface are not shifted, those near one only along it. Call last before the motion. Does nothing
// where S is 0.
mote_result mote_shifting(mote_fluid *fluid, double dt, mote_error *error);

#endif
