// Snapshots of a run: snapshot.mote, the latest, and snapshot.0011.mote, those that are kept.
#ifndef MOTE_RUN_SNAPSHOTS_H
#define MOTE_RUN_SNAPSHOTS_H

#include <mote/world.h>

#include "cli/run/run_directory.h"

// Saves the world; what was there before stays where that fails. False after a complaint.
bool run_snapshot_save(const run_directory *directory, const mote_world *world);
// Saves it as the one that is kept of `frame`.
bool run_snapshot_keep(const run_directory *directory, const mote_world *world, size_t frame);

// Loads the latest, or (from_frame > 0) that of the latest frame kept up to `from_frame`. Complains; gives
// the exit status.
int run_snapshot_load(const run_directory *directory, mote_world *world, size_t from_frame);

#endif
