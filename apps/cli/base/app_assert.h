// States what the code of the tool relies on: preconditions of its functions, invariants of its tables. On
// where MOTE_ASSERTS is defined (dev, clang and asan builds), else not evaluated. Never the answer to what a
// user typed or to what a file holds: those get a complaint.
#ifndef MOTE_APP_ASSERT_H
#define MOTE_APP_ASSERT_H

#ifdef MOTE_ASSERTS
#include <stdio.h>
#include <stdlib.h>

_Noreturn static inline void app_assert_fail(const char *condition, const char *file, int line) {
  fprintf(stderr, "%s:%d: assert failed: %s\n", file, line, condition);
  abort();
}
#define APP_ASSERT(condition) ((condition) ? (void)0 : app_assert_fail(#condition, __FILE__, __LINE__))
#else
#define APP_ASSERT(condition) ((void)sizeof(condition))
#endif

#endif
