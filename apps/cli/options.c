// Options, errors and suggestions: see cli.h.
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

void complain(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("mote: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
}

int complain_error(const mote_error *error) {
  if (error->file[0] != '\0' && error->line > 0) {
    complain("%s:%d:%d: %s", error->file, error->line, error->column, error->text);
  } else if (error->file[0] != '\0') {
    complain("%s: %s", error->file, error->text);
  } else {
    complain("%s", error->text);
  }
  return error->code == MOTE_ERROR_ARGUMENT || error->code == MOTE_ERROR_FORMAT ? EXIT_USAGE : EXIT_FAILED;
}

#define LONGEST 31

// Insertions, deletions, replacements and swaps of neighbours that take a to b (optimal string alignment).
static int edit_distance(const char *a, const char *b) {
  int row[3][LONGEST + 2];
  int n = (int)strlen(a), m = (int)strlen(b);
  if (n > LONGEST || m > LONGEST) return LONGEST;
  for (int k = 0; k <= m; ++k) row[0][k] = k;
  for (int i = 1; i <= n; ++i) {
    int *now = row[i % 3], *above = row[(i + 2) % 3], *two_above = row[(i + 1) % 3];
    now[0] = i;
    for (int k = 1; k <= m; ++k) {
      int best = above[k - 1] + (a[i - 1] != b[k - 1]);
      if (above[k] + 1 < best) best = above[k] + 1;
      if (now[k - 1] + 1 < best) best = now[k - 1] + 1;
      bool swapped = i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1];
      if (swapped && two_above[k - 2] + 1 < best) best = two_above[k - 2] + 1;
      now[k] = best;
    }
  }
  return row[n % 3][m];
}

const char *suggestion(const char *word, const char *const *names, size_t count, char *buffer, size_t size) {
  const char *closest = NULL;
  int smallest = 1 + (int)strlen(word) / 3;
  for (size_t k = 0; k < count; ++k) {
    int distance = edit_distance(word, names[k]);
    if (distance <= smallest && (closest == NULL || distance < smallest)) {
      smallest = distance;
      closest = names[k];
    }
  }
  if (closest == NULL) return "";
  snprintf(buffer, size, "; did you mean \"%s\"?", closest);
  return buffer;
}

static bool unknown_option(const char *word, const option *table) {
  const char *names[64];
  size_t count = 0;
  for (const option *o = table; o->name != NULL && count < 64; ++o) names[count++] = o->name;
  char buffer[128];
  complain("unknown option \"%s\"%s", word, suggestion(word, names, count, buffer, sizeof buffer));
  return false;
}

static bool set_number(const option *o, const char *text) {
  char *end;
  errno = 0;
  long value = strtol(text, &end, 10);
  if (end == text || *end != '\0' || errno != 0 || value < o->low || value > o->high) {
    complain("%s takes a whole number from %d to %d, not \"%s\"", o->name, o->low, o->high, text);
    return false;
  }
  *o->number = (int)value;
  return true;
}

// Handles the option at argv[*k]; moves *k over a value in the next word.
static bool take_option(int argc, char **argv, int *k, const option *table) {
  char *word = argv[*k];
  size_t length = strcspn(word, "=");
  for (const option *o = table; o->name != NULL; ++o) {
    if (strlen(o->name) != length || strncmp(o->name, word, length) != 0) continue;
    const char *text = word[length] == '=' ? word + length + 1 : NULL;
    if (o->flag != NULL) {
      if (text != NULL) {
        complain("%s takes no value", o->name);
        return false;
      }
      *o->flag = true;
      return true;
    }
    if (text == NULL && *k + 1 < argc) text = argv[++*k];
    if (text == NULL) {
      complain("%s needs a value", o->name);
      return false;
    }
    if (o->number != NULL) return set_number(o, text);
    *o->value = text;
    return true;
  }
  return unknown_option(word, table);
}

bool options_parse(int *argc, char **argv, const option *table) {
  int kept = 1;
  bool options = true;
  for (int k = 1; k < *argc; ++k) {
    if (options && strcmp(argv[k], "--") == 0) {
      options = false;
    } else if (options && argv[k][0] == '-' && argv[k][1] != '\0') {
      if (!take_option(*argc, argv, &k, table)) return false;
    } else {
      argv[kept++] = argv[k];
    }
  }
  *argc = kept;
  return true;
}
