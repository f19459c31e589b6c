// mote validate: runs the cases, prints a table or one JSON object a line, and fails when one does.
#include <stdio.h>
#include <string.h>

#include "cli/base/cli.h"
#include "validate/validation.h"

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

static void list_cases(void) {
  for (const validation_case *c = validation_cases; c < validation_cases + CASES; ++c) {
    printf("%-14s %-24s %s\n", c->group, c->name, c->summary);
  }
}

// Cases of elastic bodies were once called after solids.
static bool has_old_name(const char *word) {
  if (strncmp(word, "solid", 5) != 0) return false;
  complain("unknown case \"%s\": cases of elastic bodies are elastic-* (mote validate --list shows them)",
           word);
  return true;
}

// Whether the words are names or groups of cases; complains.
static bool cases_known(int count, char **words) {
  const char *names[2 * CASES];
  for (int k = 1; k < count; ++k)
    if (has_old_name(words[k])) return false;
  for (size_t c = 0; c < CASES; ++c) {
    names[2 * c] = validation_cases[c].name;
    names[2 * c + 1] = validation_cases[c].group;
  }
  return words_known(count, words, names, 2 * CASES, "mote validate --list");
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
  if (!cases_known(argc, argv)) return EXIT_USAGE;
  if (list) {
    list_cases();
    return EXIT_DONE;
  }
  int status = v.directory == NULL ? EXIT_DONE : make_directory(v.directory);
  if (status != EXIT_DONE) return status;
  validation_run(&v, argc, argv);
  if (!v.json) {
    printf("%d passed, %d failed", v.passed, v.failed);
    if (v.skipped > 0) printf(", %d skipped", v.skipped);
    printf("\n");
  }
  if (validation_rows(&v) == v.skipped) {
    complain("all selected cases are skipped");
    return EXIT_VALIDATION;
  }
  if (v.broken) return EXIT_FAILED;
  return v.failed == 0 ? EXIT_DONE : EXIT_VALIDATION;
}
