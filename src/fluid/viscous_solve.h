// Implicit viscosity: velocities of the step's end, stable for any viscosity and any step.
#ifndef MOTE_VISCOUS_SOLVE_H
#define MOTE_VISCOUS_SOLVE_H

#include "pairs/fluid.h"

// Where fluid->implicit: velocity += the change by viscosity and friction of walls in dt, by backward
// Euler (after Weiler et al. 2018) and conjugate gradients; acceleration gets this change over dt. Reads the
// prepared arrays, viscosity and the pressure of the last step; follows mote_fluid_accelerate. `report` may
// be null.
mote_result mote_viscous_solve(mote_fluid *fluid, double dt, mote_solve_report *report, mote_error *error);

#endif
