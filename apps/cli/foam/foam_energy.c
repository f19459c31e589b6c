// The energy that the liquid of a run has lost: see foam_energy.h.
#define _POSIX_C_SOURCE 200809L
#include "cli/foam/foam_energy.h"

#include <math.h>
#include <mote/text.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/app_assert.h"
#include "cli/base/cli.h"

#define COLUMNS_MOST 256

// What walls that move have done is no loss; what the stages below have taken is one.
static double sign_of(const char *column, size_t length) {
  static const struct {
    const char *name;
    double sign;
  } part[] = {{"ledger_divergence", -1.0}, {"ledger_gravity", -1.0}, {"ledger_pressure", -1.0},
              {"ledger_move", -1.0},       {"ledger_collide", -1.0}, {"ledger_viscosity", -1.0},
              {"work_walls", 1.0}};
  for (size_t k = 0; k < sizeof part / sizeof *part; ++k) {
    if (strlen(part[k].name) == length && memcmp(part[k].name, column, length) == 0) return part[k].sign;
  }
  return 0.0;
}

// The sign of each column; returns whether there is a ledger.
static bool read_header(const char *line, double sign[COLUMNS_MOST]) {
  bool any = false;
  for (int k = 0; k < COLUMNS_MOST; ++k) {
    size_t length = strcspn(line, ",\r\n");
    sign[k] = sign_of(line, length);
    any = any || sign[k] < 0.0;
    if (line[length] != ',') break;
    line += length + 1;
  }
  return any;
}

static bool read_row(const char *line, size_t length, const double sign[COLUMNS_MOST], double *time,
                     double *lost) {
  *lost = 0.0;
  for (int k = 0; k < COLUMNS_MOST; ++k) {
    double value;
    mote_text_scan scan = mote_text_read_double(line, length, MOTE_TEXT_FINITE, &value);
    if (scan.length == 0) return k > 0;
    if (k == 0) *time = value;
    *lost += sign[k] * value;
    line += scan.length, length -= scan.length;
    if (length == 0 || *line != ',') return true;
    ++line, --length;
  }
  return true;
}

static bool add_row(foam_energy *e, size_t *capacity, double time, double lost) {
  APP_ASSERT(e->count <= *capacity);
  if (e->count == *capacity) {
    *capacity = 2 * *capacity + 64;
    double *times = realloc(e->time, *capacity * sizeof *times);
    if (times != NULL) e->time = times;
    double *all = realloc(e->lost, *capacity * sizeof *all);
    if (all != NULL) e->lost = all;
    if (times == NULL || all == NULL) return complain("out of memory for totals.csv"), false;
  }
  e->time[e->count] = time, e->lost[e->count++] = lost;
  return true;
}

bool foam_energy_read(foam_energy *e, const char *directory) {
  char path[4096], *line = NULL;
  double sign[COLUMNS_MOST] = {0}, time = 0.0, lost = 0.0;
  size_t size = 0, capacity = 0;
  *e = (foam_energy){0};
  snprintf(path, sizeof path, "%s/totals.csv", directory);
  FILE *file = fopen(path, "rb");
  if (file == NULL) return true;
  ssize_t length = getline(&line, &size, file);
  bool fine = true;
  if (length > 0 && read_header(line, sign)) {
    while (fine && (length = getline(&line, &size, file)) > 0) {
      if (read_row(line, (size_t)length, sign, &time, &lost)) fine = add_row(e, &capacity, time, lost);
    }
  }
  free(line);
  fclose(file);
  return fine;
}

void foam_energy_free(foam_energy *e) {
  free(e->time), free(e->lost);
  *e = (foam_energy){0};
}

// Linear between the rows.
static double lost_at(const foam_energy *e, double time) {
  size_t k = 1;
  if (e->count < 2 || time < e->time[0] - 1e-9 || time > e->time[e->count - 1] + 1e-9) return (double)NAN;
  while (k + 1 < e->count && e->time[k] < time) ++k;
  double part = (time - e->time[k - 1]) / (e->time[k] - e->time[k - 1]);
  return e->lost[k - 1] + part * (e->lost[k] - e->lost[k - 1]);
}

double foam_energy_between(const foam_energy *e, double from, double to) {
  return lost_at(e, to) - lost_at(e, from);
}
