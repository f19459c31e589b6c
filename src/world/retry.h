// Going back to the frame's beginning.
#ifndef MOTE_RETRY_H
#define MOTE_RETRY_H

#include "matter/world_data.h"

// Derived fields of all particles as they are when nothing is known.
void mote_retry_forget(mote_world *world);

// A step towards another end than the last one begins a frame. One towards the same end continues the frame,
// also in a world that has just been loaded: with the same tries, and the same beginning to go back to.
mote_result mote_retry_enter_frame(mote_world *world, double until, mote_error *error);

// After a step failed: NUMERIC is tried again, with OK; any other error is returned, the world being at the
// beginning of the frame.
mote_result mote_retry_handle_failure(mote_world *world, const mote_error *why, mote_error *error);

#endif
