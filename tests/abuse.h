// What the tests of misuse share: a check that a call was refused and said why, and an allocator that counts
// and gives out after a number of calls.
#ifndef MOTE_ABUSE_H
#define MOTE_ABUSE_H

#include <mote/base.h>

#include "test.h"

// Whether `result` is the failure `code`, told in `error` by a sentence with `word` in it.
static inline bool abuse_refused(mote_result result, mote_result code, const mote_error *error,
                                 const char *word, const char *call, const char *file, int line) {
  bool ok = result == code && error->code == code && strstr(error->text, word) != NULL;
  if (!test_report(ok, call, file, line) && test_failures <= 20) {
    fprintf(stderr, "  %s: \"%s\", wanted %s with \"%s\"\n", mote_result_name(result), error->text,
            mote_result_name(code), word);
  }
  return ok;
}

// `call` uses a variable `error`, which it need not find cleared.
#define REFUSED(call, code, word) \
  (error = (mote_error){0},       \
   abuse_refused((call), MOTE_ERROR_##code, &error, (word), #call, __FILE__, __LINE__))

typedef struct abuse_memory {
  long left;       // calls that succeed yet; negative: all
  size_t bytes;    // given out now
  size_t most;     // ever
  bool exhausted;  // whether a call was refused
} abuse_memory;

static inline void *abuse_resize(void *user, void *block, size_t old_size, size_t size) {
  abuse_memory *memory = user;
  if (size > 0 && memory->left == 0) {
    memory->exhausted = true;
    return NULL;
  }
  if (size > 0 && memory->left > 0) --memory->left;
  memory->bytes += size - old_size;
  if (memory->bytes > memory->most) memory->most = memory->bytes;
  mote_env plain = mote_env_default();
  return plain.resize(plain.resize_user, block, old_size, size);
}

static inline mote_env abuse_env(abuse_memory *memory, long left) {
  *memory = (abuse_memory){.left = left};
  return (mote_env){.resize = abuse_resize, .resize_user = memory, .threads = 2};
}

// Does something and undoes it.
typedef mote_result abuse_use(const mote_env *env);

// Lets `use` run out of memory at its first, second, ... allocation until it succeeds: each time it must say
// so, in `error` as well, and give everything back.
static inline void abuse_exhaust(const char *name, abuse_use *use, mote_error *error) {
  abuse_memory memory = {.exhausted = true};
  for (long left = 0; left < 10000 && memory.exhausted; ++left) {
    mote_env env = abuse_env(&memory, left);
    *error = (mote_error){0};
    mote_result result = use(&env);
    bool told = result == MOTE_ERROR_MEMORY && error->code == result && strstr(error->text, "memory") != NULL;
    if (CHECK(memory.bytes == 0 && (memory.exhausted ? told : result == MOTE_OK))) continue;
    fprintf(stderr, "  %s after %ld allocations: %s \"%s\", %zu bytes held\n", name, left,
            mote_result_name(result), error->text, memory.bytes);
    return;
  }
  CHECK(!memory.exhausted);
}

#endif
