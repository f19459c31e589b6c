// Memory that lives as long as a scene file, taken piece by piece and given back at once; text that grows in
// it; whole files read into it.
#ifndef MOTE_SCENE_POOL_H
#define MOTE_SCENE_POOL_H

#include "io/io_base.h"

typedef struct mote_pool_block mote_pool_block;

typedef struct mote_pool {
  mote_env env;
  mote_pool_block *block;  // the newest
} mote_pool;

mote_pool mote_pool_make(const mote_env *env);
void mote_pool_free(mote_pool *pool);

// Cleared and aligned to 16 bytes; null when memory is out.
void *mote_pool_take(mote_pool *pool, size_t size);
// With a null behind it.
char *mote_pool_copy(mote_pool *pool, const char *text, size_t size);

// Text that grows. A refused allocation sets `failed`, after which nothing is added: look once, at the end.
typedef struct mote_growing {
  mote_pool *pool;
  char *text;
  size_t size, capacity;
  bool failed;
} mote_growing;

void mote_growing_add(mote_growing *out, const char *text, size_t size);
void mote_growing_text(mote_growing *out, const char *text);
void mote_growing_blanks(mote_growing *out, int count);

// Whether it is a pipe or a device, which may never end or never begin.
bool mote_pool_would_wait(const char *path);
// A whole file of at most `most` bytes. FILE in the error says why not.
mote_result mote_pool_load(mote_pool *pool, const char *path, size_t most, char **text, size_t *size,
                           mote_error *error);

#endif
