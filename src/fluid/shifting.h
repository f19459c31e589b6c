// Particle shifting (Lind et al. 2012; Sun et al. 2017): particles that the flow has drawn out into strings
// and left gaps between are moved from where they are many to where they are few.
#ifndef MOTE_SHIFTING_H
#define MOTE_SHIFTING_H

#include <math.h>

#include "pairs/fluid.h"

#define MOTE_SHIFTING_AUTO 4.0

// S: what was said, or what the solver needs: densities that are followed do not part particles.
static inline double mote_shifting_strength(const mote_solver_def *solver) {
  if (!isnan(solver->shifting)) return solver->shifting;
  bool followed = solver->pressure == MOTE_PRESSURE_WCSPH && solver->density == MOTE_DENSITY_FOLLOWED;
  return followed ? MOTE_SHIFTING_AUTO : 0.0;
}

// Adds to the shift of this step (shift.h) -S v R (g_i + G_i), the gradient of concentration times a speed:
// the largest difference of velocity to a neighbour or, where more, the sqrt(-p/rho0) of a tension. At a free
// surface nothing moves, near one only along it. To be called last before the motion. Does nothing where S is
// 0.
mote_result mote_shifting(mote_fluid *fluid, double dt, mote_error *error);

#endif
