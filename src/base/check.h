// Three kinds of trouble, three tools (docs/architecture.md): errors for callers, asserts for us, and
// MOTE_TRY to hand a failure on.
#ifndef MOTE_CHECK_H
#define MOTE_CHECK_H

#include <mote/base.h>

// States what the code relies on: preconditions of internal functions, invariants of containers. On where
// MOTE_ASSERTS is defined (the CMake option of that name: dev, clang and asan builds), else not evaluated.
// Never the answer to bad input of a caller of the library.
#ifdef MOTE_ASSERTS
#define MOTE_ASSERT(condition) \
  ((condition) ? (void)0 : mote_assert_fail(#condition, __FILE__, __LINE__, __func__))
#else
#define MOTE_ASSERT(condition) ((void)sizeof(condition))
#endif

// Prints the condition and where it stands to stderr, and aborts.
_Noreturn void mote_assert_fail(const char *condition, const char *file, int line, const char *function);

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
