// Whether triangles of a mesh cross each other. Common corners and edges are no crossing; an overlap in one
// plane is, but for triangles that face each other, with two corners at the same points and no vertex in
// common: the two sides of a closed crack.
#ifndef MOTE_TRI_CROSS_H
#define MOTE_TRI_CROSS_H

#include "geom/bvh.h"

bool mote_triangles_cross(const mote_mesh *mesh, size_t s, size_t t);

typedef struct mote_crossings {
  size_t count;     // of pairs; 64 at most are counted of each triangle
  size_t first[2];  // the lower triangle first
} mote_crossings;

mote_result mote_mesh_crossings(const mote_mesh *mesh, const mote_env *env, mote_crossings *out,
                                mote_error *error);

// Which triangles cross another one of the same group; *any: there are some. Pairs of triangles that have not
// moved are not tested.
mote_result mote_mesh_mark_crossings(const mote_mesh *mesh, const uint32_t *group, const uint8_t *moved,
                                     const mote_env *env, uint8_t *crosses, bool *any, mote_error *error);

#endif
