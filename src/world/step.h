// Running the stages.
#ifndef MOTE_STEP_H
#define MOTE_STEP_H

#include "matter/world_data.h"

// Computes densities if they are not known: before the first step and after a load.
mote_result mote_step_measure(mote_world *world, mote_error *error);

// Builds the first mesh of the tracked surface, if there is none yet.
mote_result mote_step_begin_surface(mote_world *world, mote_error *error);

// The stage that ran last.
const char *mote_step_stage(const mote_world *world);

#endif
