// Poses of walls and colliders during a step.
#ifndef MOTE_COLLIDERS_H
#define MOTE_COLLIDERS_H

#include "matter/world_data.h"

// Largest speed of a point of its bounds from time t on, over `seconds`.
double mote_collider_speed(const mote_collider_item *item, double t, double seconds);

// v = velocity + spin x (x - pivot - move): the rigid motion from one pose to the other.
void mote_pose_rates(const mote_pose *before, const mote_pose *after, double seconds, double velocity[3],
                     double spin[3]);

// Moves the samples of moving colliders to their current poses, and sets the current velocities of belts.
mote_result mote_colliders_pose(mote_world *world, mote_error *error);

// The obstacles with their motion over the next `seconds`: world->obstacle.
mote_result mote_colliders_obstacles(mote_world *world, double seconds, size_t *count, mote_error *error);

#endif
