// What the parts of a run share: run.c begins and ends it, run_loop.c carries it through.
#ifndef MOTE_RUN_INSIDE_H
#define MOTE_RUN_INSIDE_H

#include <mote/io.h>
#include <mote/world.h>

#include "cli/base/run_progress.h"
#include "cli/check/check_cost.h"
#include "cli/run/run.h"
#include "cli/run/run_commands.h"
#include "cli/run/run_directory.h"
#include "cli/run/run_fragments.h"
#include "cli/run/run_frames.h"
#include "cli/run/run_kinds.h"
#include "cli/run/run_pictures.h"
#include "cli/run/run_probes.h"
#include "cli/run/run_report.h"
#include "cli/run/run_surfaces.h"

typedef struct run {
  const run_options *options;
  mote_env env;
  mote_scene_file *file;
  const mote_scene *scene;
  uint64_t scene_hash;
  run_directory directory;
  mote_world *world;
  size_t frame, frames;  // the last one reached; 0: none yet. How many there are to be
  run_commands commands;
  run_frames particles;
  run_kinds kinds;
  run_surfaces surfaces;
  run_fragments fragments;
  run_pictures pictures;
  run_probes probes;
  run_progress progress;
  run_clock clock;
  scene_trial trial;  // its first steps, by which the rest is estimated
  bool trying;
  scene_cost estimate;     // seconds 0: none
  double autosave, saved;  // s; when the last snapshot was
  size_t saved_frame;      // 0: none yet
  uint64_t saved_step;
  bool reported[RUN_TROUBLES];  // what was reported already
  bool hopeless;                // going on from there would end in the same way
} run;

// From wherever the world is to the last frame. Every snapshot is of a frame that has begun: its outputs are
// written, and mote_world_begin_frame has been called. Complains; gives the exit status.
int run_loop(run *r);

// What it writes into its directory: opened from the beginning, or with options->resume from the latest
// snapshot on. Complains; gives the exit status.
int run_open_outputs(run *r);
void run_close_outputs(run *r);
// Estimates the whole run by what is measured so far.
void run_estimate(run *r);
// The outputs of frame r->frame. False after a complaint.
bool run_write_frame(run *r);

// Saves, and remembers that it did.
bool run_save(run *r);

#endif
