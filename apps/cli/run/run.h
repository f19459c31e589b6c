// A run: a scene carried through its frames into a directory.
#ifndef MOTE_RUN_H
#define MOTE_RUN_H

#include <stdbool.h>
#include <stddef.h>

typedef struct run_options {
  const char *scene;      // a file, a built-in example, or (resume) the directory of a run
  const char *directory;  // null: the scene's name without ending
  const char *const *set;
  size_t sets;
  const char *commands;  // a file; null: none, or (resume) those of the directory
  bool resume, overwrite, json, quiet, times;
  int from_frame;   // 0: from the latest snapshot
  int frames;       // 0: those of the scene's duration
  int threads;      // 0: as many as the machine has cores
  double autosave;  // s; negative: as the scene says
} run_options;

run_options run_options_default(void);

// Complains about what goes wrong; gives the exit status.
int run_scene(const run_options *options);

#endif
