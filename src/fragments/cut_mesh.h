// The surfaces of the fragments of a cut grid: one closed triangle mesh in material space. Outer triangles
// lie on the zero level of the shape's distance; crack faces come in pairs, one triangle on each side, which
// share vertices only at crack fronts. The mesh is a manifold by construction: every edge occurs once in each
// direction, and the triangles of a vertex form one fan. Theory: docs/theory/fragments.md
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

// The mesh of the grid after mote_cut_grid_divide. `out` is zero-initialised or from an earlier call; it is
// overwritten and its memory reused.
mote_result mote_cut_mesh_make(mote_cut_grid *grid, mote_cut_mesh *out, mote_error *error);
void mote_cut_mesh_free(mote_cut_mesh *mesh, const mote_env *env);

// One fragment alone; both arrays of the mesh are allocated through env (mote_mesh_free).
mote_result mote_cut_mesh_take(const mote_cut_mesh *all, uint32_t fragment, const mote_env *env,
                               mote_mesh *out, mote_error *error);

#endif
