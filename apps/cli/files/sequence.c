// Numbered files: see sequence.h.
#include "cli/files/sequence.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/base/app_assert.h"
#include "cli/base/cli.h"
#include "cli/files/input_file.h"

// A name around a number of at least `digits` digits.
typedef struct pattern {
  int head;  // characters before it
  int digits;
  const char *tail;
} pattern;

static bool read_pattern(const char *name, pattern *out) {
  const char *percent = strchr(name, '%');
  if (percent == NULL || strchr(percent + 1, '%') != NULL) return false;
  const char *c = percent + 1;
  out->head = (int)(percent - name), out->digits = 1;
  if (*c == '0' && c[1] >= '1' && c[1] <= '9') out->digits = c[1] - '0', c += 2;
  out->tail = c + 1;
  return *c == 'd';
}

bool sequence_is_pattern(const char *name) {
  pattern p;
  return read_pattern(name, &p);
}

static char *copy_text(const char *text) {
  size_t size = strlen(text) + 1;
  return memcpy(input_take(size, 1), text, size);
}

char *sequence_name(const char *name, long number) {
  pattern p;
  char path[INPUT_PATH];
  read_pattern(name, &p);
  snprintf(path, sizeof path, "%.*s%0*ld%s", p.head, name, p.digits, number, p.tail);
  return copy_text(path);
}

// The number in the entry of a directory that fits the pattern; -1 where it does not.
static long number_of(const char *entry, const char *base, const pattern *p, size_t before) {
  APP_ASSERT((size_t)p->head >= before);
  size_t head = (size_t)p->head - before, length = strlen(entry), tail = strlen(p->tail);
  if (length < head + tail + 1 || strncmp(entry, base, head) != 0) return -1;
  if (strcmp(entry + length - tail, p->tail) != 0) return -1;
  size_t digits = length - head - tail;
  if (digits > 9 || strspn(entry + head, "0123456789") < digits || digits < (size_t)p->digits) return -1;
  if (digits > (size_t)p->digits && entry[head] == '0') return -1;
  return strtol(entry + head, NULL, 10);
}

static int compare_longs(const void *a, const void *b) {
  long x = *(const long *)a, y = *(const long *)b;
  return (x > y) - (x < y);
}

long *sequence_find(const char *name, size_t *count) {
  pattern p;
  const char *slash = strrchr(name, '/');
  size_t before = slash != NULL ? (size_t)(slash - name) + 1 : 0, capacity = 0;
  char folder[INPUT_PATH] = ".";
  long *number = NULL;
  *count = 0;
  if (!read_pattern(name, &p) || (size_t)p.head < before) return NULL;
  if (before > 0) snprintf(folder, sizeof folder, "%.*s", (int)before, name);
  DIR *directory = opendir(folder);
  if (directory == NULL) return NULL;
  for (struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
    long found = number_of(entry->d_name, name + before, &p, before);
    if (found < 0) continue;
    if (*count == capacity) {
      capacity = 2 * capacity + 64;
      number = realloc(number, capacity * sizeof *number);
      if (number == NULL) exit(EXIT_FAILED);
    }
    number[(*count)++] = found;
  }
  closedir(directory);
  if (*count > 0) qsort(number, *count, sizeof *number, compare_longs);
  return number;
}

static void reserve(sequence *s, size_t count) {
  APP_ASSERT(s->count == 0 && s->input == NULL);
  s->input = input_take(count, sizeof *s->input);
  s->output = input_take(count, sizeof *s->output);
  s->count = count;
}

static int pair_patterns(const char *input, const char *output, sequence *out) {
  size_t count;
  long *number = sequence_find(input, &count);
  if (count == 0) {
    complain("%s: there are no such files", input);
    free(number);
    return EXIT_USAGE;
  }
  reserve(out, count);
  for (size_t k = 0; k < count; ++k)
    out->input[k] = sequence_name(input, number[k]), out->output[k] = sequence_name(output, number[k]);
  free(number);
  return EXIT_DONE;
}

// DIR/name.FORMAT for anything/name.ext
static char *name_within(const char *directory, const char *input, const char *format) {
  char path[INPUT_PATH];
  const char *slash = strrchr(input, '/'), *base = slash != NULL ? slash + 1 : input,
             *dot = strrchr(base, '.');
  int length = dot != NULL && dot > base ? (int)(dot - base) : (int)strlen(base);
  size_t end = strlen(directory);
  bool ended = end > 0 && directory[end - 1] == '/';
  snprintf(path, sizeof path, "%s%s%.*s.%s", directory, ended ? "" : "/", length, base, format);
  return copy_text(path);
}

static int pair_with_directory(int inputs, char **input, const char *output, const char *format,
                               sequence *out) {
  if (format == NULL) {
    complain("%s: several files into a directory need --format, e.g. --format ply", output);
    return EXIT_USAGE;
  }
  int status = make_directory(output);
  if (status != EXIT_DONE) return status;
  reserve(out, (size_t)inputs);
  for (int k = 0; k < inputs; ++k)
    out->input[k] = copy_text(input[k]), out->output[k] = name_within(output, input[k], format);
  return EXIT_DONE;
}

int sequence_make(int inputs, char **input, const char *output, const char *format, sequence *out) {
  APP_ASSERT(inputs > 0 && output[0] != '\0');
  struct stat about;
  *out = (sequence){.count = 0};
  bool directory = (stat(output, &about) == 0 && S_ISDIR(about.st_mode)) || output[strlen(output) - 1] == '/';
  if (inputs == 1 && sequence_is_pattern(input[0]) && sequence_is_pattern(output))
    return pair_patterns(input[0], output, out);
  if (inputs == 1 && sequence_is_pattern(input[0])) {
    complain("%s: several inputs cannot become one file; name the output with %%04d as well", output);
    return EXIT_USAGE;
  }
  if (directory || format != NULL) return pair_with_directory(inputs, input, output, format, out);
  if (inputs > 1 && !sequence_is_pattern(output)) {
    complain("%s: several files need a directory (with --format) or a name with %%04d", output);
    return EXIT_USAGE;
  }
  reserve(out, (size_t)inputs);
  for (int k = 0; k < inputs; ++k) {
    out->input[k] = copy_text(input[k]);
    out->output[k] = sequence_is_pattern(output) ? sequence_name(output, k + 1) : copy_text(output);
  }
  return EXIT_DONE;
}

void sequence_free(sequence *s) {
  for (size_t k = 0; k < s->count; ++k) free(s->input[k]), free(s->output[k]);
  free(s->input), free(s->output);
  *s = (sequence){.count = 0};
}

// --- Frames ---

bool frame_range_read(const char *text, frame_range *out) {
  long part[3] = {0, 0, 1};
  int given = 0;
  const char *c = text;
  bool good = true;
  for (; good && given < 3; ++given) {
    char *end;
    if (*c >= '0' && *c <= '9') part[given] = strtol(c, &end, 10), c = end;
    if (*c != ':') break;
    ++c;
  }
  good = *c == '\0' && text[0] != '\0' && part[2] > 0 && (given > 0 || part[0] > 0);
  if (given == 0) part[1] = part[0];
  if (part[1] == 0) part[1] = 2000000000;
  if (good && part[0] <= part[1]) {
    *out = (frame_range){part[0], part[1], part[2]};
    return true;
  }
  complain("--frames takes a frame or FIRST:LAST or FIRST:LAST:STEP, e.g. 1:100:5, not \"%s\"", text);
  return false;
}

bool frame_range_has(const frame_range *range, long lowest, long number) {
  APP_ASSERT(range->step >= 0);
  long first = range->first > 0 ? range->first : lowest;
  return range->step == 0 ||
         (number >= first && number <= range->last && (number - first) % range->step == 0);
}
