// What a run says of itself: a line of JSON a frame, the tree of timings, the last line with the state's
// hash, and run.json.
#ifndef MOTE_RUN_REPORT_H
#define MOTE_RUN_REPORT_H

#include <mote/world.h>

#include "cli/base/run_progress.h"
#include "cli/check/check_cost.h"
#include "cli/run/run_directory.h"

// What the tool itself spends time on, beside the world's stages.
typedef enum run_task {
  RUN_FILES,
  RUN_SURFACES,
  RUN_PICTURES,
  RUN_TABLES,
  RUN_PLOTS,
  RUN_SNAPSHOTS,
  RUN_TASKS
} run_task;

typedef struct run_clock {
  double begun;
  double spent[RUN_TASKS];
} run_clock;

void run_report_frame(size_t frame, const mote_totals *totals, double wall);

typedef struct run_summary {
  const mote_world *world;
  const run_clock *clock;
  const run_progress *progress;
  const char *directory;
  uint64_t scene_hash;
  size_t frame;
  double seconds;
  const scene_cost *estimate;  // null: none, of a run that was resumed
} run_summary;

// What the world's watchdogs report and do not stop at: a fluid that is compressed, elastic particles that
// stay inverted, faults of bodies.
typedef enum run_trouble { RUN_COMPRESSED, RUN_INVERTED, RUN_BODIES, RUN_TROUBLES } run_trouble;
// When and why, in words; false: there is none.
#define RUN_TROUBLE_TEXT 320
bool run_report_trouble(const mote_world *world, run_trouble trouble, char text[RUN_TROUBLE_TEXT]);

void run_report_timings(const run_summary *summary);                  // to stderr
void run_report_end(const run_summary *summary, bool json);           // to stdout
bool run_report_write(const run_summary *summary, const char *path);  // run.json

#endif
