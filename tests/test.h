// Checks for the tests: each reports where it failed and goes on; the program's exit status tells.
#ifndef MOTE_TEST_H
#define MOTE_TEST_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int test_checks, test_failures;

static inline bool test_report(bool ok, const char *what, const char *file, int line) {
  ++test_checks;
  if (!ok && ++test_failures <= 20) fprintf(stderr, "%s:%d: failed: %s\n", file, line, what);
  return ok;
}

static inline bool test_near(double a, double b, double tolerance, const char *what, const char *file,
                             int line) {
  bool ok = a == b || (a - b <= tolerance && b - a <= tolerance);
  if (!test_report(ok, what, file, line) && test_failures <= 20) {
    fprintf(stderr, "  %.17g against %.17g, difference %.3g, tolerance %.3g\n", a, b, a - b, tolerance);
  }
  return ok;
}

// Each is true when the check held.
#define CHECK(condition) test_report((condition), #condition, __FILE__, __LINE__)
#define CHECK_NEAR(a, b, tolerance) test_near((a), (b), (tolerance), #a " ~ " #b, __FILE__, __LINE__)
#define CHECK_TEXT(a, b) test_report(strcmp((a), (b)) == 0, #a " is " #b, __FILE__, __LINE__)

// Runs a case that repeats at length what shorter ones run through: not with sanitizers, which make it ten
// times as slow and find nothing new in it.
#ifdef MOTE_TEST_SHORT
enum { TEST_SHORT = 1 };
#else
enum { TEST_SHORT = 0 };
#endif
#define TEST_LONG(call)      \
  do {                       \
    if (!TEST_SHORT) (call); \
  } while (0)

#ifdef __SANITIZE_ADDRESS__
#include "test_leaks.h"
#else
static inline size_t test_leaked(void) {
  return 0;
}
#endif

// Ends main: prints the count, gives the exit status. A program without a check has failed.
static inline int test_end(void) {
  size_t leaked = test_leaked();
  if (leaked != 0 && ++test_failures > 0) fprintf(stderr, "%zu bytes are not given back\n", leaked);
  printf("%d checks, %d failures\n", test_checks, test_failures);
  return test_failures != 0 || test_checks == 0;
}

#endif
