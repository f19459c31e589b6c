// Running the stages.
#ifndef MOTE_STEP_H
#define MOTE_STEP_H

#include "world/world_data.h"

// One step, not beyond `until`. On failure the state is somewhere within the step: go back.
mote_result mote_step_run(mote_world *world, double until, mote_error *error);

// Densities, where they are not known: before the first step, and after a load.
mote_result mote_step_measure(mote_world *world, mote_error *error);

// The stage that ran last.
const char *mote_step_stage(const mote_world *world);

#endif
