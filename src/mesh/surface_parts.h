// The parts of a surface, by vertices.
#ifndef MOTE_SURFACE_PARTS_H
#define MOTE_SURFACE_PARTS_H

#include <mote/surface.h>

#include "base/arena.h"

// part[v], numbered in the order of their first vertices; a vertex without triangles is a part. Returns the
// number of parts.
size_t mote_surface_parts(const mote_mesh *mesh, uint32_t *part);

// Leaves out the parts that do not stay (false) from the surface.
mote_result mote_surface_keep_parts(mote_surface *surface, const uint32_t *part, const bool *stays,
                                    mote_arena *arena, const mote_env *env, mote_error *error);

#endif
