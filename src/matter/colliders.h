// Where walls and colliders are during a step.
#ifndef MOTE_COLLIDERS_H
#define MOTE_COLLIDERS_H

#include "matter/world_data.h"

// How fast any point of its bounds moves at time t, taken over `seconds`.
double mote_collider_speed(const mote_collider_item *item, double t, double seconds);

// v = velocity + spin x (x - pivot - move): of a frame that goes from one pose to the other.
void mote_pose_rates(const mote_pose *before, const mote_pose *after, double seconds, double velocity[3],
                     double spin[3]);

// Puts the samples of those that move where they are now, and gives belts their velocities of now.
mote_result mote_colliders_pose(mote_world *world, mote_error *error);

// The obstacles, and how they move from now on in so many seconds: world->obstacle.
mote_result mote_colliders_obstacles(mote_world *world, double seconds, size_t *count, mote_error *error);

#endif
