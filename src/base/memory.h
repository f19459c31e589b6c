// Memory through the environment's one function: typed growth of arrays, nothing else.
#ifndef MOTE_MEMORY_H
#define MOTE_MEMORY_H

#include "base/check.h"

#define MOTE_ALIGNMENT 64

// *env, or the default where env is null, with threads of 1 to MOTE_THREADS_MAX.
mote_env mote_env_resolve(const mote_env *env);

// New memory, not cleared; null on failure or when count * size overflows. count 0 gives a valid block.
void *mote_alloc(const mote_env *env, size_t count, size_t size);
void mote_free(const mote_env *env, void *block, size_t count, size_t size);

// Makes *block, now of *capacity elements, hold at least `count`, growing by half; elements are kept.
mote_result mote_reserve(const mote_env *env, void *block, size_t *capacity, size_t count, size_t size,
                         mote_error *error);

#endif
