// Plots of a run's tables: totals.png, probe_NAME.png.
#ifndef MOTE_RUN_PLOTS_H
#define MOTE_RUN_PLOTS_H

#include <mote/scene.h>

#include "cli/run/run_directory.h"

// Draws all of them; false after a complaint.
bool run_plots_write(const run_directory *directory, const mote_scene *scene);

#endif
