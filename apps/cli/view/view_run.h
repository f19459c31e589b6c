// A run as data of a page: its particles, bodies, colliders, surfaces and probes, frame by frame.
#ifndef MOTE_VIEW_RUN_H
#define MOTE_VIEW_RUN_H

#include <mote/base.h>

#include "cli/view/view_text.h"

// Every so many frames. Complains; gives the exit status.
int view_run(const char *directory, int every, const mote_env *env, view_text *out);

#endif
