// Whether a new body of particles is clear of the bodies that are there.
#ifndef MOTE_OVERLAP_H
#define MOTE_OVERLAP_H

#include "matter/world_data.h"

// The body of this shape and these particles. Fluids are cut out of what is `not_fluid`, and do not count
// then. "shape" in error->key.
mote_result mote_overlap_check(mote_world *world, const char *name, const mote_shape *shape,
                               const double *position, size_t count, bool not_fluid, mote_error *error);

// A rigid body where it was defined: clear of elastic bodies, and not hidden between their particles.
mote_result mote_overlap_check_rigid(mote_world *world, const mote_rigid_item *item, mote_error *error);

#endif
