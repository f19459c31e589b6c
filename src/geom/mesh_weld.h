// The steps of mending a mesh; each works on a mesh that the library allocated.
#ifndef MOTE_MESH_WELD_H
#define MOTE_MESH_WELD_H

#include <mote/geom.h>

// Vertices at the same place become one; triangles that then name a vertex twice go, and vertices without
// triangles.
mote_result mote_mesh_weld(const mote_mesh *mesh, const mote_env *env, mote_mesh *out, mote_error *error);

// Where three vertices of a triangle stand in a row, the diagonal to its neighbour is drawn the other way.
mote_result mote_mesh_flip_flat(mote_mesh *mesh, const mote_env *env, mote_error *error);

// Turns triangles so that neighbours agree, outer parts look outward and cavities inward.
mote_result mote_mesh_orient(mote_mesh *mesh, const mote_env *env, mote_error *error);

#endif
