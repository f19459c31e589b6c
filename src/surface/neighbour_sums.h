// Sums over the neighbours of a point, four candidates at a time: how many there are, where they are, and the
// weighted moments of YU11 (4.6)-(4.8), (4.14). Lengths in units of the reach, from the corner of a tile.
//
// A tile holds candidates; sums go on from tile to tile, so that there may be any number of them. The lanes'
// partial sums are added when all is in.
#ifndef MOTE_NEIGHBOUR_SUMS_H
#define MOTE_NEIGHBOUR_SUMS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/lane.h"

#define MOTE_CANDIDATES 2048

typedef struct mote_candidates {
  size_t count;
  float x[MOTE_CANDIDATES], y[MOTE_CANDIDATES], z[MOTE_CANDIDATES];
  int32_t label[MOTE_CANDIDATES];
  float volume[MOTE_CANDIDATES];  // in d^3, for targets of their own size only
} mote_candidates;

// Adds `count` points that lie behind each other: 3 doubles each, seen from `corner` in units of 1/per. label
// null: all have 0.
void mote_candidates_add(mote_candidates *candidates, const double *position, const uint32_t *label,
                         size_t count, const double corner[3], double per);

// Pads the last group of four with points that are never neighbours.
void mote_candidates_close(mote_candidates *candidates);

typedef struct mote_target {
  float x[3];
  int32_t label;
  float scale;  // own size only: the unit of length over the target's own reach
  float bulk;   // ... and d^3 over its own volume
} mote_target;

// Sums over the neighbours with the target's label, the target itself among them: of w, w x_ji, w x_ji x_ji^T
// (upper triangle), 1, x_ji.
#define MOTE_NEAR_SUMS 14
#define MOTE_NEAR_COUNT 10

typedef struct mote_neighbour_sums {
  mote_lane sum[MOTE_NEAR_SUMS];
} mote_neighbour_sums;

void mote_neighbours_add(const mote_candidates *candidates, const mote_target *target,
                         mote_neighbour_sums *sums);
// The same in units of the target's own reach, each neighbour counted by its volume over the target's own.
void mote_neighbours_add_own(const mote_candidates *candidates, const mote_target *target,
                             mote_neighbour_sums *sums);

#endif
