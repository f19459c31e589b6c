// mote validate: runs the cases, prints a table or one JSON object a line, and fails when one does.
#include <math.h>
#include <mote/text.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "cli/base/cli.h"
#include "cli/base/run_progress.h"
#include "validate/side_by_side.h"
#include "validate/validate.h"

const char help_validate[] =
    "usage: mote validate [CASE|GROUP...] [--quick|--release] [--json] [--list] [--times] [--threads N]\n"
    "                     [-o DIR]\n"
    "\n"
    "Compares the mathematics and physics of this build with exact and published values and prints\n"
    "value, reference, error, tolerance and source of each measure. Without a name, runs all cases.\n"
    "\n"
    "  --quick      smaller sets, for a fast check\n"
    "  --release    also the published resolutions and long cases: hours\n"
    "  --list       list the cases and groups without running them\n"
    "  --json       one JSON object per measure, one per line\n"
    "  --times      seconds of wall clock and of CPU after each case, and in total\n"
    "  --threads N  number of threads: cases run side by side (results do not depend on it)\n"
    "  -o DIR       also write plots and tables, if any, into DIR (coefficients: not with --quick)\n"
    "\n"
    "exit status: 0 all passed, 1 a measure could not be made or written, 2 invalid usage, 3 a measure\n"
    "missed its tolerance\n"
    "\n"
    "examples:\n"
    "  mote validate approx             the approximation methods\n"
    "  mote validate coefficients -o c  effective coefficients of the SPH operators, with plots\n";

#define CASES 256

struct validation {
  bool quick, release, json, times;
  const char *directory;
  mote_env env;
  const validation_case *current;
  int passed, failed, shown, skipped;
  bool broken;  // something could not be measured, or not be written
};

// Cases that were asked for.
typedef struct selection {
  validation *validation;
  validation *after;  // of each case that ran in a process of its own: what it counted
  const validation_case *wanted[CASES];
  size_t count;
} selection;

#define TABLE_NAME(table) table,
static const validation_case *const tables[] = {VALIDATION_TABLES(TABLE_NAME)};
#define TABLES (sizeof tables / sizeof tables[0])

static void print_json_text(const char *text) {
  putchar('"');
  for (; *text != '\0'; ++text) {
    if (*text == '"' || *text == '\\') putchar('\\');
    putchar(*text);
  }
  putchar('"');
}

static void print_json_number(const char *key, double value) {
  if (isfinite(value)) {
    char text[MOTE_TEXT_NUMBER];
    mote_text_print_double(text, value);
    printf(",\"%s\":%s", key, text);
  } else {
    printf(",\"%s\":null", key);
  }
}

static void print_json(const validation *v, const measure *m, double error, bool pass) {
  printf("{\"case\":");
  print_json_text(v->current->name);
  printf(",\"measure\":");
  print_json_text(m->name);
  print_json_number("value", m->value);
  print_json_number("reference", m->reference);
  print_json_number("error", error);
  print_json_number("tolerance", m->kind == MEASURE_SHOWN ? (double)INFINITY : m->tolerance);
  printf(",\"source\":");
  print_json_text(m->source);
  printf(",\"pass\":%s}\n", pass ? "true" : "false");
}

static void print_row(const measure *m, double error, const char *verdict) {
  const char *relation = m->kind == MEASURE_AT_LEAST ? ">=" : "";
  printf("  %-4s %-52s %14.7g %2s%13.7g %10.2e", verdict, m->name, m->value, relation, m->reference, error);
  if (m->kind == MEASURE_SHOWN) {
    printf(" %9s  %s\n", "", m->source);
  } else {
    printf(" %9.2e  %s\n", m->tolerance, m->source);
  }
}

static bool measure_passes(const measure *m, double error) {
  switch (m->kind) {
    case MEASURE_NEAR: return fabs(error) <= m->tolerance;
    case MEASURE_AT_LEAST: return error >= -m->tolerance;
    case MEASURE_SHOWN: return true;
  }
  return false;
}

void validation_report(validation *v, const measure *m) {
  double error = m->value - m->reference;
  bool pass = measure_passes(m, error);
  if (m->kind == MEASURE_SHOWN) {
    ++v->shown;
  } else if (pass) {
    ++v->passed;
  } else {
    ++v->failed;
  }
  if (v->json) {
    print_json(v, m, error, pass);
  } else {
    print_row(m, error, m->kind == MEASURE_SHOWN ? "" : pass ? "ok" : "MISS");
  }
  fflush(stdout);
}

void validation_error(validation *v, const mote_error *error) {
  v->broken = true;
  complain("%s: %s%s%s", v->current->name, error->file, error->file[0] != '\0' ? ": " : "", error->text);
}

void validation_skip(validation *v, const char *why) {
  ++v->skipped;
  if (!v->json) printf("  %-4s skipped: %s\n", "", why);
}

bool validation_quick(const validation *v) {
  return v->quick;
}

bool validation_release(const validation *v) {
  return v->release;
}

const mote_env *validation_env(const validation *v) {
  return &v->env;
}

bool validation_plot_path(const validation *v, const char *name, char *path, size_t size) {
  if (v->directory == NULL) return false;
  int length = snprintf(path, size, "%s/%s", v->directory, name);
  return length > 0 && (size_t)length < size;
}

static void list_cases(void) {
  for (size_t t = 0; t < TABLES; ++t) {
    for (const validation_case *c = tables[t]; c->name != NULL; ++c) {
      printf("%-14s %-24s %s\n", c->group, c->name, c->summary);
    }
  }
}

static bool case_matches(const validation_case *c, const char *word) {
  return strcmp(c->name, word) == 0 || strcmp(c->group, word) == 0;
}

#define NAMES (2 * CASES)

static size_t collect_names(const char **names) {
  size_t count = 0;
  for (size_t t = 0; t < TABLES; ++t) {
    for (const validation_case *c = tables[t]; c->name != NULL && count + 2 <= NAMES; ++c) {
      names[count++] = c->name;
      names[count++] = c->group;
    }
  }
  return count;
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

static int rows_of(const validation *v) {
  return v->passed + v->failed + v->shown + v->skipped;
}

static void run_case(validation *v, const validation_case *c) {
  stopwatch begun = stopwatch_read();
  v->current = c;
  if (!v->json) {
    printf("%s: %s\n", c->name, c->summary);
    printf("  %-4s %-52s %14s %15s %10s %9s  %s\n", "", "measure", "value", "reference", "error", "tolerance",
           "source");
  }
  int before = rows_of(v);
  c->run(v);
  // Nothing measured is nothing validated.
  if (rows_of(v) == before) {
    v->broken = true;
    complain("%s: the case has no measured value", c->name);
  }
  print_times(v, c->name, begun);
}

static void select_cases(selection *s, int argc, char **argv) {
  for (size_t t = 0; t < TABLES; ++t) {
    for (const validation_case *c = tables[t]; c->name != NULL && s->count < CASES; ++c) {
      bool wanted = argc < 2;
      for (int k = 1; k < argc; ++k) wanted = wanted || case_matches(c, argv[k]);
      if (wanted) s->wanted[s->count++] = c;
    }
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

static void run_matching(validation *v, int argc, char **argv) {
  selection s = {.validation = v};
  select_cases(&s, argc, argv);
  size_t size = s.count * sizeof *s.after;
  if (v->env.threads > 1 && s.count > 1) s.after = side_memory_take(size);
  if (s.after != NULL) {
    run_side_by_side(&s, v);
    side_memory_give(s.after, size);
    return;
  }
  for (size_t k = 0; k < s.count; ++k) run_case(v, s.wanted[k]);
}

int cmd_validate(int argc, char **argv) {
  validation v = {.env = mote_env_default()};
  bool list = false;
  const option options[] = {{.name = "--quick", .flag = &v.quick},
                            {.name = "--release", .flag = &v.release},
                            {.name = "--json", .flag = &v.json},
                            {.name = "--list", .flag = &list},
                            {.name = "--times", .flag = &v.times},
                            {.name = "--threads", .number = &v.env.threads, .low = 1, .high = 1024},
                            {.name = "-o", .value = &v.directory},
                            {.name = NULL}};
  if (!options_parse(&argc, argv, options)) return EXIT_USAGE;
  if (v.quick && v.release) {
    complain("--quick and --release exclude each other");
    return EXIT_USAGE;
  }
  const char *names[NAMES];
  if (!words_known(argc, argv, names, collect_names(names), "mote validate --list")) return EXIT_USAGE;
  if (list) {
    list_cases();
    return EXIT_DONE;
  }
  int status = v.directory == NULL ? EXIT_DONE : make_directory(v.directory);
  if (status != EXIT_DONE) return status;
  stopwatch begun = stopwatch_read();
  run_matching(&v, argc, argv);
  print_times(&v, "all", begun);
  if (!v.json) {
    printf("%d passed, %d failed", v.passed, v.failed);
    if (v.skipped > 0) printf(", %d skipped", v.skipped);
    printf("\n");
  }
  if (rows_of(&v) == v.skipped) {
    complain("all selected cases are skipped");
    return EXIT_VALIDATION;
  }
  if (v.broken) return EXIT_FAILED;
  return v.failed == 0 ? EXIT_DONE : EXIT_VALIDATION;
}
