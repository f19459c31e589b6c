// The directory of a run: locked while in use, never emptied of what a run did not make.
//
//   .lock scene.yaml commands.jsonl                 what was asked for
//   particles.0001.vtp ... particles.pvd            particles
//   preview.0001.png ... view.csv                   pictures, and what their camera followed
//   totals.csv totals.png probe_NAME.csv ...        tables and their plots
//   snapshot.mote snapshot.0011.mote                where to go on from
//   run.json                                        the report
#ifndef MOTE_RUN_DIRECTORY_H
#define MOTE_RUN_DIRECTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/base/paths.h"

typedef enum run_intent { RUN_BEGIN, RUN_RESUME, RUN_OVERWRITE } run_intent;

typedef struct run_directory {
  char path[PATH_CAPACITY - 320];
  int lock;     // descriptor; -1: none
  bool made;    // by us, now
  char *files;  // that the run which is there has made (run_files.h); null: any that runs make
} run_directory;

// Makes the directory where it is missing, locks it, and refuses what the intent does not allow. Complains;
// gives the exit status.
int run_directory_open(run_directory *directory, const char *path, run_intent intent);
// Lets go. With `undo`, a directory that this run made and put nothing into is removed.
void run_directory_close(run_directory *directory, bool undo);

// Removes it with all that a run made here, and closes it.
void run_directory_remove(run_directory *directory);

// DIR/name
void run_directory_path(const run_directory *directory, const char *name, char out[PATH_CAPACITY]);
// Whether DIR/name is there.
bool run_directory_has(const run_directory *directory, const char *name);

// Refuses to write over files that the run which is there has not made. Complains; gives the exit status.
int run_directory_check_files(const run_directory *directory, const char *files);
// Removes all that the run made here, or what belongs to frames after `frame`, and unfinished files.
void run_directory_clear(const run_directory *directory);
void run_directory_cut(const run_directory *directory, size_t frame);

// The first line of the scene that a run keeps: what a directory of ours is known by.
#define RUN_SCENE_MARK "# The whole scene of this run, written by mote run"

// The frames of which there is a snapshot, ascending, at most `capacity`; returns how many there are.
size_t run_directory_snapshots(const run_directory *directory, size_t *frame, size_t capacity);

#endif
