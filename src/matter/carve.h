// Removal of fluid particles inside of walls, colliders and rigid bodies when either is added.
#ifndef MOTE_CARVE_H
#define MOTE_CARVE_H

#include "matter/world_data.h"

// Moves the samples of the shape that stay to the front; *kept: their number. ARGUMENT: none is left.
mote_result mote_cut_samples(mote_world *world, const mote_shape *shape, mote_samples *samples, size_t *kept,
                             mote_error *error);

// Whether any of the points is nearer to a wall, a collider or a body whose shape says where it is than
// `reach` spacings; 0: than the clearance of carving.
mote_result mote_cut_near(mote_world *world, const double *position, size_t count, double reach, bool *near,
                          mote_error *error);
// Whether any particle is nearer to a solid than the clearance of carving: packings that do not fit a common
// surface.
mote_result mote_cut_crowded(mote_world *world, bool *crowded, mote_error *error);

// Particles displaced by a new solid in its defined pose: *gone, in scratch, one flag per particle; null:
// none. An error after the first step.
mote_result mote_cut_find(mote_world *world, const mote_shape *obstacle, const char *name, uint8_t **gone,
                          mote_error *error);
void mote_cut_remove(mote_world *world, const uint8_t *gone);

#endif
