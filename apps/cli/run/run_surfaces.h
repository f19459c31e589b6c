// The surfaces of a run: surface.0001.vtp ... in every format asked for, and surface.pvd, the list of them.
#ifndef MOTE_RUN_SURFACES_H
#define MOTE_RUN_SURFACES_H

#include <mote/world.h>

#include "run_list.h"
#include "surface_values.h"
#include "surface_walls.h"

typedef struct run_surfaces {
  const run_directory *directory;
  const mote_surface_output_def *output;  // null: there are none
  uint64_t scene_hash;
  mote_env env;
  mote_surface_def def;
  surface_walls walls;
  mote_surfacer *surfacer;
  surface_wish wish;
  run_list list;
} run_surfaces;

// How a scene's surfaces are made.
mote_surface_def run_surface_def(const mote_scene *scene);

// Nothing where the scene asks for none. False after a complaint.
bool run_surfaces_open(run_surfaces *surfaces, const run_directory *directory, const mote_scene *scene,
                       uint64_t scene_hash, size_t frame, const mote_env *env);
void run_surfaces_close(run_surfaces *surfaces);
// Writes the files of the frame and the list; false after a complaint.
bool run_surfaces_write(run_surfaces *surfaces, const mote_world *world, size_t frame);

#endif
