// The files of a run's elastic particles: solids.0001.vtp ... in every format asked for, and solids.pvd.
#ifndef MOTE_RUN_SOLIDS_H
#define MOTE_RUN_SOLIDS_H

#include "cli/run/run_frames.h"

typedef struct run_solids {
  const run_directory *directory;
  const mote_outputs_def *outputs;
  uint64_t scene_hash;
  bool any;  // the world has some
  run_list list;
  double *displacement, *stress, *plastic;
  size_t capacity;  // particles
} run_solids;

bool run_solids_open(run_solids *solids, const run_directory *directory, const mote_scene *scene,
                     const mote_world *world, uint64_t scene_hash, size_t frame);
void run_solids_close(run_solids *solids);

// Whether the files of this world's elastic particles can have a field of that name.
bool run_solids_has(const mote_world *world, const char *name);

// Writes the files of the frame and the list; nothing where there are no elastic bodies. False after a
// complaint.
bool run_solids_write(run_solids *solids, const mote_world *world, size_t frame);

#endif
