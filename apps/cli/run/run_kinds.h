// The files of a run's particles that are no fluid, by kind: elastic.0001.vtp ... and lattice.0001.vtp ... in
// every format asked for, and their lists elastic.pvd and lattice.pvd.
#ifndef MOTE_RUN_KINDS_H
#define MOTE_RUN_KINDS_H

#include "cli/run/run_frames.h"

enum { RUN_KINDS = 2, RUN_MEASURES = 3 };

// The files of one kind.
typedef struct run_kind {
  bool any;  // the run writes them
  run_list list;
  void *measure[RUN_MEASURES];  // computed for each particle
  size_t capacity;              // particles
} run_kind;

typedef struct run_kinds {
  const run_directory *directory;
  const mote_outputs_def *outputs;
  uint64_t scene_hash;
  bool skins;  // some body has one
  run_kind kind[RUN_KINDS];
} run_kinds;

bool run_kinds_open(run_kinds *kinds, const run_directory *directory, const mote_scene *scene,
                    const mote_world *world, uint64_t scene_hash, size_t frame);
void run_kinds_close(run_kinds *kinds);

// Whether files of this world's particles that are no fluid can have a field of that name.
bool run_kinds_have(const mote_world *world, const char *name);

// Writes the files of the frame and the lists; nothing of kinds that the world does not have. False after a
// complaint.
bool run_kinds_write(run_kinds *kinds, const mote_world *world, size_t frame);

#endif
