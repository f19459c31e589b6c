// Memory that is counted: see check_budget.h.
#define _XOPEN_SOURCE 700
#include "cli/check/check_budget.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static void *budget_resize(void *user, void *block, size_t old_size, size_t size) {
  budget *b = user;
  size_t used = atomic_fetch_add(&b->used, size) + size;  // a block that grows is there twice for a while
  if (size > 0 && used > b->limit) {
    atomic_fetch_sub(&b->used, size);
    atomic_store(&b->refused, true);
    return NULL;
  }
  size_t most = atomic_load(&b->most);
  while (used > most && !atomic_compare_exchange_weak(&b->most, &most, used)) continue;
  void *out = b->inner.resize(b->inner.resize_user, block, old_size, size);
  atomic_fetch_sub(&b->used, size > 0 && out == NULL ? size : old_size);
  return out;
}

void budget_make(budget *out, const mote_env *env, size_t limit) {
  out->inner = *env;
  out->limit = limit;
  atomic_init(&out->used, 0);
  atomic_init(&out->most, 0);
  atomic_init(&out->refused, false);
}

mote_env budget_env(budget *b) {
  mote_env counted = b->inner;
  counted.resize = budget_resize;
  counted.resize_user = b;
  return counted;
}

// Linux counts in ru_maxrss what the program had that started this one.
static double status_peak(void) {
  double kilobytes = 0;
  char line[128];
  FILE *file = fopen("/proc/self/status", "r");
  while (file != NULL && kilobytes == 0 && fgets(line, sizeof line, file) != NULL)
    if (strncmp(line, "VmHWM:", 6) == 0) kilobytes = strtod(line + 6, NULL);
  if (file != NULL) fclose(file);
  return 1024 * kilobytes;
}

double peak_bytes(void) {
  double peak = status_peak();
  struct rusage use;
  if (peak > 0 || getrusage(RUSAGE_SELF, &use) != 0) return peak;
#ifdef __APPLE__
  return (double)use.ru_maxrss;
#else
  return 1024 * (double)use.ru_maxrss;
#endif
}
