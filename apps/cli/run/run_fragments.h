// The surfaces of a run's bodies that can break: fragments.0001.glb ... in every format asked for. Pieces are
// numbered by the ids of their bodies: a piece has the same name in all frames.
#ifndef MOTE_RUN_FRAGMENTS_H
#define MOTE_RUN_FRAGMENTS_H

#include <mote/io.h>
#include <mote/world.h>

#include "cli/bodies/fragment_look.h"
#include "cli/run/run_directory.h"

typedef struct run_fragments {
  const run_directory *directory;
  const mote_outputs_def *outputs;
  uint64_t scene_hash;
  size_t count;
  const char **name;          // of each body that can break
  mote_world_pieces **piece;  // null: not made yet
  fragment_look *look;        // what the mesh of its shape shows
} run_fragments;

// Nothing where the scene asks for none, or no body can break. False after a complaint.
bool run_fragments_open(run_fragments *fragments, const run_directory *directory, const mote_scene_file *file,
                        uint64_t scene_hash, const mote_env *env);
void run_fragments_close(run_fragments *fragments);
// Triangles of a body's surface that are more than 3 times as long as at rest, in the frame written last.
size_t run_fragments_stretched(const run_fragments *fragments, const char *body);
// Writes the files of the frame; false after a complaint.
bool run_fragments_write(run_fragments *fragments, const mote_world *world, size_t frame);

#endif
