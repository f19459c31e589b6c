// The watchdog of inversion: elastic bodies with particles that are inverted for more than three consecutive
// frames are reported once, with a remedy. It does not change the world and is not state
// (docs/theory/elastic.md, Folds).
#ifndef MOTE_INVERSION_WATCH_H
#define MOTE_INVERSION_WATCH_H

#include "matter/world_data.h"

// Number of inverted particles of bodies without plastic flow; in plastic flow neighbours may pass each
// other.
size_t mote_world_inverted(const mote_world *world);
// A frame has ended.
void mote_inversion_watch_frame(mote_world *world);

#endif
