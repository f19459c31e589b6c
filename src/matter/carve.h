// Fluids are cut out of what is solid when they, or it, are added: of walls, colliders and rigid bodies.
#ifndef MOTE_CARVE_H
#define MOTE_CARVE_H

#include "matter/world_data.h"

// Moves the samples of the shape that stay to the front; *kept: how many. ARGUMENT where none is left.
mote_result mote_cut_samples(mote_world *world, const mote_shape *shape, mote_samples *samples, size_t *kept,
                             mote_error *error);

// Whether any particle is nearer to something solid than what is cut would leave it: lattices that do not fit
// to a surface they share.
mote_result mote_cut_crowded(mote_world *world, bool *crowded, mote_error *error);

// Which particles a new solid, where it was defined, takes the place of: *gone, in scratch, one each; null:
// there are none. After the first step that is refused.
mote_result mote_cut_find(mote_world *world, const mote_shape *obstacle, const char *name, uint8_t **gone,
                          mote_error *error);
void mote_cut_remove(mote_world *world, const uint8_t *gone);

#endif
