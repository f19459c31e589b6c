// Memory that is counted: see check_budget.h.
#include "cli/check/check_budget.h"

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

mote_env budget_make(budget *out, const mote_env *env, size_t limit) {
  mote_env counted = *env;
  out->inner = *env;
  out->limit = limit;
  atomic_init(&out->used, 0);
  atomic_init(&out->most, 0);
  atomic_init(&out->refused, false);
  counted.resize = budget_resize;
  counted.resize_user = out;
  return counted;
}
