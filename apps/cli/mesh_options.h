// What mote mesh was asked for.
#ifndef MOTE_MESH_OPTIONS_H
#define MOTE_MESH_OPTIONS_H

#include <mote/io.h>
#include <mote/surface.h>

#include "surface_values.h"
#include "surface_walls.h"

// Lengths that may be given in spacings ("2") or in m ("2 cm").
typedef struct mesh_length {
  const char *option, *text;
  double *value;  // in spacings, of the definition
  double metres;  // NaN where it was in spacings
} mesh_length;

#define MESH_LENGTHS 5

typedef struct mesh_options {
  mote_surface_def def;
  mesh_length length[MESH_LENGTHS];
  surface_wish wish;
  const char *output, *format;
  bool overwrite, json, quiet;
  bool bodies;  // rigid bodies of a run instead of surfaces
  bool no_walls;
  surface_walls walls;  // none, until a scene says
  mote_env env;
} mesh_options;

// Takes the options out of the words. Complains.
bool mesh_options_parse(int *argc, char **argv, mesh_options *out);
// Lengths in m become spacings, now that the spacing is known.
void mesh_options_scale(mesh_options *options, double spacing);

#endif
