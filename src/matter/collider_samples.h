// Samples of walls, colliders and rigid bodies, by which fluids see them. Theory: docs/theory/shapes.md
#ifndef MOTE_COLLIDER_SAMPLES_H
#define MOTE_COLLIDER_SAMPLES_H

#include "matter/world_data.h"

// Samples the shape of the item and writes item->samples. A body has a layer more than walls.
mote_result mote_collider_samples_add(mote_world *world, mote_boundary *boundary, mote_collider_item *item,
                                      bool is_body, mote_error *error);

#endif
