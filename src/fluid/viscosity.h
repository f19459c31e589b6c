// Forces besides pressure: gravity and viscosity; and the smoothing of velocities.
#ifndef MOTE_VISCOSITY_H
#define MOTE_VISCOSITY_H

#include "pairs/fluid.h"

// acceleration = gravity + viscosity (EG09 (46), (56) in the pair form of docs/coefficients.md). Reads
// velocity, viscosity and what was prepared; writes acceleration. WCSPH has a viscosity of its own besides.
mote_result mote_fluid_forces(mote_fluid *fluid, mote_error *error);

// velocity += dt acceleration.
void mote_fluid_accelerate(mote_fluid *fluid, double dt);

// XSPH, EG09 (53) in the form that conserves momentum: v_i += sum_j xi_ij (m_j / rho_ij) (v_j - v_i) W_ij
// with means of xi and rho. Reads and writes velocity. Does nothing where all xi are 0.
mote_result mote_fluid_smooth(mote_fluid *fluid, mote_error *error);

#endif
