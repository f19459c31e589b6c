// The sense of a mesh's parts, each by its own volume, so that all limbs are inside.
#ifndef MOTE_DEFORM_TURN_H
#define MOTE_DEFORM_TURN_H

#include <mote/geom.h>

#include "base/arena.h"

// Turns the triangles of closed parts that enclose a negative volume, and of triangles within a part against
// the others. A part that lies inside another is solid or a cavity, as the file has it. Nothing changes in a
// mesh of one part that is turned outward.
// part: of each triangle; UINT32_MAX where it has none.
mote_result mote_deform_turn_parts(mote_mesh *mesh, uint32_t *part, mote_arena *own, mote_error *error);

#endif
