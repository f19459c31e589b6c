// The quick pictures of a run: preview.0001.png ..., particles as shaded spheres.
#ifndef MOTE_RUN_PICTURES_H
#define MOTE_RUN_PICTURES_H

#include <mote/draw.h>
#include <mote/world.h>

#include "cli/bodies/action_view.h"
#include "cli/bodies/backdrop.h"
#include "cli/run/run_directory.h"
#include "cli/run/run_table.h"

typedef struct run_pictures {
  const run_directory *directory;
  const mote_scene *scene;
  uint64_t scene_hash;
  mote_env env;
  mote_preview_def def;
  backdrop stage;
  uint32_t *material;  // of particles, and their colours
  mote_colour *colour;
  size_t capacity;
  // Of fluids and lattices together.
  double *all_position, *open;
  mote_colour *all_colour;
  float *all_value;
  uint32_t *row_material;
  size_t all_capacity;
  bool follows;      // the camera
  action_view view;  // of the frames so far
  run_table boxes;   // theirs
} run_pictures;

// What the colliders look like is worked out once. With `resume`, the camera goes on from where it was at the
// time, s. False after a complaint.
bool run_pictures_open(run_pictures *pictures, const run_directory *directory, const mote_scene *scene,
                       uint64_t scene_hash, const mote_env *env, bool resume, double time);
void run_pictures_close(run_pictures *pictures);

// `area` is drawn in place of the particles, in the colours of its vertices where it has them; null: none.
bool run_pictures_write(run_pictures *pictures, const mote_world *world, const mote_surface *area,
                        size_t frame);

#endif
