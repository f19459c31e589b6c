// Speeds of colliders and nozzles.
#ifndef MOTE_STAGE_TIME_STEP_H
#define MOTE_STAGE_TIME_STEP_H

#include "matter/world_data.h"

// Speed of the fastest point of a collider at time t, over the next `seconds`, and of the flow of a nozzle,
// m/s.
double mote_fastest_collider(const mote_world *world, double t, double seconds);
double mote_fastest_nozzle(const mote_world *world, double t);

#endif
