// Checks for the tests: each reports where it failed and goes on; the exit status tells.
// The test files of a folder are one program (cmake/tests.cmake): `main` in them is the main function of the
// file only, and tests/test_main.c runs the one that it is asked for, or all, each in a process of its own.
#ifndef MOTE_TEST_H
#define MOTE_TEST_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

// Of the process.
extern int test_checks, test_failures;

// Count a check and report it if it failed; both give whether it held.
bool test_report(bool ok, const char *what, const char *file, int line);
bool test_near(double a, double b, double tolerance, const char *what, const char *file, int line);

// Ends the main function of a file: prints the counts, gives the exit status. A file without a check has
// failed.
int test_end(void);

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

// Before the program begins each file names itself.
typedef struct test_file {
  const char *path;
  int (*run)(void);
  struct test_file *next;
} test_file;

void test_add(test_file *file);

#ifndef MOTE_TEST_RUNNER
#define main test_main_of_file
static int main(void);
__attribute__((constructor)) static void test_add_this(void) {
  static test_file file = {__BASE_FILE__, main, NULL};
  test_add(&file);
}
#endif

#endif
