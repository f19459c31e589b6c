// How pictures of a scene are coloured where nothing says it: see scene_colours.h.
#include "cli/bodies/scene_colours.h"

#include <string.h>

#include "cli/base/scene_kinds.h"

size_t scene_fluids(const mote_scene *scene, const mote_material_def **first) {
  size_t count = 0;
  *first = NULL;
  for (size_t m = 0; m < scene->materials; ++m) {
    bool used = false;
    const char *name = scene->material[m].name;
    if (!material_is_fluid(&scene->material[m])) continue;
    for (size_t b = 0; b < scene->bodies; ++b) used = used || strcmp(scene->body[b].material, name) == 0;
    for (size_t e = 0; e < scene->emitters; ++e) used = used || strcmp(scene->emitter[e].material, name) == 0;
    if (used && count++ == 0) *first = &scene->material[m];
  }
  return count;
}

const char *scene_colour_by(const mote_scene *scene) {
  const mote_material_def *first;
  const char *given = scene->outputs.colour_by;
  if (given == NULL || strcmp(given, "auto") != 0) return given;
  return scene_fluids(scene, &first) > 1 ? "material" : "velocity";
}
