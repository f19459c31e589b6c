// The watchdog of bodies: bodies that are too fast, gain energy without a source, overlap or have left closed
// walls at the end of a frame are reported once. It does not change the world and is not state
// (docs/theory/world.md).
#ifndef MOTE_BODY_WATCH_H
#define MOTE_BODY_WATCH_H

#include "matter/world_data.h"

// Observations of the bodies of one kind at the end of a frame.
typedef struct mote_body_sight {
  size_t bodies;
  double kinetic, energy;         // J; energy: all of it
  double weight;                  // N
  double speed, overlap;          // largest, m/s and m
  const char *fastest, *outside;  // names; outside is null: none
  bool driven;                    // something besides them can give them energy
} mote_body_sight;

// Evaluates the observations at the end of a frame.
void mote_body_watch_judge(mote_world *world, const mote_body_sight *sight);
// A step was taken; `lands`: the frame ends with it.
void mote_body_watch_step(mote_world *world, bool lands);

#endif
