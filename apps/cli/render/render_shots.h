// The files that mote render makes pictures of, in order: those of a run, numbered ones, or those named.
#ifndef MOTE_RENDER_SHOTS_H
#define MOTE_RENDER_SHOTS_H

#include <mote/io.h>

#include "cli/render/render_options.h"

typedef struct render_shot {
  char *path;
  long number;  // of the file, or its place among those named
} render_shot;

typedef struct render_shots {
  render_shot *shot;
  size_t count, capacity;
  mote_scene_file *file;  // of a run; null where there is none
  const mote_scene *scene;
  const char *directory;  // of the run
  char name[256];         // what is rendered, in a word: for names of outputs
} render_shots;

// Complains; gives the exit status. Close in both cases.
int render_shots_open(render_shots *shots, const render_options *options, const mote_env *env);
void render_shots_close(render_shots *shots);

// Keeps `count` of them, evenly chosen, the first and the last among them; one: the last.
void render_shots_thin(render_shots *shots, size_t count);

#endif
