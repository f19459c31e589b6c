// The surfaces of a run's bodies that can break: fragments.0001.glb ... in every format asked for. Pieces are
// numbered by the ids of their bodies: a piece has the same name in all frames.
#ifndef MOTE_RUN_FRAGMENTS_H
#define MOTE_RUN_FRAGMENTS_H

#include <mote/world.h>

#include "run_directory.h"

typedef struct run_fragments {
  const run_directory *directory;
  const mote_outputs_def *outputs;
  uint64_t scene_hash;
  size_t count;
  const char **name;          // of each body that can break
  mote_world_pieces **piece;  // null: not made yet
} run_fragments;

// Nothing where the scene asks for none, or no body can break. False after a complaint.
bool run_fragments_open(run_fragments *fragments, const run_directory *directory, const mote_scene *scene,
                        const mote_world *world, uint64_t scene_hash);
void run_fragments_close(run_fragments *fragments);
// Writes the files of the frame; false after a complaint.
bool run_fragments_write(run_fragments *fragments, const mote_world *world, size_t frame);

#endif
