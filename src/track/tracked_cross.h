// Crossings of triangles by a spatial hash: see tracked_cross.c.
#ifndef MOTE_TRACKED_CROSS_H
#define MOTE_TRACKED_CROSS_H

#include <math.h>
#include <mote/geom.h>

#include "base/arena.h"

// Number of pairs of triangles that cross; marks their vertices. `edge`, m: mean edge length. fresh, per
// triangle: two triangles with 0 are not tested against each other; null: all pairs are tested.
mote_result mote_cross_mark(const mote_mesh *mesh, double edge, const uint8_t *fresh, int threads,
                            mote_arena *arena, uint8_t *marked, size_t *crossings, mote_error *error);

// Cells of one width, numbered in 32 bits: from the origin where a mesh is nearer to it than 1e9 cells, else
// from the lowest corner of the mesh.
typedef struct mote_mesh_cells {
  double per_cell;  // 1/m
  double first[3];  // number of the first one, counted from the origin
} mote_mesh_cells;
// For one mesh or more together. ARGUMENT where they are 1e9 cells wide.
mote_result mote_mesh_cells_make(const mote_mesh *mesh, size_t meshes, double width, mote_mesh_cells *out,
                                 mote_error *error);
static inline int32_t mote_mesh_cell(const mote_mesh_cells *cells, double x, int axis) {
  return (int32_t)(floor(x * cells->per_cell) - cells->first[axis]);
}

#endif
