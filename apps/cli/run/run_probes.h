// What a run measures: totals.csv, a row a frame; bodies.csv, a row for each rigid body and frame, and
// cracks.csv, one for each body that can break, where there are some; events.csv, a row for each change of a
// tracked surface's topology; and probe_NAME.csv, a row (of a line: a row per point) for each reading.
#ifndef MOTE_RUN_PROBES_H
#define MOTE_RUN_PROBES_H

#include <mote/world.h>

#include "cli/run/run_directory.h"
#include "cli/run/run_fragments.h"
#include "cli/run/run_table.h"

typedef struct run_probes {
  const mote_scene *scene;
  const run_fragments *fragments;  // null: none are written
  run_table totals, bodies, cracks, events;
  bool has_bodies, has_cracks, has_events;
  run_table *table;  // of probes
  mote_probe *probe;
  mote_reading *reading;
} run_probes;

// New tables, or with `resume` those that are there, cut back to the world's time. `fragments` outlive them.
bool run_probes_open(run_probes *probes, const run_directory *directory, const mote_scene *scene,
                     const mote_world *world, const run_fragments *fragments, bool resume);
void run_probes_close(run_probes *probes);

// After a step from `before` to the world's time: the readings that fell due.
bool run_probes_step(run_probes *probes, mote_world *world, double before);
// At a frame: totals, probes read once a frame, and at t = 0 all others.
bool run_probes_frame(run_probes *probes, mote_world *world, const mote_totals *totals);
// The world has gone back: so do the tables.
bool run_probes_cut(run_probes *probes, double time);
// Until the disk has it: before a snapshot that counts on it.
bool run_probes_sync(run_probes *probes);

// The names of the columns of a probe's table, the first of them and how many.
const char *run_probe_columns(const mote_probe_def *def, int *count);
const char *run_totals_columns(int *count);
void run_probe_file(const mote_probe_def *def, const char *ending, char name[64]);

#endif
