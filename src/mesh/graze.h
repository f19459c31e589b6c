// Vertices of marching cubes that crowd about a node of the grid are moved apart along their edges: thin
// triangles come from them. docs/theory/marching_cubes.md, "Small angles"
#ifndef MOTE_GRAZE_H
#define MOTE_GRAZE_H

#include "mesh/marching_cubes.h"

// Reads the field, moves vertices on edges. MEMORY: the scratch is out of it.
mote_result mote_graze(const mote_sparse_field *field, const mote_grid_vertex *place, size_t count,
                       double *vertex, mote_arena *scratch, int threads, mote_error *error);

#endif
