// The other pair forms of the acceleration by pressure (EG09 6.1): with V' = V / D, rho = rho0 D,
//   mean       a_i = -1/rho_i       sum_j V'_j (p_i + p_j) grad W_ij
//   plain (50) a_i = -1/rho_i       sum_j V'_j  p_j        grad W_ij
//   corrected  a_i = -1/rho_i  L_i  sum_j V'_j (p_j - p_i) grad W_ij   (gradient_correction.h)
// The text below (50) prints half of the first, which would give half of the gradient.
#ifndef MOTE_PRESSURE_FORMS_H
#define MOTE_PRESSURE_FORMS_H

#include "fluid/pressure.h"

// flow = V a. Reads V P of particles and samples, and the fluid's densities. Applies impulses to coupled
// bodies over dt.
mote_result mote_pair_forms_accelerate(const mote_pressures *pressures, mote_fluid *fluid, double dt,
                                       mote_error *error);

#endif
