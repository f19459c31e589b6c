// Against the tensile instability (Monaghan 2000, J. Comput. Phys. 159:290): where a pressure is negative,
// a short-range repulsion,
//   a_i -= 1/rho0_i sum_j V_j (A_i + A_j) (W_ij / W(d))^4 grad W_ij,   A = epsilon |p| / D^2 where p < 0.
// Central pair forces: both momenta are conserved. For materials with a stiffness of their own.
#ifndef MOTE_TENSILE_H
#define MOTE_TENSILE_H

#include "fluid/pressure.h"

// Adds to flow = V a, where any material has a stiffness of its own; reads the pressures of particles.
mote_result mote_tensile_add(const mote_pressures *pressures, mote_fluid *fluid, mote_error *error);

#endif
