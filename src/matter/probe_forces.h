// Forces on bodies and colliders in the last step, for probes: by contact with rigid bodies and walls, by
// contact with elastic bodies, by fluids. Not summed without a force probe.
#ifndef MOTE_PROBE_FORCES_H
#define MOTE_PROBE_FORCES_H

#include "matter/world_data.h"

// A step begins: sums are 0.
mote_result mote_probe_forces_begin(mote_world *world, mote_error *error);

// Adds an impulse, N s, of the fluid on a rigid or an elastic body.
void mote_probe_forces_add(mote_world *world, mote_kind kind, size_t k, const double impulse[3]);

// N, the mean of the last step; 0 before the first one, and after a snapshot was loaded.
void mote_probe_forces_read(const mote_world *world, int target, size_t index, double force[3]);

#endif
