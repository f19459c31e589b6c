// The program of a folder's tests. Without arguments it runs all files, each in a process of its own; with
// the name of one (`shape` of shape_test.c) that file.
#define _POSIX_C_SOURCE 200809L
#define MOTE_TEST_RUNNER
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

#ifdef __SANITIZE_ADDRESS__
#include "test_leaks.h"
#else
static void test_begin(void) {
}

static size_t test_leaked(void) {
  return 0;
}
#endif

#define SHOWN 20  // failures that are reported

int test_checks, test_failures;
static test_file *first;

bool test_report(bool ok, const char *what, const char *file, int line) {
  ++test_checks;
  if (!ok && ++test_failures <= SHOWN) fprintf(stderr, "%s:%d: failed: %s\n", file, line, what);
  return ok;
}

bool test_near(double a, double b, double tolerance, const char *what, const char *file, int line) {
  bool ok = a == b || (a - b <= tolerance && b - a <= tolerance);
  if (!test_report(ok, what, file, line) && test_failures <= SHOWN) {
    fprintf(stderr, "  %.17g against %.17g, difference %.3g, tolerance %.3g\n", a, b, a - b, tolerance);
  }
  return ok;
}

int test_end(void) {
  size_t leaked = test_leaked();
  if (leaked != 0 && ++test_failures > 0) fprintf(stderr, "%zu bytes are not given back\n", leaked);
  printf("%d checks, %d failures\n", test_checks, test_failures);
  return test_failures != 0 || test_checks == 0;
}

void test_add(test_file *file) {
  test_file **place = &first;
  while (*place != NULL && strcmp((*place)->path, file->path) < 0) place = &(*place)->next;
  file->next = *place;
  *place = file;
}

// Whether `file` is NAME_test.c.
static bool is_named(const test_file *file, const char *name) {
  const char *slash = strrchr(file->path, '/'), *last = slash != NULL ? slash + 1 : file->path;
  size_t length = strlen(name);
  return strncmp(last, name, length) == 0 && strcmp(last + length, "_test.c") == 0;
}

static int run_file(const test_file *file) {
  test_begin();
  printf("%s: ", file->path);
  return file->run();
}

// In a child process: files change the working directory, signals and memory.
static bool run_apart(const test_file *file) {
  pid_t child = fork();
  if (child == 0) exit(run_file(file));
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return fprintf(stderr, "no process\n"), false;
  if (WIFSIGNALED(status)) fprintf(stderr, "ended by signal %d\n", WTERMSIG(status));
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int main(int argc, char **argv) {
  if (argc > 2) return fprintf(stderr, "usage: %s [NAME]\n", argv[0]), 2;
  int failed = 0;
  for (const test_file *file = first; file != NULL; file = file->next) {
    if (argc == 2 && is_named(file, argv[1])) return run_file(file);
    if (argc == 1 && !run_apart(file)) ++failed;
  }
  if (argc == 2) return fprintf(stderr, "%s: no file %s_test.c\n", argv[0], argv[1]), 2;
  if (failed > 0) fprintf(stderr, "%d files failed\n", failed);
  return failed > 0 || first == NULL;
}
