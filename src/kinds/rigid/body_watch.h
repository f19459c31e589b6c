// The watchdog of bodies: what is too fast, gains energy without a source, overlaps or has left closed walls
// at the end of a frame is reported once. It changes nothing and is no state (docs/theory/world.md).
#ifndef MOTE_BODY_WATCH_H
#define MOTE_BODY_WATCH_H

#include "matter/world_data.h"

// What a kind of bodies shows at the end of a frame. Elastic bodies can fill one as well.
typedef struct mote_body_sight {
  size_t bodies;
  double kinetic, energy;         // J; energy: all of it
  double weight;                  // N
  double speed, overlap;          // largest, m/s and m
  const char *fastest, *outside;  // names; outside is null: none
  bool driven;                    // something besides them can give them energy
} mote_body_sight;

// Judges a sight at the end of a frame.
void mote_body_watch_judge(mote_world *world, const mote_body_sight *sight);
// A step was taken; `lands`: the frame ends with it.
void mote_body_watch_step(mote_world *world, bool lands);

#endif
