// Limits of the next time step.
#ifndef MOTE_TIME_LIMIT_H
#define MOTE_TIME_LIMIT_H

#include "pairs/fluid.h"

// The least of the limits by speed and acceleration (cfl), sound (solvers that have it), pressure (those that
// predict positions), artificial viscosity, and viscosity where it is explicit (fluid->implicit), within
// step_min and step_max. Reads velocity, acceleration, pressure, viscosity.
double mote_fluid_step_limit(const mote_fluid *fluid);

// The same for each target alone, of its velocity and an acceleration by all forces: limit[k] of row k; at
// least step_min or not. Explicit viscosity counts.
void mote_fluid_own_limits(const mote_fluid *fluid, const float *acceleration, double *limit);

// Whether viscosity is solved implicitly: as configured, or if its explicit limit is the shortest. Called
// before the forces are known: reads gravity only, from `acceleration`.
bool mote_fluid_wants_implicit(const mote_fluid *fluid);

#endif
