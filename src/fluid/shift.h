// Displacement that is not part of the velocity: separates particles in one step without changing their
// speed. The shifts of a step add up and are limited to 0.2 spacings, since coincident particles would be
// thrown apart.
#ifndef MOTE_SHIFT_H
#define MOTE_SHIFT_H

#include "pairs/fluid.h"

// Changes of velocity between begin and end are a shift. Writes velocity and, in scratch memory, shift.
mote_result mote_shift_begin(mote_fluid *fluid, mote_error *error);
void mote_shift_end(mote_fluid *fluid, double dt);

// Adds a given shift (m/s); mote_shift_make allocates the array if there is none yet.
mote_result mote_shift_make(mote_fluid *fluid, mote_error *error);
void mote_shift_add(mote_fluid *fluid, const float *motion, double dt);

// velocity -= shift. Call after the motion, before the scratch memory is released. Does nothing without a
// shift.
void mote_shift_settle(mote_fluid *fluid);

#endif
