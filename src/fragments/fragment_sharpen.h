// Sharp edges and corners of the shape on the pieces of a cut grid, whose triangles cut them off. Theory:
// docs/theory/fragments.md, "Sharp edges"
#ifndef MOTE_FRAGMENT_SHARPEN_H
#define MOTE_FRAGMENT_SHARPEN_H

#include "fragments/cut_mesh.h"

// Edges between points on two faces of the shape are divided, and the new vertices put on both faces, as are
// outer vertices that are off the shape; not where triangles would cross.
mote_result mote_cut_mesh_sharpen(mote_cut_mesh *mesh, const mote_shape *shape, double edge,
                                  const mote_env *env, mote_error *error);

#endif
