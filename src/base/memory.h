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

// `pointer` to memory of `count` elements, not cleared; the failure is returned from the calling function.
// MOTE_ALLOC_NEW declares the pointer, to elements of `type`. Where something must be given back before
// returning: mote_alloc and mote_fail_memory.
#define MOTE_ALLOC(pointer, env, count, error) MOTE_MEMORY(mote_alloc, pointer, env, count, error)
#define MOTE_ALLOC_NEW(type, name, env, count, error) \
  type *name;                                         \
  MOTE_ALLOC(name, env, count, error)

// For MOTE_ALLOC and MOTE_TAKE (base/arena.h).
#define MOTE_MEMORY(allocate, pointer, from, count, error)       \
  do {                                                           \
    size_t memory_count = (count);                               \
    (pointer) = allocate(from, memory_count, sizeof *(pointer)); \
    if ((pointer) == NULL) {                                     \
      mote_fail_memory(error, memory_count * sizeof *(pointer)); \
      return MOTE_ERROR_MEMORY;                                  \
    }                                                            \
  } while (0)

// Makes *block, now of *capacity elements, hold at least `count`, growing by half; elements are kept.
mote_result mote_reserve(const mote_env *env, void *block, size_t *capacity, size_t count, size_t size,
                         mote_error *error);

#endif
