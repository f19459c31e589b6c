// The steps of mending a mesh; each works on a mesh that the library allocated. docs/theory/shapes.md,
// "Meshes as they are".
#ifndef MOTE_MESH_WELD_H
#define MOTE_MESH_WELD_H

#include "geom/mesh_parts.h"

// Vertices at the same place become one; triangles that then name a vertex twice go, and vertices without
// triangles.
mote_result mote_mesh_weld(const mote_mesh *mesh, const mote_env *env, mote_mesh *out, mote_error *error);
// The same for vertices of open edges alone, where they are nearer to each other than the tolerance.
mote_result mote_mesh_weld_rims(const mote_mesh *mesh, double tolerance, const mote_env *env, mote_mesh *out,
                                mote_error *error);

// Where the vertices of a triangle are collinear, the diagonal shared with its neighbour is flipped.
mote_result mote_mesh_flip_flat(mote_mesh *mesh, const mote_env *env, mote_error *error);

// Turns triangles so that neighbours agree, outer parts look outward and cavities inward. turned: how many.
mote_result mote_mesh_orient(mote_mesh *mesh, const mote_env *env, size_t *turned, mote_error *error);
// The same for given parts. Parts that cross others are no cavities; open ones keep the sense of the file, or
// all are turned where together they look inward. crosses, open: of each part, or null for none.
mote_result mote_mesh_turn_parts(mote_mesh *mesh, const mote_mesh_parts *parts, const bool *crosses,
                                 const bool *open, const mote_env *env, size_t *turned, mote_error *error);

// Closes holes that are small beside the mesh.
mote_result mote_mesh_close_holes(mote_mesh *mesh, const mote_env *env, size_t *closed, mote_error *error);
// Leaves out open parts that have no inside.
mote_result mote_mesh_drop_sheets(mote_mesh *mesh, const mote_mesh_parts *parts, const bool *open,
                                  double tolerance, const mote_env *env, size_t *dropped, mote_error *error);

// Sets crosses[p] for parts that cross another one.
mote_result mote_mesh_mark_parts(const mote_mesh *mesh, const uint32_t *part, double tolerance,
                                 const mote_env *env, bool *crosses, mote_error *error);
// The outer surface of an oriented mesh, of triangles that do not cross. Their sides may meet others in their
// middle.
mote_result mote_mesh_unite(const mote_mesh *mesh, double tolerance, const mote_env *env, mote_mesh *out,
                            mote_error *error);

// All of it, for a mesh that is not clean.
mote_result mote_mesh_mend(const mote_mesh *mesh, const mote_env *env, mote_mesh *out,
                           mote_mesh_mending *mending, mote_error *error);

#endif
