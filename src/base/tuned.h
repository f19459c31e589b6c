// Tuned constants: real numbers that were chosen (fitted, by eye, for safety) and could be others. Each
// folder has one table of them, src/<folder>/tuning.inc, with one row for each:
//   TUNED(name, value, unit, gate, effect of half and of twice the value)
// and TUNED_FLOAT for those of single precision.
// A source file that needs some includes its folder's table. docs/tuning.md says what the columns mean.
#ifndef MOTE_BASE_TUNED_H
#define MOTE_BASE_TUNED_H

#ifndef MOTE_TUNING_SCAN

#define TUNED(name, value, unit, gate, effect) static const double name = value;
#define TUNED_FLOAT(name, value, unit, gate, effect) static const float name = value;

#else  // never in builds for use: the constants are variables, for tests/checks/tuning_scan.py

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The factor that the environment's MOTE_TUNING, "FOLDER/NAME=FACTOR", has for a constant of this table.
static inline double mote_tuning_factor(const char *table, const char *name) {
  const char *asked = getenv("MOTE_TUNING");
  if (asked == NULL) return 1.0;
  const char *equals = strchr(asked, '='), *slash = equals;
  if (equals == NULL) abort();
  while (slash > asked && *slash != '/') --slash;
  if (strlen(name) != (size_t)(equals - slash - 1) || memcmp(slash + 1, name, strlen(name)) != 0) return 1.0;
  char path[80];
  snprintf(path, sizeof path, "src/%.*s/tuning.inc", (int)(slash - asked), asked);
  return strstr(table, path) != NULL ? strtod(equals + 1, NULL) : 1.0;
}

#define TUNED_AS(type, name, value)                                  \
  static type name = value;                                          \
  __attribute__((constructor)) static void mote_scale_##name(void) { \
    name *= (type)mote_tuning_factor(__FILE__, #name);               \
  }
#define TUNED(name, value, unit, gate, effect) TUNED_AS(double, name, value)
#define TUNED_FLOAT(name, value, unit, gate, effect) TUNED_AS(float, name, value)

#endif

#endif
