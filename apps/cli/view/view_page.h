// One HTML file of the page, which `make web` builds, of data, and of the core where a scene lives in it.
#ifndef MOTE_VIEW_PAGE_H
#define MOTE_VIEW_PAGE_H

#include <mote/base.h>

#include "cli/view/view_text.h"

// Says how large the file is. Complains; gives the exit status.
int view_page_write(const view_text *data, bool live, const mote_env *env, const char *path);

#endif
