// One frame's things, read from its file: a mesh, or particles with the values that colour them, and what is
// made of these: a surface, or ellipsoids.
#ifndef MOTE_RENDER_TAKE_H
#define MOTE_RENDER_TAKE_H

#include <mote/surface.h>

#include "cli/files/input_file.h"
#include "cli/render/render_options.h"

typedef struct render_take {
  char path[INPUT_PATH];  // of the file; empty: nothing is held
  double time;            // s; NaN where the file does not say
  bool ours;              // written by Mote
  bool meshed;            // there is a surface, as read or made
  mote_surface surface;
  double *position;  // of particles that are at a finite place, 3 each
  size_t count;
  float *velocity;           // 3 of each particle, vertex or ellipsoid, m/s; null: none
  float *value;              // of particles or of vertices; null: none
  uint32_t *body;            // the same: what made them; null: not known
  char unit[32];             // of the values
  mote_texture texture;      // of meshes; no images: none
  mote_colour *colour;       // of particles or of vertices, as the file has them; null: not there
  const double *centre, *G;  // ellipsoids in the surfacer's memory; null: none
  size_t ellipsoids;
} render_take;

// Which values of the file are wanted.
typedef struct render_values {
  const char *name;     // a field, or "material": what made the particles; null: none
  bool required;        // a file without it is refused
  bool velocities;      // these too; a file without them is refused
  bool textures;        // those that the file holds
  const char *texture;  // a PNG, in place of them; null: none
} render_values;

// How surfaces are made.
typedef struct render_surfacing {
  mote_surfacer *surfacer;  // null until it is needed
  mote_surface_def def;
  mote_surface_walls walls;
  bool ellipsoids;  // these instead
} render_surfacing;

// Reads the file with these values. Complains; gives the exit status. A take that holds this file already is
// left as it is.
int render_take_read(render_take *take, const char *path, const render_values *values, const mote_env *env);
// Makes a surface of the particles, with their values at its vertices; or ellipsoids.
int render_take_surface(render_take *take, const render_surfacing *by, const mote_env *env);
void render_take_free(render_take *take, const mote_env *env);

// How many places there are to be coloured, and the box that holds them, if there is any.
size_t render_take_positions(const render_take *take);
bool render_take_bounds(const render_take *take, double low[3], double high[3]);

#endif
