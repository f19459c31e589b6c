// Surfaces of brittle bodies: limits the stretch of triangles whose corners move with particles on both sides
// of a crack. Theory: docs/theory/fragments.md, "Stretched"
#ifndef MOTE_FRAGMENT_LIMIT_H
#define MOTE_FRAGMENT_LIMIT_H

#include <mote/geom.h>

// Moves the corners of triangles whose longest side is more than `times` that at rest towards each other,
// until there are none. `vertex`: current positions; those of `mesh` are at rest. *left: triangles still too
// long.
mote_result mote_fragment_limit(const mote_mesh *rest, double times, const mote_env *env, double *vertex,
                                size_t *left, mote_error *error);

#endif
