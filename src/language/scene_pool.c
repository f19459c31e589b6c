// Memory of scene files: see scene_pool.h.
#define _POSIX_C_SOURCE 200809L  // stat
#include "language/scene_pool.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { BLOCK = 65536, ALIGNMENT = 16 };

struct mote_pool_block {
  mote_pool_block *next;
  size_t size, used;  // bytes, this head included
};

mote_pool mote_pool_make(const mote_env *env) {
  return (mote_pool){.env = mote_io_env(env)};
}

void mote_pool_free(mote_pool *pool) {
  while (pool->block != NULL) {
    mote_pool_block *block = pool->block;
    pool->block = block->next;
    pool->env.resize(pool->env.resize_user, block, block->size, 0);
  }
}

static size_t round_up(size_t size) {
  return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

// A block of its own for what is large stands behind the newest, which stays in use.
static mote_pool_block *add_block(mote_pool *pool, size_t size) {
  size_t head = round_up(sizeof(mote_pool_block)), whole = size > BLOCK / 4 ? head + size : BLOCK;
  mote_pool_block *block = pool->env.resize(pool->env.resize_user, NULL, 0, whole);
  if (block == NULL) return NULL;
  *block = (mote_pool_block){.size = whole, .used = head};
  if (pool->block != NULL && whole != BLOCK) {
    block->next = pool->block->next;
    pool->block->next = block;
  } else {
    block->next = pool->block;
    pool->block = block;
  }
  return block;
}

void *mote_pool_take(mote_pool *pool, size_t size) {
  if (size > SIZE_MAX / 2) return NULL;
  size = round_up(size == 0 ? 1 : size);
  mote_pool_block *block = pool->block;
  if (block == NULL || block->size - block->used < size) block = add_block(pool, size);
  if (block == NULL) return NULL;
  void *bytes = (char *)block + block->used;
  block->used += size;
  return memset(bytes, 0, size);
}

char *mote_pool_copy(mote_pool *pool, const char *text, size_t size) {
  char *copy = mote_pool_take(pool, size + 1);
  if (copy != NULL && size > 0) memcpy(copy, text, size);
  return copy;
}

void mote_growing_add(mote_growing *out, const char *text, size_t size) {
  if (out->failed) return;
  if (out->size + size + 1 > out->capacity) {
    size_t capacity = 2 * (out->size + size) + 256;
    char *grown = mote_pool_take(out->pool, capacity);
    out->failed = grown == NULL;
    if (out->failed) return;
    if (out->size > 0) memcpy(grown, out->text, out->size);
    out->text = grown;
    out->capacity = capacity;
  }
  if (size > 0) memcpy(out->text + out->size, text, size);
  out->size += size;
  out->text[out->size] = 0;
}

void mote_growing_text(mote_growing *out, const char *text) {
  mote_growing_add(out, text, strlen(text));
}

void mote_growing_blanks(mote_growing *out, int count) {
  for (int k = 0; k < count; ++k) mote_growing_add(out, " ", 1);
}

static mote_result fail_file(mote_error *error, const char *path, const char *why) {
  return mote_io_fail(error, MOTE_ERROR_FILE, path, "cannot be read: %s", why);
}

static mote_result load(mote_pool *pool, FILE *file, const char *path, size_t most, mote_growing *out,
                        mote_error *error) {
  char chunk[16384];
  size_t got;
  while ((got = fread(chunk, 1, sizeof chunk, file)) > 0) {
    mote_growing_add(out, chunk, got);
    if (out->failed) return mote_io_fail_memory(error);
    if (out->size > most) return fail_file(error, path, "the file is too large");
  }
  if (ferror(file)) return fail_file(error, path, strerror(errno));
  if (out->size == 0) out->text = mote_pool_copy(pool, "", 0);
  return out->text == NULL ? mote_io_fail_memory(error) : MOTE_OK;
}

bool mote_pool_would_wait(const char *path) {
  struct stat there;
  return stat(path, &there) == 0 && !S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode);
}

mote_result mote_pool_load(mote_pool *pool, const char *path, size_t most, char **text, size_t *size,
                           mote_error *error) {
  errno = 0;
  FILE *file = fopen(path, "rb");
  if (file == NULL) return fail_file(error, path, strerror(errno));
  mote_growing out = {.pool = pool};
  mote_result result = load(pool, file, path, most, &out, error);
  fclose(file);
  *text = out.text;
  *size = out.size;
  return result;
}
