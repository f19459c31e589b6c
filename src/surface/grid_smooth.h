// Smoothing of a field over the nodes of its grid, as Zhu & Bridson do before they mesh it.
#ifndef MOTE_GRID_SMOOTH_H
#define MOTE_GRID_SMOOTH_H

#include "base/arena.h"
#include "mesh/sparse_field.h"

#define MOTE_GRID_SMOOTH_MOST 4  // passes, so that one ring of blocks around the surface is enough

// Each pass makes a node's value the mean of (1, 2, 1)/4 along each axis; nodes of absent blocks are as the
// nearest that is there.
mote_result mote_grid_smooth(const mote_sparse_field *field, int passes, mote_arena *scratch, int threads,
                             mote_error *error);

#endif
