// Tuned constants: real numbers that were chosen (fitted, by eye, for safety) and could be others. Each
// folder has one table of them, src/<folder>/tuning.inc, with one row for each:
//   TUNED(name, value, unit, gate, effect of half and of twice the value)
// A source file that needs some includes its folder's table. docs/tuning.md says what the columns mean.
#ifndef MOTE_BASE_TUNED_H
#define MOTE_BASE_TUNED_H

#ifndef MOTE_TUNING_SCAN

#define TUNED(name, value, unit, gate, effect) static const double name = value;

#else  // never in builds for use: the constants are variables, for tests/checks/tuning_scan.py

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The factor that the environment's MOTE_TUNING, "FOLDER/NAME=FACTOR", has for a constant of this table.
static inline double mote_tuning_factor(const char *table, const char *name) {
  const char *asked = getenv("MOTE_TUNING");
  if (asked == NULL) return 1.0;
  char folder[64], constant[64];
  double factor;
  if (sscanf(asked, "%63[^/]/%63[^=]=%lf", folder, constant, &factor) != 3) abort();
  char path[80];
  snprintf(path, sizeof path, "/%s/tuning.inc", folder);
  return strcmp(name, constant) == 0 && strstr(table, path) != NULL ? factor : 1.0;
}

#define TUNED(name, value, unit, gate, effect)                       \
  static double name = value;                                        \
  __attribute__((constructor)) static void mote_scale_##name(void) { \
    name *= mote_tuning_factor(__FILE__, #name);                     \
  }

#endif

#endif
