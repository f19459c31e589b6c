// A key from a run: the mesh as an elastic body of it carries it, in one of its files.
#ifndef MOTE_ANIMATE_SNAPSHOT_H
#define MOTE_ANIMATE_SNAPSHOT_H

#include "cli/deform/deform_shape.h"

// Vertices of the shape's mesh, which is given at the initial position of the body, as in shape->moved.
// `text` gets what is wrong; false: it cannot be read.
bool animate_snapshot_read(const deform_shape *shape, const char *path, const char *body, char text[400]);

#endif
