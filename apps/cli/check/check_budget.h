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

void budget_make(budget *out, const mote_env *env, size_t limit);
// The most memory that this program has had, bytes.
double peak_bytes(void);

// An environment that takes its memory from that of the budget, as long as the limit allows.
mote_env budget_env(budget *budget);

#endif
