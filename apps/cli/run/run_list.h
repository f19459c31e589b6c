// The list of a run's files for ParaView, NAME.pvd, with their times.
#ifndef MOTE_RUN_LIST_H
#define MOTE_RUN_LIST_H

#include <mote/scene.h>

#include "cli/run/run_directory.h"

typedef struct run_list {
  const run_directory *directory;
  const char *stem;    // "particles"
  const char *format;  // of the files in the list; null: there is no list
  char (*name)[32];
  double *time;
  size_t count, capacity;
} run_list;

// "particles.0001.vtp"
void run_list_name(const char *stem, size_t frame, const char *format, char out[32]);

// With the files that are there already up to frame `frame`.
bool run_list_open(run_list *list, const run_directory *directory, const mote_scene *scene, const char *stem,
                   const char *format, size_t frame);
void run_list_close(run_list *list);
// One more, and writes the list; false after a complaint.
bool run_list_add(run_list *list, size_t frame, double time);

#endif
