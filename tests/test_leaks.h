// With the address sanitizer: what a test file has not given back. The sanitizer's own scan for leaks tells
// where it comes from, but takes seconds of every program on some machines (ASAN_OPTIONS=detect_leaks=1).
#ifndef MOTE_TEST_LEAKS_H
#define MOTE_TEST_LEAKS_H

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t __sanitizer_get_current_allocated_bytes(void);

// Bytes held by the C library for each thread, and by all when the file began.
static size_t test_held_by_thread, test_held_at_start;

static void *test_hold_in_thread(void *held) {
  *(size_t *)held = __sanitizer_get_current_allocated_bytes();
  return NULL;
}

static void test_begin(void) {
  static char buffer[4096];  // of stdout, which would be allocated with the first line
  setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
  pthread_t thread;
  size_t before = __sanitizer_get_current_allocated_bytes(), with_thread = before;
  if (pthread_create(&thread, NULL, test_hold_in_thread, &with_thread) == 0) pthread_join(thread, NULL);
  test_held_by_thread = with_thread - before;
  test_held_at_start = __sanitizer_get_current_allocated_bytes();
}

// But for threads: those that help with loops sleep until the program ends, and the C library keeps what
// ended ones had.
static size_t test_leaked(void) {
  const char *options = getenv("ASAN_OPTIONS");
  if (options == NULL || strstr(options, "detect_leaks=0") == NULL) return 0;
  size_t held = __sanitizer_get_current_allocated_bytes() - test_held_at_start;
  return test_held_by_thread > 0 ? held % test_held_by_thread : held;
}

#endif
