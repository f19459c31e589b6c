// Which cases run, and how: one after the other, or side by side in processes of their own. See validation.h.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "cli/base/app_assert.h"
#include "cli/base/cli.h"
#include "cli/base/run_progress.h"
#include "validate/side_by_side.h"
#include "validate/validation.h"

#define CASE(x, name, group, summary) {name, group, summary, validate_##x},
const validation_case validation_cases[CASES] = {
#include "validate/case_table.inc"
};
#undef CASE

// Cases that were asked for.
typedef struct selection {
  validation *validation;
  validation *after;  // of each case that ran in a process of its own: what it counted
  const validation_case *wanted[CASES];
  size_t count;
} selection;

static bool case_matches(const validation_case *c, const char *word) {
  return strcmp(c->name, word) == 0 || strcmp(c->group, word) == 0;
}

typedef struct stopwatch {
  double wall, processor;  // s
} stopwatch;

static double processor_seconds(int of) {
  struct rusage usage;
  if (getrusage(of, &usage) != 0) return (double)NAN;
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static stopwatch stopwatch_read(void) {
  return (stopwatch){wall_seconds(), processor_seconds(RUSAGE_SELF) + processor_seconds(RUSAGE_CHILDREN)};
}

static void print_times(const validation *v, const char *of, stopwatch since) {
  stopwatch now = stopwatch_read();
  if (!v->times || v->json) return;
  printf("%s: %.1f s, %.1f s of CPU\n", of, now.wall - since.wall, now.processor - since.processor);
}

static void run_case(validation *v, const validation_case *c) {
  stopwatch begun = stopwatch_read();
  v->current = c;
  if (!v->json) {
    printf("%s: %s\n", c->name, c->summary);
    printf("  %-4s %-52s %14s %15s %10s %9s  %s\n", "", "measure", "value", "reference", "error", "tolerance",
           "source");
  }
  int before = validation_rows(v);
  c->run(v);
  // Nothing measured is nothing validated.
  if (validation_rows(v) == before) {
    v->broken = true;
    complain("%s: the case has no measured value", c->name);
  }
  print_times(v, c->name, begun);
}

static void select_cases(selection *s, int count, char **words) {
  for (size_t c = 0; c < CASES; ++c) {
    bool wanted = count < 2;
    for (int k = 1; k < count; ++k) wanted = wanted || case_matches(&validation_cases[c], words[k]);
    if (wanted) s->wanted[s->count++] = &validation_cases[c];
  }
}

static void run_apart(void *data, size_t k) {
  const selection *s = data;
  validation own = *s->validation;
  own.env.threads = 1;
  run_case(&own, s->wanted[k]);
  s->after[k] = own;
}

// Cases side by side keep more threads busy than the threads of one case do.
static void run_side_by_side(selection *s, validation *v) {
  APP_ASSERT(s->after != NULL && s->count <= CASES);
  bool dead[CASES] = {false};
  bool well = side_by_side(s->count, v->env.threads, run_apart, s, dead);
  v->broken = v->broken || !well;
  for (size_t k = 0; k < s->count; ++k) {
    const validation *own = &s->after[k];
    v->passed += own->passed, v->failed += own->failed, v->shown += own->shown, v->skipped += own->skipped;
    v->broken = v->broken || own->broken;
    if (dead[k]) complain("%s: it ended before its time", s->wanted[k]->name);
  }
}

static void run_selected(selection *s, validation *v) {
  size_t size = s->count * sizeof *s->after;
  if (v->env.threads > 1 && s->count > 1) s->after = side_memory_take(size);
  if (s->after != NULL) {
    run_side_by_side(s, v);
    side_memory_give(s->after, size);
    return;
  }
  for (size_t k = 0; k < s->count; ++k) run_case(v, s->wanted[k]);
}

void validation_run(validation *v, int count, char **words) {
  APP_ASSERT(count >= 1 && v->env.threads >= 1);
  selection s = {.validation = v};
  select_cases(&s, count, words);
  stopwatch begun = stopwatch_read();
  run_selected(&s, v);
  print_times(v, "all", begun);
}
