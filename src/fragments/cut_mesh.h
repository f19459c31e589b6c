// The surfaces of the fragments of a cut grid: one closed triangle mesh in material space. Outer triangles
// lie where the shape's distance is zero; walls stand in pairs, one triangle on each side of a crack, with
// vertices of their own but at crack fronts, where the two sides meet. Every edge occurs once in each
// direction, and the triangles of a vertex are one fan, by construction. Theory: docs/theory/fragments.md
#ifndef MOTE_CUT_MESH_H
#define MOTE_CUT_MESH_H

#include <mote/geom.h>

#include "fragments/cut_grid.h"

typedef struct mote_cut_mesh {
  mote_mesh mesh;      // the first vertices are the grid's surface points, in any state of the cracks
  uint32_t *fragment;  // of each triangle
  uint8_t *wall;       // of each triangle: 1: of a crack, 0: of the outer surface
  uint32_t *inner;     // of each vertex: an inner node on its side
  size_t vertex_capacity, triangle_capacity, inner_capacity, fragment_capacity, wall_capacity;
} mote_cut_mesh;

// As mote_cut_grid_divide left the grid. `out` is empty or was made before, and is replaced; its memory is
// used again.
mote_result mote_cut_mesh_make(mote_cut_grid *grid, mote_cut_mesh *out, mote_error *error);
void mote_cut_mesh_free(mote_cut_mesh *mesh, const mote_env *env);

// One fragment alone; both arrays of the mesh are allocated through env (mote_mesh_free).
mote_result mote_cut_mesh_take(const mote_cut_mesh *all, uint32_t fragment, const mote_env *env,
                               mote_mesh *out, mote_error *error);

#endif
