// Colours of the materials at the vertices of a tracked mesh: field "colour".
#ifndef MOTE_TRACK_COLOURS_H
#define MOTE_TRACK_COLOURS_H

#include <mote/scene.h>

#include "cli/track/track_frame.h"

// Vertices whose colour is not a number take that of the material of the nearest particle; all do where there
// is no such field yet.
mote_result track_colours_fill(mote_tracked *tracked, const mote_scene *scene, const track_frame *frame,
                               const mote_env *env, mote_error *error);

#endif
