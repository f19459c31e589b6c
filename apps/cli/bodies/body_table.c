// bodies.csv of a run: see body_table.h.
#define _POSIX_C_SOURCE 200809L
#include "cli/bodies/body_table.h"

#include <math.h>
#include <mote/text.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/app_assert.h"
#include "cli/base/cli.h"

#define TABLE_COLUMNS 15  // time, body, position, orientation, velocity, angular velocity
#define COLUMNS_LEAST 9   // without the velocities

// Reads the first numbers of a line; returns their count.
static int read_numbers(const char *line, size_t length, double out[TABLE_COLUMNS]) {
  int count = 0;
  while (count < TABLE_COLUMNS) {
    mote_text_scan scan = mote_text_read_double(line, length, MOTE_TEXT_FINITE, &out[count]);
    if (scan.length == 0) break;
    ++count;
    line += scan.length, length -= scan.length;
    if (length == 0 || *line != ',') break;
    ++line, --length;
  }
  return count;
}

static void add_moment(body_table *table, size_t *capacity, double time, long offset) {
  APP_ASSERT(table->moments <= *capacity);
  if (table->moments == *capacity) {
    *capacity = 2 * *capacity + 64;
    body_moment *grown = realloc(table->moment, *capacity * sizeof *grown);
    if (grown == NULL) abort();
    table->moment = grown;
  }
  table->moment[table->moments++] = (body_moment){time, offset};
}

static void find_moments(body_table *table) {
  char *line = NULL;
  size_t size = 0, capacity = 0;
  long offset = 0;
  for (ssize_t length; (length = getline(&line, &size, table->file)) > 0; offset += length) {
    double time;
    if (mote_text_read_double(line, (size_t)length, MOTE_TEXT_FINITE, &time).length == 0) continue;
    bool same = table->moments > 0 && table->moment[table->moments - 1].time == time;
    if (!same) add_moment(table, &capacity, time, offset);
  }
  free(line);
}

bool body_table_open(body_table *table, const char *directory) {
  *table = (body_table){0};
  snprintf(table->path, sizeof table->path, "%s/bodies.csv", directory);
  table->file = fopen(table->path, "rb");
  if (table->file == NULL) return true;
  find_moments(table);
  if (table->moments > 0) return true;
  complain("%s: no rows", table->path);
  return false;
}

void body_table_close(body_table *table) {
  if (table->file != NULL) fclose(table->file);
  free(table->moment);
  *table = (body_table){0};
}

static const body_moment *nearest(const body_table *table, double time) {
  APP_ASSERT(table->moments > 0);
  const body_moment *best = table->moment;
  for (size_t k = 1; k < table->moments; ++k) {
    if (fabs(table->moment[k].time - time) < fabs(best->time - time)) best = table->moment + k;
  }
  return best;
}

bool body_table_read(body_table *table, double time, body_place *place, size_t count) {
  APP_ASSERT(table->file != NULL);
  const body_moment *moment = nearest(table, time);
  char *line = NULL;
  size_t size = 0;
  double row[TABLE_COLUMNS];
  bool ok = fseek(table->file, moment->offset, SEEK_SET) == 0;
  for (ssize_t length; ok && (length = getline(&line, &size, table->file)) > 0;) {
    int numbers = read_numbers(line, (size_t)length, row);
    if (numbers > 0 && row[0] != moment->time) break;
    ok = numbers >= COLUMNS_LEAST && row[1] >= 1 && row[1] <= 1e9;
    size_t body = ok ? (size_t)row[1] - 1 : count;
    if (body >= count) continue;
    memcpy(place[body].position, row + 2, sizeof place[body].position);
    memcpy(place[body].orientation, row + 5, sizeof place[body].orientation);
    for (int k = 0; k < 3; ++k) {
      place[body].velocity[k] = numbers == TABLE_COLUMNS ? row[9 + k] : 0;
      place[body].spin[k] = numbers == TABLE_COLUMNS ? row[12 + k] : 0;
    }
  }
  free(line);
  if (!ok) complain("%s: the rows at %g s cannot be read", table->path, moment->time);
  return ok;
}
