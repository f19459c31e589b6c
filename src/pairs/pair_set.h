// Neighbour rows of pair groups and of lanes (fluid.h): finding them by the grid, and the two sums over a
// row of groups that pressure solvers repeat. The sums over lanes are in pair_lanes.h.
#ifndef MOTE_PAIR_SET_H
#define MOTE_PAIR_SET_H

#include "pairs/fluid.h"

// Finds the neighbours of `count` points in the grid and writes the groups' indices; the caller writes
// gradients.
mote_result mote_pair_set_find(mote_pair_set *set, mote_grid *grid, const double *position, size_t count,
                               mote_arena *scratch, mote_error *error);
// Finds the neighbours of the grid's own points, or of those that are `wanted` (the rows of others are
// empty), and calls `use` with rows as soon as they are written. `gradient_factor`: allocates that array,
// which the caller fills.
mote_result mote_pair_lane_set_find(mote_pair_view *set, mote_grid *grid, const uint8_t *wanted,
                                    bool gradient_factor, mote_list_use *use, const void *data,
                                    mote_arena *scratch, mote_error *error);

#ifdef MOTE_ASSERTS
// Invariants: rows lie within `groups` groups, and name particles or the dummy (number `rows`).
void mote_pair_lane_set_check(const mote_pair_view *set, size_t groups);
#else
static inline void mote_pair_lane_set_check(const mote_pair_view *set, size_t groups) {
  (void)set, (void)groups;
}
#endif

#endif
