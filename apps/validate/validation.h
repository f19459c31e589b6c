// A validation that runs: what `mote validate` was asked for, and what its cases have reported.
#ifndef MOTE_VALIDATION_H
#define MOTE_VALIDATION_H

#include "validate/validate.h"

// One case: a name, the group that `mote validate GROUP` asks for, and what it does.
typedef struct validation_case {
  const char *name, *group, *summary;
  void (*run)(validation *);
} validation_case;

// The rows of case_table.inc, and their number.
#define CASE(x, name, group, summary) CASE_##x,
enum {
#include "validate/case_table.inc"
  CASES
};
#undef CASE
extern const validation_case validation_cases[CASES];

struct validation {
  bool quick, release, json, times;
  const char *directory;
  mote_env env;
  const validation_case *current;
  int passed, failed, shown, skipped;
  bool broken;  // something could not be measured, or not be written
};

// Measures that were reported, and those that were skipped.
int validation_rows(const validation *v);
// Runs the cases whose name or group is among words[1 .. count-1]; all of them where there are no words.
void validation_run(validation *v, int count, char **words);

#endif
