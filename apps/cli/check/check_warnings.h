// What looks like a mistake in a scene that can be run all the same.
#ifndef MOTE_CHECK_WARNINGS_H
#define MOTE_CHECK_WARNINGS_H

#include <mote/io.h>

#include "cli/check/check_cost.h"

#define WARNINGS_MAX 32

typedef struct warnings {
  char text[WARNINGS_MAX][512];
  int count;
} warnings;

// `failure`: of the steps that were tried.
void find_warnings(const mote_scene_file *file, const scene_cost *cost, const mote_error *failure,
                   warnings *out);
// Those that a run gives, too: keys without effect, emitters and bodies that the spacing does not resolve.
void find_early_warnings(const mote_scene_file *file, warnings *out);

#endif
