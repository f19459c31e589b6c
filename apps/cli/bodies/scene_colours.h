// How pictures of a scene are coloured where nothing says it.
#ifndef MOTE_SCENE_COLOURS_H
#define MOTE_SCENE_COLOURS_H

#include <mote/draw.h>
#include <mote/scene.h>

// How many materials flow in the scene, and the first of them; null: none.
size_t scene_fluids(const mote_scene *scene, const mote_material_def **first);
// What colours particles: outputs.colour_by; where that is auto, material if several flow, else velocity.
// Null: nothing.
const char *scene_colour_by(const mote_scene *scene);

#endif
