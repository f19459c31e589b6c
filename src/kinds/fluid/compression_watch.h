// The watchdog of compression: a fluid that is compressed by more than 5 % on average over a frame is
// reported once, with the likely reason. It does not change the world and is not state
// (docs/theory/world.md).
#ifndef MOTE_COMPRESSION_WATCH_H
#define MOTE_COMPRESSION_WATCH_H

#include "matter/world_data.h"

// A frame begins, or begins again.
void mote_compression_watch_begin(mote_world *world);
// A step was taken; `lands`: the frame ends with it.
void mote_compression_watch_step(mote_world *world, bool lands);

#endif
