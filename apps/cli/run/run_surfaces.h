// The surfaces of a run: surface.0001.vtp ... in every format asked for, and surface.pvd, the list of them;
// of lattices solid.0001.vtp ..., where the scene wants them apart; in 2D contours.
#ifndef MOTE_RUN_SURFACES_H
#define MOTE_RUN_SURFACES_H

#include <mote/world.h>

#include "cli/mesh/surface_values.h"
#include "cli/run/run_list.h"

typedef struct run_surfaces {
  const run_directory *directory;
  const mote_surface_output_def *output;  // null: there are none
  uint64_t scene_hash;
  mote_env env;
  mote_world_surface surface, lattice;
  surface_wish wish;
  run_list list, lattice_list;
  int width, height;  // of pictures, pixels
  bool flat;          // 2D
  bool apart;         // lattices have a surface of their own
  bool coloured;      // a tracked one that carries colours
  mote_surface
      area;  // in 2D: the last one, whose caps are the area within the contours; where it is coloured
} run_surfaces;

// Of the surface that a world made of the scene has. Nothing where the scene asks for none. False after a
// complaint.
bool run_surfaces_open(run_surfaces *surfaces, const run_directory *directory, const mote_scene *scene,
                       const mote_world *world, uint64_t scene_hash, size_t frame, const mote_env *env);
void run_surfaces_close(run_surfaces *surfaces);
// Writes the files of the frame and the list; false after a complaint.
// After a step that began at `before`: follows Adams' distances when they are due (outputs.surface.follow).
bool run_surfaces_follow(run_surfaces *s, mote_world *world, double before);
bool run_surfaces_write(run_surfaces *surfaces, mote_world *world, size_t frame);

// What pictures show in place of particles, the last one that was written; null: nothing.
const mote_surface *run_surfaces_shown(const run_surfaces *surfaces);

#endif
