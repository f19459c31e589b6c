// Tables that grow with a run: see run_table.h.
#define _POSIX_C_SOURCE 200809L
#include "cli/run/run_table.h"

#include <errno.h>
#include <inttypes.h>
#include <mote/text.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/base/app_assert.h"
#include "cli/base/cli.h"

static bool refuse(const char *path, const char *what) {
  complain("%s: %s: %s", path, what, strerror(errno));
  return false;
}

static bool open_file(run_table *table, const char *mode) {
  table->file = fopen(table->path, mode);
  return table->file != NULL || refuse(table->path, "cannot be opened");
}

bool run_table_open(run_table *table, const char *path, const char *head) {
  APP_ASSERT(strlen(path) < sizeof table->path);
  snprintf(table->path, sizeof table->path, "%s", path);
  if (!open_file(table, "wb")) return false;
  if (fputs(head, table->file) >= 0 && fflush(table->file) == 0) return true;
  return refuse(table->path, "cannot be written");
}

// Where the first row after `time` begins, or an unfinished one; the size of the file when there is none.
static long find_end(FILE *file, double time) {
  char *line = NULL;
  size_t capacity = 0;
  long end = 0;
  for (ssize_t length; (length = getline(&line, &capacity, file)) > 0; end += length) {
    double at;
    if (line[length - 1] != '\n') break;
    if (mote_text_read_double(line, (size_t)length, MOTE_TEXT_FINITE, &at).length > 0 && at > time) break;
  }
  free(line);
  return end;
}

// Null, with a complaint, for what is not a plain file: a device may have no end.
static FILE *open_to_read(const char *path) {
  struct stat status;
  if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
    complain("%s: not a plain file", path);
    return NULL;
  }
  FILE *file = fopen(path, "rb");
  if (file == NULL) refuse(path, "cannot be read");
  return file;
}

static bool cut_file(const char *path, double time) {
  FILE *file = open_to_read(path);
  if (file == NULL) return false;
  long end = find_end(file, time);
  fclose(file);
  return truncate(path, end) == 0 || refuse(path, "cannot be truncated");
}

bool run_table_cut(run_table *table, double time) {
  run_table_close(table);
  return cut_file(table->path, time) && open_file(table, "ab");
}

bool run_table_reopen(run_table *table, const char *path, const char *head, double time) {
  if (access(path, F_OK) != 0) return run_table_open(table, path, head);
  snprintf(table->path, sizeof table->path, "%s", path);
  return run_table_cut(table, time);
}

void run_table_close(run_table *table) {
  if (table->file != NULL) fclose(table->file);
  table->file = NULL;
}

// --- Rows ---

static void put(run_table *table, const char *text) {
  size_t size = strlen(text);
  APP_ASSERT(table->length < sizeof table->row);
  if (table->length + size + 2 > sizeof table->row) return;
  memcpy(table->row + table->length, text, size + 1);
  table->length += size;
}

void run_table_row(run_table *table, double time) {
  char text[MOTE_TEXT_NUMBER];
  table->length = 0;
  mote_text_print_double(text, time);
  put(table, text);
}

void run_table_number(run_table *table, double value) {
  char text[MOTE_TEXT_NUMBER];
  mote_text_print_double(text, value);
  put(table, ",");
  put(table, text);
}

void run_table_text(run_table *table, const char *text) {
  put(table, ",");
  put(table, text);
}

void run_table_integer(run_table *table, uint64_t value) {
  char text[32];
  snprintf(text, sizeof text, ",%" PRIu64, value);
  put(table, text);
}

void run_table_numbers(run_table *table, const double *value, int count) {
  APP_ASSERT(count >= 0);
  for (int k = 0; k < count; ++k) run_table_number(table, value[k]);
}

bool run_table_end(run_table *table) {
  APP_ASSERT(table->file != NULL && table->length > 0);
  put(table, "\n");
  bool ok = fwrite(table->row, 1, table->length, table->file) == table->length && fflush(table->file) == 0;
  return ok || refuse(table->path, "cannot be written");
}

bool run_table_sync(run_table *table) {
  return table->file == NULL || fsync(fileno(table->file)) == 0 || refuse(table->path, "cannot be written");
}

// --- Reading ---

static bool read_row(const char *line, size_t length, int columns, double *row) {
  for (int k = 0; k < columns; ++k) {
    mote_text_scan scan = mote_text_read_double(line, length, MOTE_TEXT_ANY, &row[k]);
    if (scan.length == 0) return false;
    line += scan.length, length -= scan.length;
    if (length > 0) ++line, --length;
  }
  return true;
}

double *run_table_read(const char *path, int columns, size_t *rows) {
  FILE *file = open_to_read(path);
  if (file == NULL) return NULL;
  size_t capacity = 64, line_capacity = 0;
  char *line = NULL;
  double *value = malloc(capacity * columns * sizeof *value);
  *rows = 0;
  for (ssize_t length; value != NULL && (length = getline(&line, &line_capacity, file)) > 0;) {
    if (*rows == capacity) {
      double *larger = realloc(value, 2 * capacity * columns * sizeof *value);
      if (larger == NULL) free(value);
      value = larger, capacity *= 2;
    }
    if (value != NULL && read_row(line, (size_t)length, columns, value + *rows * columns)) ++*rows;
  }
  free(line);
  fclose(file);
  if (value == NULL) complain("%s: out of memory", path);
  return value;
}
