// Rates of compression that are exact on linear velocity fields, and the pressure forces that are adjoint to
// them (docs/theory/fluids.md, "Consistent rates"). With L_i of gradient_correction.h,
//   dD_i/dt = sum_j V_j (v_i - v_j) . L_i grad W_ij,    F_i = -V_i [P_i L_i g_i + sum_j V_j P_j L_j grad
//   W_ij].
// Uniform motion and rotation have no rate, so both momenta are conserved; rate and force are adjoint, so a
// projection only removes energy. Next to walls and at free surfaces L is the identity.
#ifndef MOTE_CONSISTENT_H
#define MOTE_CONSISTENT_H

#include "pairs/fluid.h"

// Makes fluid->linear where rates or noise damping need it, and fluid->corrected where rates are consistent;
// else they are null. After neighbours, densities and walls.
mote_result mote_consistent_prepare(mote_fluid *fluid, mote_error *error);

#endif
