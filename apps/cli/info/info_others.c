// Other files of runs and of mote sample: see info_others.h.
#define _POSIX_C_SOURCE 200809L
#include "cli/info/info_others.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <mote/io.h>
#include <mote/text.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/base/app_assert.h"
#include "cli/base/cli.h"
#include "cli/files/input_file.h"

static FILE *open_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) complain("%s: cannot be read: %s", path, strerror(errno));
  return file;
}

// --- Tables ---

typedef struct column {
  char name[64];
  double low, high, sum, first, last;
  size_t count;
} column;

static size_t read_names(char *line, column **out) {
  size_t count = 1, k = 0;
  for (const char *c = line; *c != '\0'; ++c) count += *c == ',';
  *out = input_take(count, sizeof **out);
  for (char *word = line; k < count; ++k) {
    size_t length = strcspn(word, ",\r\n");
    snprintf((*out)[k].name, sizeof(*out)[k].name, "%.*s", (int)(length < 60 ? length : 60), word);
    word += length + (word[length] != '\0');
  }
  return count;
}

static void add_row(column *columns, size_t count, const char *line, size_t length) {
  APP_ASSERT(columns != NULL && count > 0);
  for (size_t k = 0; k < count; ++k) {
    double value;
    mote_text_scan scan = mote_text_read_double(line, length, MOTE_TEXT_ANY, &value);
    if (scan.length > 0 && isfinite(value)) {
      column *c = &columns[k];
      c->low = c->count == 0 ? value : fmin(c->low, value);
      c->high = c->count == 0 ? value : fmax(c->high, value);
      if (c->count == 0) c->first = value;
      c->last = value, c->sum += value;
      ++c->count;
    }
    const char *comma = memchr(line, ',', length);
    if (comma == NULL) break;
    length -= (size_t)(comma + 1 - line);
    line = comma + 1;
  }
}

static void print_columns(const column *c, size_t count, size_t rows, bool json) {
  if (!json) printf("table of %zu row%s and %zu columns\n", rows, rows == 1 ? "" : "s", count);
  if (!json) printf("  %-24s %12s %12s %12s %12s\n", "column", "lowest", "mean", "highest", "last");
  if (json) printf(",\"rows\":%zu,\"columns\":[", rows);
  for (size_t k = 0; k < count; ++k) {
    double mean = c[k].count > 0 ? c[k].sum / (double)c[k].count : (double)NAN;
    if (!json)
      printf("  %-24s %12.6g %12.6g %12.6g %12.6g\n", c[k].name, c[k].low, mean, c[k].high, c[k].last);
    if (!json) continue;
    printf("%s{\"name\":", k > 0 ? "," : ""), put_json_text(c[k].name);
    printf(",\"min\":"), put_json_number(c[k].low);
    printf(",\"mean\":"), put_json_number(mean);
    printf(",\"max\":"), put_json_number(c[k].high);
    printf(",\"last\":"), put_json_number(c[k].last);
    printf("}");
  }
  if (json) printf("]");
}

int info_table(const char *path, bool json, const mote_env *env) {
  FILE *file = open_file(path);
  char *line = NULL;
  size_t capacity = 0, count = 0, rows = 0;
  column *columns = NULL;
  (void)env;
  if (file == NULL) return EXIT_FAILED;
  for (ssize_t length; (length = getline(&line, &capacity, file)) > 0;) {
    if (line[0] == '#') continue;
    if (columns == NULL) {
      count = read_names(line, &columns);
    } else {
      add_row(columns, count, line, (size_t)length);
      ++rows;
    }
  }
  print_columns(columns, count, rows, json);
  free(columns);
  free(line);
  fclose(file);
  return EXIT_DONE;
}

// --- Files of XML, by their attributes ---

// The text of an attribute behind `at`, into out; where it ends, or null.
static const char *attribute(const char *at, const char *name, char out[128]) {
  char key[32];
  snprintf(key, sizeof key, " %s=\"", name);
  const char *found = strstr(at, key);
  if (found == NULL) return NULL;
  found += strlen(key);
  size_t length = strcspn(found, "\"");
  snprintf(out, 128, "%.*s", (int)(length < 120 ? length : 120), found);
  return found + length;
}

// Numbers may be long: all of the text, to be freed.
static char *read_text(const char *path) {
  FILE *file = open_file(path);
  struct stat about;
  if (file == NULL || fstat(fileno(file), &about) != 0) return NULL;
  char *text = input_take((size_t)about.st_size + 1, 1);
  size_t size = fread(text, 1, (size_t)about.st_size, file);
  fclose(file);
  for (size_t k = 0; k < size; ++k)
    if (text[k] == '\0') text[k] = ' ';
  return text;
}

int info_grid(const char *path, bool json, const mote_env *env) {
  char *text = read_text(path), extent[128], origin[128] = "", spacing[128] = "", name[128];
  int size[6] = {0};
  (void)env;
  if (text == NULL) return EXIT_FAILED;
  if (attribute(text, "WholeExtent", extent) == NULL ||
      sscanf(extent, "%d %d %d %d %d %d", &size[0], &size[1], &size[2], &size[3], &size[4], &size[5]) != 6) {
    complain("%s: no grid in this file", path);
    free(text);
    return EXIT_USAGE;
  }
  attribute(text, "Origin", origin), attribute(text, "Spacing", spacing);
  int n[3] = {size[1] - size[0] + 1, size[3] - size[2] + 1, size[5] - size[4] + 1};
  printf(json ? ",\"size\":[%d,%d,%d],\"origin\":\"%s\",\"spacing\":\"%s\",\"fields\":["
              : "grid of %d x %d x %d points, origin %s, spacing %s\n",
         n[0], n[1], n[2], origin, spacing);
  const char *at = strstr(text, "<PointData");
  for (int k = 0; at != NULL && (at = strstr(at, "<DataArray")) != NULL; ++k) {
    if (attribute(at, "Name", name) != NULL && json) printf("%s", k > 0 ? "," : ""), put_json_text(name);
    if (!json) printf("  field %s\n", name);
    ++at;
  }
  if (json) printf("]");
  free(text);
  return EXIT_DONE;
}

int info_series(const char *path, bool json, const mote_env *env) {
  char *text = read_text(path), time[128], file[128], first[128] = "", last[128] = "", name[128] = "";
  size_t count = 0;
  (void)env;
  if (text == NULL) return EXIT_FAILED;
  for (const char *at = text; (at = strstr(at, "<DataSet")) != NULL; ++at, ++count) {
    if (attribute(at, "timestep", time) == NULL || attribute(at, "file", file) == NULL) break;
    if (count == 0) memcpy(first, time, sizeof first), memcpy(name, file, sizeof name);
    memcpy(last, time, sizeof last);
  }
  printf(json ? ",\"files\":%zu,\"first\":\"%s\",\"from\":\"%s\",\"to\":\"%s\""
              : "series of %zu files from %s, t = %s to %s s\n",
         count, name, first, last);
  free(text);
  return EXIT_DONE;
}

// --- Others ---

int info_report(const char *path, bool json, const mote_env *env) {
  static const char *const keys[] = {"frame",  "time",         "steps",   "particles",  "elastic",
                                     "solids", "wall_seconds", "version", "scene_hash", "state_hash"};
  char *text = read_text(path);
  (void)env;
  if (text == NULL) return EXIT_FAILED;
  if (!json) printf("report of a run\n");
  for (size_t k = 0; k < sizeof keys / sizeof *keys; ++k) {
    char key[32];
    snprintf(key, sizeof key, "\"%s\":", keys[k]);
    const char *at = strstr(text, key);
    if (at == NULL) continue;
    at += strlen(key);
    printf(json ? ",\"%s\":%.*s" : "  %-12s %.*s\n", keys[k], (int)strcspn(at, ",}"), at);
  }
  free(text);
  return EXIT_DONE;
}

int info_commands(const char *path, bool json, const mote_env *env) {
  mote_command_file *file;
  mote_error error;
  size_t count, done = 0, of[MOTE_COMMANDS] = {0};
  if (mote_commands_read(path, env, &file, &error) != MOTE_OK) return complain_error(&error);
  const mote_command *given = mote_command_file_commands(file, &count);
  for (size_t k = 0; k < count; ++k) ++of[given[k].kind];
  while (done < count && given[done].step != UINT64_MAX && !isnan(given[done].time)) ++done;
  printf(json ? ",\"commands\":%zu,\"taken_effect\":%zu" : "%zu commands, %zu of which took effect", count,
         done);
  if (done > 0)
    printf(
        json ? ",\"first_step\":%" PRIu64 ",\"last_step\":%" PRIu64 : ", from step %" PRIu64 " to %" PRIu64,
        given[0].step, given[done - 1].step);
  if (!json) printf("\n");
  for (int k = 0; k < MOTE_COMMANDS; ++k) {
    if (of[k] > 0) printf(json ? ",\"%s\":%zu" : "  %-18s %zu\n", mote_command_kinds()[k].name, of[k]);
  }
  mote_command_file_destroy(file);
  return EXIT_DONE;
}

int info_bytes(const char *path, bool json, const mote_env *env) {
  struct stat about;
  (void)env;
  if (stat(path, &about) != 0) return complain("%s: cannot be read: %s", path, strerror(errno)), EXIT_FAILED;
  const char *what = input_ends(path, "svg") ? "drawing (SVG)" : "video";
  if (json)
    printf(",\"bytes\":%lld", (long long)about.st_size);
  else
    printf("%s of %lld bytes\n", what, (long long)about.st_size);
  return EXIT_DONE;
}
