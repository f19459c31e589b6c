// Going back to the frame's beginning.
#ifndef MOTE_RETRY_H
#define MOTE_RETRY_H

#include "world/world_data.h"

// Derived fields of all particles as they are when nothing is known.
void mote_retry_forget(mote_world *world);

#endif
