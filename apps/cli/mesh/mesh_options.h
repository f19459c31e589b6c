// What mote mesh was asked for.
#ifndef MOTE_MESH_OPTIONS_H
#define MOTE_MESH_OPTIONS_H

#include <mote/io.h>
#include <mote/surface.h>

#include "cli/files/sequence.h"
#include "cli/mesh/surface_options.h"
#include "cli/mesh/surface_values.h"

typedef struct mesh_options {
  mote_surface_def def;
  surface_options surface;
  surface_wish wish;
  const char *output, *format;
  frame_range frames;  // of sequences and runs
  bool overwrite, json, quiet;
  bool unexamined;           // say nothing of the mesh that must be looked for: a third of the time
  bool bodies;               // rigid bodies of a run instead of surfaces
  mote_surface_walls walls;  // none, until a scene says
  mote_env env;
} mesh_options;

// Takes the options out of the words. Complains.
int mesh_options_parse(int *argc, char **argv, mesh_options *out);

#endif
