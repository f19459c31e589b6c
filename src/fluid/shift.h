// Motion that is no velocity: what moves particles apart in one step without leaving them a speed. All shifts
// of a step add up, and are cut to 0.2 spacings: particles that lie on top of each other would be flung
// apart.
#ifndef MOTE_SHIFT_H
#define MOTE_SHIFT_H

#include "pairs/fluid.h"

// What is added to velocity between begin and end is a shift. Writes velocity and, in scratch memory, shift.
mote_result mote_shift_begin(mote_fluid *fluid, mote_error *error);
void mote_shift_end(mote_fluid *fluid, double dt);

// The same for a motion (m/s) that is given: after make, which takes the memory if there is none yet.
mote_result mote_shift_make(mote_fluid *fluid, mote_error *error);
void mote_shift_add(mote_fluid *fluid, const float *motion, double dt);

// To be called once particles have moved, before the scratch memory is released: velocity -= shift. Does
// nothing where there is none.
void mote_shift_settle(mote_fluid *fluid);

#endif
