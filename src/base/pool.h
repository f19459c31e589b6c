// Threads that help with loops: started when first asked for, shared by all loops of the process, asleep when
// there is nothing to do. What the rest of the library calls is parallel.h.
#ifndef MOTE_POOL_H
#define MOTE_POOL_H

#include <stdbool.h>

#include "base/parallel.h"

// Does all chunks of [0, count) on the calling thread and on up to `threads` - 1 helpers. Threads may call it
// at once, tasks may call it. False: too many loops run already, nothing was done.
bool mote_pool_run(int threads, size_t count, size_t grain, mote_task *task, void *data);

// Cores that this process may use.
int mote_pool_cores(void);

#endif
