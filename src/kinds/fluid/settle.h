// A filling that is compressed nowhere: docs/theory/world.md, "Fillings".
#ifndef MOTE_SETTLE_H
#define MOTE_SETTLE_H

#include "matter/world_data.h"

// Moves the first `count` samples, of equal volumes, apart until none is denser than the fluid at rest.
// Nothing else counts: neither walls nor other bodies.
mote_result mote_settle_samples(mote_world *world, mote_samples *samples, size_t count, mote_error *error);

#endif
