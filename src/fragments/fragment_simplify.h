// Fewer triangles for the pieces of a cut grid. Theory: docs/theory/fragments.md, "Simplified"
#ifndef MOTE_FRAGMENT_SIMPLIFY_H
#define MOTE_FRAGMENT_SIMPLIFY_H

#include "fragments/cut_mesh.h"

typedef struct mote_simplify_limits {
  const mote_shape *shape;
  double outer, wall;  // m: of vertices of the mesh from what is left
  double volume;       // change of the volume of all pieces, m^3
  const float *value;  // of each vertex, `values` each: what the outer surface shows changes by at most 1
  size_t values;
} mote_simplify_limits;

// Vertices of the mesh go into neighbours, so that those that are left are where they were.
mote_result mote_cut_mesh_simplify(mote_cut_mesh *mesh, const mote_simplify_limits *limits, double edge,
                                   const mote_env *env, mote_error *error);

#endif
