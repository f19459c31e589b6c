// Frames, and restoring the beginning of a frame.
#ifndef MOTE_RETRY_H
#define MOTE_RETRY_H

#include "matter/world_data.h"

// Resets the derived fields of all particles.
void mote_retry_forget(mote_world *world);

// A step to a new end time begins a frame. A step to the same end time continues the frame, also in a loaded
// world: with the same number of tries and the same saved beginning.
mote_result mote_retry_enter_frame(mote_world *world, double until, mote_error *error);

// After a failed step: NUMERIC is retried, with the result OK; any other error is returned. The world is at
// the beginning of the frame.
mote_result mote_retry_handle_failure(mote_world *world, const mote_error *why, mote_error *error);

#endif
