// The rate of strain around each particle, and the part of the velocities that it does not explain: the noise
// of particles, which noise damping takes out and waves have none of (docs/theory/fluids.md, "Noise
// damping"; after Frontiere, Raskin & Owen 2017).
#ifndef MOTE_STRAIN_H
#define MOTE_STRAIN_H

#include "pairs/fluid.h"
#include "rows/strain_row.h"

// Of a velocity and one more number of all particles and the dummy, in scratch memory, with one more, the
// dummy's. Needs fluid->linear.
mote_result mote_strain_take(const mote_fluid *fluid, const float (*velocity)[4], mote_strain **out,
                             mote_error *error);

#endif
