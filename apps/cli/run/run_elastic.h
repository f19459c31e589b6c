// The files of a run's elastic particles: elastic.0001.vtp ... in every format asked for, and elastic.pvd.
#ifndef MOTE_RUN_ELASTIC_H
#define MOTE_RUN_ELASTIC_H

#include "cli/run/run_frames.h"

typedef struct run_elastic {
  const run_directory *directory;
  const mote_outputs_def *outputs;
  uint64_t scene_hash;
  bool any;  // the world has some
  run_list list;
  double *displacement, *stress, *plastic;
  size_t capacity;  // particles
} run_elastic;

bool run_elastic_open(run_elastic *elastic, const run_directory *directory, const mote_scene *scene,
                      const mote_world *world, uint64_t scene_hash, size_t frame);
void run_elastic_close(run_elastic *elastic);

// Whether the files of this world's elastic particles can have a field of that name.
bool run_elastic_has(const mote_world *world, const char *name);

// Writes the files of the frame and the list; nothing where there are no elastic bodies. False after a
// complaint.
bool run_elastic_write(run_elastic *elastic, const mote_world *world, size_t frame);

#endif
