// A world of a scene that is part of a figure: see figure_world.h.
#include "figures/figure_world.h"

#include <string.h>

#include "cli/base/cli.h"
#include "cli/base/scene_open.h"
#include "figures/figures.h"

const example *figure_scene_find(const char *name) {
  for (const example *e = figure_scenes; e->name != NULL; ++e) {
    if (strcmp(e->name, name) == 0) return e;
  }
  return NULL;
}

int figure_world_open(figure_world *w, const char *scene) {
  const example *e = figure_scene_find(scene);
  mote_error error;
  const mote_env env = mote_env_default();
  *w = (figure_world){0};
  if (e == NULL) {
    complain("no scene \"%s\" of a figure", scene);
    return EXIT_FAILED;
  }
  mote_result result =
      mote_scene_parse((const char *)e->text, e->size, e->name, NULL, 0, &env, &w->file, &error);
  if (!result) {
    w->scene = mote_scene_file_scene(w->file);
    result = mote_world_create_scene(w->scene, &env, &w->world, &error);
  }
  return result ? complain_error(&error) : EXIT_DONE;
}

int figure_world_advance(figure_world *w, double time) {
  mote_error error;
  return mote_world_advance(w->world, time, &error) == MOTE_OK ? EXIT_DONE : complain_error(&error);
}

void figure_world_close(figure_world *w) {
  mote_world_destroy(w->world);
  mote_scene_file_destroy(w->file);
  *w = (figure_world){0};
}
