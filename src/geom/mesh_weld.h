// The steps of mending a mesh; each works on a mesh that the library allocated.
#ifndef MOTE_MESH_WELD_H
#define MOTE_MESH_WELD_H

#include <mote/geom.h>

// Vertices at the same place become one; triangles that then name a vertex twice go, and vertices without
// triangles.
mote_result mote_mesh_weld(const mote_mesh *mesh, const mote_env *env, mote_mesh *out, mote_error *error);

// Where the vertices of a triangle are collinear, the diagonal shared with its neighbour is flipped.
mote_result mote_mesh_flip_flat(mote_mesh *mesh, const mote_env *env, mote_error *error);

// Turns triangles so that neighbours agree, outer parts look outward and cavities inward.
mote_result mote_mesh_orient(mote_mesh *mesh, const mote_env *env, mote_error *error);

#endif
