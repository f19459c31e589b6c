// Crossings of triangles by a hash of cells: see tracked_cross.c.
#ifndef MOTE_TRACKED_CROSS_H
#define MOTE_TRACKED_CROSS_H

#include <mote/geom.h>

#include "base/arena.h"

// Pairs of triangles that cross; marks the vertices of these. `edge`, m: about that of the triangles. fresh,
// per triangle: of the others no two are looked at together; null: all are.
mote_result mote_cross_mark(const mote_mesh *mesh, double edge, const uint8_t *fresh, int threads,
                            mote_arena *arena, uint8_t *marked, size_t *crossings, mote_error *error);

#endif
