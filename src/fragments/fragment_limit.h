// Surfaces of bodies that break without flowing: triangles whose corners are carried by particles of two
// sides of a crack are not drawn out. Theory: docs/theory/fragments.md, "Stretched"
#ifndef MOTE_FRAGMENT_LIMIT_H
#define MOTE_FRAGMENT_LIMIT_H

#include <mote/geom.h>

// Moves the corners of triangles whose longest side is more than `times` that at rest towards each other,
// until there are none. `vertex`: the places now of the mesh's vertices, which are those at rest. *left:
// triangles for which no places were found.
mote_result mote_fragment_limit(const mote_mesh *rest, double times, const mote_env *env, double *vertex,
                                size_t *left, mote_error *error);

#endif
