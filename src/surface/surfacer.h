// What a surfacer remembers of its last build, for worlds that save it.
#ifndef MOTE_SURFACER_H
#define MOTE_SURFACER_H

#include <mote/surface.h>

// Adams' distances of particles to the surface, m, by ascending ids. Other methods remember nothing.
typedef struct mote_surface_history {
  const uint64_t *id;
  const float *distance;
  size_t count;
} mote_surface_history;

// Valid until the next build.
mote_surface_history mote_surfacer_history(const mote_surfacer *surfacer);

// What the next build begins with, copied; on failure what it was.
mote_result mote_surfacer_recall(mote_surfacer *surfacer, const mote_surface_history *history,
                                 mote_error *error);

#endif
