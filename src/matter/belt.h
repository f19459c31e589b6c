// Surfaces with a tangential velocity, like conveyor belts: formulas in x y z and t at the samples of walls
// and colliders.
#ifndef MOTE_BELT_H
#define MOTE_BELT_H

#include "matter/world_data.h"

#define MOTE_BELT_VARIABLES "x y z t"

// Whether it moves at all, and whether its velocity depends on time.
bool mote_belt_slides(const mote_collider_item *item);
bool mote_belt_varies(const mote_collider_item *item);

// The largest speed of any of these points at time t; infinite where it is not finite.
double mote_belt_speed(const mote_world *world, const mote_collider_item *item, const double *position,
                       size_t count, double t);

// Gives the samples of the item in `boundary`, which are at `position` at rest, the velocity at time t.
mote_result mote_belt_set(const mote_world *world, mote_boundary *boundary, const mote_collider_item *item,
                          const double *position, double t, mote_error *error);

#endif
