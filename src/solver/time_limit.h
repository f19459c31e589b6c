// How long the next step may be.
#ifndef MOTE_TIME_LIMIT_H
#define MOTE_TIME_LIMIT_H

#include "solver/fluid.h"

// The least of the limits by speed and acceleration (cfl), viscosity and sound (WCSPH), within step_min and
// step_max. Reads velocity, acceleration, viscosity.
double mote_fluid_step_limit(const mote_fluid *fluid);

#endif
