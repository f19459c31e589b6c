// Three kinds of trouble, three tools (docs/architecture.md): errors for callers, asserts for us, and
// MOTE_TRY to hand a failure on.
#ifndef MOTE_CHECK_H
#define MOTE_CHECK_H

#include <mote/base.h>

#if defined(MOTE_DEBUG)
#include <assert.h>
#define MOTE_ASSERT(condition) assert(condition)
#else
#define MOTE_ASSERT(condition) ((void)sizeof(condition))
#endif

// Returns the failure of `call` from the calling function.
#define MOTE_TRY(call)                 \
  do {                                 \
    mote_result try_result = (call);   \
    if (try_result) return try_result; \
  } while (0)

// Fills `error` (where not null) and returns `code`.
mote_result mote_fail(mote_error *error, mote_result code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// ARGUMENT for a definition's member `key`, e.g. "radius".
mote_result mote_fail_key(mote_error *error, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Puts `outer` before the key of a failure that is passed on: "radius" becomes "shape.radius". Returns the
// code.
mote_result mote_fail_within(mote_error *error, mote_result code, const char *outer);

// The failure for an allocation of `bytes`.
mote_result mote_fail_memory(mote_error *error, size_t bytes);

#endif
