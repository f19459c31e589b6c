// Whether a new body of particles is away from everything else: decides how it is filled where its definition
// leaves that open (docs/theory/world.md, "Fillings").
#ifndef MOTE_ISOLATED_H
#define MOTE_ISOLATED_H

#include "matter/world_data.h"

// *isolated: none of its particles is nearer than a spacing to a wall, a collider or a body whose shape says
// where it is; nor is its bounding box to that of another body, also of those that a scene adds after it, or
// to its own image over a periodic side; nor, after the first step, to a particle.
mote_result mote_body_is_isolated(mote_world *world, const mote_shape *shape, const double *position,
                                  size_t count, bool *isolated, mote_error *error);

#endif
