// The mesh where a sparse field is zero: closed, oriented outward, a 2-manifold, no triangle without area.
// docs/theory/surfaces.md
#ifndef MOTE_MARCHING_CUBES_H
#define MOTE_MARCHING_CUBES_H

#include <mote/geom.h>

#include "base/arena.h"
#include "mesh/sparse_field.h"

// Which edge of the grid a vertex lies on: node, axis; t from the node's end. Interior vertices of ambiguous
// cells have axis 3.
typedef struct mote_grid_vertex {
  uint32_t block;
  uint16_t node;  // in the block
  uint16_t axis;
} mote_grid_vertex;

// Vertices sorted by (block, node, axis), triangles by (block, cell). out->vertex and out->triangle are
// allocated through env; `*place` (one per vertex) is scratch memory of the arena.
mote_result mote_marching_cubes(const mote_sparse_field *field, mote_arena *scratch, const mote_env *env,
                                mote_mesh *out, const mote_grid_vertex **place, mote_error *error);

#endif
