// Memory through the environment's one function: see memory.h.
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"

static void *default_resize(void *user, void *block, size_t old_size, size_t size) {
  (void)user;
  if (size == 0) {
    free(block);
    return NULL;
  }
  size_t rounded = (size + MOTE_ALIGNMENT - 1) / MOTE_ALIGNMENT * MOTE_ALIGNMENT;
  if (rounded < size) return NULL;
  void *grown = aligned_alloc(MOTE_ALIGNMENT, rounded);
  if (grown == NULL || block == NULL) return grown;
  memcpy(grown, block, old_size < size ? old_size : size);
  free(block);
  return grown;
}

mote_env mote_env_default(void) {
  return (mote_env){.resize = default_resize, .threads = mote_parallel_cores()};
}

mote_env mote_env_resolve(const mote_env *env) {
  if (env == NULL) return mote_env_default();
  mote_env resolved = *env;
  if (resolved.resize == NULL) resolved.resize = default_resize;
  if (resolved.threads < 1) resolved.threads = 1;
  if (resolved.threads > MOTE_THREADS_MAX) resolved.threads = MOTE_THREADS_MAX;
  return resolved;
}

// Here and not with the threads: benchmarks of a shared library bring their own copy of those.
void mote_env_run(const mote_env *env, size_t count, size_t grain, mote_work_fn *work, void *data) {
  mote_parallel_for(mote_env_resolve(env).threads, count, grain > 0 ? grain : 1, work, data);
}

// Bytes of an array; 0 on overflow. Empty arrays take one byte so that null always means failure.
static size_t array_bytes(size_t count, size_t size) {
  if (count == 0 || size == 0) return 1;
  return count > SIZE_MAX / 2 / size ? 0 : count * size;
}

void *mote_alloc(const mote_env *env, size_t count, size_t size) {
  MOTE_ASSERT(env != NULL && env->resize != NULL);
  size_t bytes = array_bytes(count, size);
  return bytes == 0 ? NULL : env->resize(env->resize_user, NULL, 0, bytes);
}

void mote_free(const mote_env *env, void *block, size_t count, size_t size) {
  MOTE_ASSERT(env != NULL && (block == NULL || env->resize != NULL));
  if (block != NULL) env->resize(env->resize_user, block, array_bytes(count, size), 0);
}

mote_result mote_reserve(const mote_env *env, void *block, size_t *capacity, size_t count, size_t size,
                         mote_error *error) {
  MOTE_ASSERT(env != NULL && env->resize != NULL);
  MOTE_ASSERT(block != NULL && capacity != NULL);
  MOTE_ASSERT(size > 0);
  void *old;
  memcpy(&old, block, sizeof old);
  if (old != NULL && *capacity >= count) return MOTE_OK;
  size_t grown = *capacity + *capacity / 2;
  if (grown < count) grown = count;
  size_t bytes = array_bytes(grown, size);
  if (bytes == 0) return mote_fail_memory(error, SIZE_MAX);
  size_t old_bytes = old == NULL ? 0 : array_bytes(*capacity, size);
  void *new_block = env->resize(env->resize_user, old, old_bytes, bytes);
  if (new_block == NULL) return mote_fail_memory(error, bytes);
  memcpy(block, &new_block, sizeof new_block);
  *capacity = grown;
  return MOTE_OK;
}
