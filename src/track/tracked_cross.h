// Crossings of triangles by a spatial hash: see tracked_cross.c.
#ifndef MOTE_TRACKED_CROSS_H
#define MOTE_TRACKED_CROSS_H

#include <mote/geom.h>

#include "base/arena.h"

// Number of pairs of triangles that cross; marks their vertices. `edge`, m: mean edge length. fresh, per
// triangle: two triangles with 0 are not tested against each other; null: all pairs are tested.
mote_result mote_cross_mark(const mote_mesh *mesh, double edge, const uint8_t *fresh, int threads,
                            mote_arena *arena, uint8_t *marked, size_t *crossings, mote_error *error);

#endif
