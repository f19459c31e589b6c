// The flow of particles in two parts: gradients of the linear fit over 4 d, which change slowly and cost
// most, and velocities by means over 2 d, moved to the point by a gradient that is known (mote/track.h,
// docs/theory/tracking.md).
#ifndef MOTE_PARTICLE_FLOW_H
#define MOTE_PARTICLE_FLOW_H

#include <mote/track.h>

// 9 per point, row by row, 1/s; 0 where there is no fit. False: memory is out.
bool mote_track_flow_gradients(mote_track_flow *flow, double time, const double *x, size_t count,
                               double *gradient);

// As mote_track_flow_velocity.
void mote_track_flow_velocity_by(mote_track_flow *flow, double time, const double *x, const double *gradient,
                                 size_t count, double *velocity);

#endif
