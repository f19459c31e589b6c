// A world of a scene that is part of a figure.
#ifndef MOTE_FIGURE_WORLD_H
#define MOTE_FIGURE_WORLD_H

#include <mote/io.h>
#include <mote/world.h>

typedef struct figure_world {
  mote_scene_file *file;
  const mote_scene *scene;
  mote_world *world;
} figure_world;

// Each complains and gives the exit status. Close also after one that failed.
int figure_world_open(figure_world *w, const char *scene);
int figure_world_advance(figure_world *w, double time);
void figure_world_close(figure_world *w);

#endif
