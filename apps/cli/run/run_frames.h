// The particle files of a run: particles.0001.vtp ... in every format asked for, and particles.pvd, the list
// of them with their times. A scene in which nothing flows has none.
#ifndef MOTE_RUN_FRAMES_H
#define MOTE_RUN_FRAMES_H

#include <mote/io.h>
#include <mote/world.h>

#include "cli/run/run_list.h"

typedef struct run_frames {
  const run_directory *directory;
  const mote_outputs_def *outputs;
  uint64_t scene_hash;
  bool flows;  // scene_flows
  run_list list;
} run_frames;

// Whether the world has the fields that are to be written; a complaint names the first that it has not.
bool run_frames_check(const mote_scene *scene, const mote_world *world, mote_error *error);
// The same for any list of names; `key` is that of the list.
bool run_fields_check(const char *key, const char *const *name, size_t count, const mote_world *world,
                      mote_error *error);

// Whether the field is among those to be written.
bool run_frames_wants(const mote_outputs_def *outputs, const char *field);

// The format of which lists are written; null: none.
const char *run_frames_listed(const mote_outputs_def *outputs);

// Lists the files that are there already up to frame `frame`.
bool run_frames_open(run_frames *frames, const run_directory *directory, const mote_scene *scene,
                     uint64_t scene_hash, size_t frame);
void run_frames_close(run_frames *frames);

// Writes the files of the frame and the list; false after a complaint.
bool run_frames_write(run_frames *frames, const mote_world *world, size_t frame);

// All that is known of the particles, seen as a cloud until the next step.
mote_cloud run_cloud(const mote_world *world, uint64_t scene_hash);

// What goes with every file.
mote_stamp run_stamp(const mote_world *world, uint64_t scene_hash);

#endif
