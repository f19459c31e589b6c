// Motion that is no velocity: what moves particles apart in one step without leaving them a speed.
#ifndef MOTE_SHIFT_H
#define MOTE_SHIFT_H

#include "solver/fluid.h"

// What is added to velocity between begin and end is a shift, cut to 0.2 spacings in a step of dt: particles
// that lie on top of each other would be flung apart. Writes velocity and, in scratch memory, shift.
mote_result mote_shift_begin(mote_fluid *fluid, mote_error *error);
void mote_shift_end(mote_fluid *fluid, double dt);

// To be called once particles have moved, before the scratch memory is released: velocity -= shift. Does
// nothing where there is none.
void mote_shift_settle(mote_fluid *fluid);

#endif
