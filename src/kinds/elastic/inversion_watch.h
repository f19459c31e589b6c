// The watchdog of inversion: elastic bodies of which particles are turned inside out for more than three
// frames in a row are reported once, with what helps. It changes nothing and is no state
// (docs/theory/elastic.md, Folds).
#ifndef MOTE_INVERSION_WATCH_H
#define MOTE_INVERSION_WATCH_H

#include "matter/world_data.h"

// Particles that are turned inside out now, of bodies without plastic flow, whose neighbours may pass.
size_t mote_world_inverted(const mote_world *world);
// A frame has ended.
void mote_inversion_watch_frame(mote_world *world);

#endif
