// Tasks in processes of their own: see side_by_side.h.
#define _DEFAULT_SOURCE  // MAP_ANONYMOUS
#include "validate/side_by_side.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/base/app_assert.h"

typedef struct child {
  pid_t process;  // 0: it has ended, or was never started
  FILE *output;
  bool begun;
} child;

static bool start(child *c, side_task *task, void *data, size_t k) {
  c->begun = true;
  c->output = tmpfile();
  if (c->output == NULL) return false;
  fflush(stdout);
  c->process = fork();
  if (c->process < 0) return c->process = 0, false;
  if (c->process > 0) return true;
  if (dup2(fileno(c->output), STDOUT_FILENO) < 0) _exit(1);
  task(data, k);
  _exit(fflush(stdout) == 0 ? 0 : 1);
}

static void print_output(child *c) {
  if (c->output == NULL) return;
  rewind(c->output);
  for (int next = getc(c->output); next != EOF; next = getc(c->output)) putchar(next);
  fclose(c->output);
  c->output = NULL;
  fflush(stdout);
}

// Waits for any of them; false: it did not end well.
static bool wait_for_one(child *children, size_t count, size_t *ended) {
  int status = 0;
  pid_t process;
  do {
    process = wait(&status);
  } while (process < 0 && errno == EINTR);
  for (*ended = 0; *ended < count && children[*ended].process != process;) ++*ended;
  if (process < 0 || *ended == count) return false;
  children[*ended].process = 0;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool side_by_side(size_t count, int at_once, side_task *task, void *data, bool *dead) {
  APP_ASSERT(at_once >= 1);
  child *children = calloc(count, sizeof *children);
  if (children == NULL) return false;
  size_t started = 0, printed = 0, ended = 0;
  int running = 0;
  bool well = true;
  while (printed < count) {
    for (; running < at_once && started < count; ++started) {
      if (start(&children[started], task, data, started)) {
        ++running;
      } else {
        well = false, dead[started] = true;
      }
    }
    if (running > 0) {
      --running;
      if (!wait_for_one(children, count, &ended)) {
        well = false;
        if (ended < count) dead[ended] = true;
      }
    }
    for (; printed < count && children[printed].begun && children[printed].process == 0; ++printed)
      print_output(&children[printed]);
  }
  free(children);
  return well;
}

void *side_memory_take(size_t size) {
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

void side_memory_give(void *memory, size_t size) {
  if (memory != NULL) munmap(memory, size);
}
