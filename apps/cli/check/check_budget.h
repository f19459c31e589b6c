// Memory for trying a scene out: it is counted, and refused beyond a limit.
#ifndef MOTE_CHECK_BUDGET_H
#define MOTE_CHECK_BUDGET_H

#include <mote/base.h>
#include <stdatomic.h>

typedef struct budget {
  mote_env inner;
  size_t limit;              // bytes
  atomic_size_t used, most;  // now, and the most there ever was
  atomic_bool refused;       // whether the limit was met
} budget;

// An environment that takes its memory from `env` as long as the limit allows; it lives as long as `out`.
mote_env budget_make(budget *out, const mote_env *env, size_t limit);

#endif
