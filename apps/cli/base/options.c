// Options, errors and suggestions: see cli.h.
#include <errno.h>
#include <mote/io.h>
#include <mote/text.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/base/app_assert.h"
#include "cli/base/cli.h"
#include "cli/base/paths.h"

bool bar_on_line;

void clear_bar(void) {
  if (bar_on_line) fputs("\r\033[K", stderr);
  bar_on_line = false;
}

// One line, whatever was in the words that are repeated in it.
void complain(const char *format, ...) {
  char text[2048];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  for (char *c = text; *c != '\0'; ++c) {
    if ((unsigned char)*c < ' ' || *c == 127) *c = '?';
  }
  clear_bar();
  fprintf(stderr, "mote: %s\n", text);
}

int make_folder_of(const char *file) {
  char folder[PATH_CAPACITY];
  const char *slash = strrchr(file, '/');
  if (slash == NULL || slash == file) return EXIT_DONE;
  snprintf(folder, sizeof folder, "%.*s", (int)(slash - file), file);
  return make_directory(folder);
}

// Makes the directory and those above it; the reason of a failure is in errno.
static bool make_with_parents(const char *path) {
  char folder[PATH_CAPACITY];
  if (mkdir(path, 0777) == 0) return true;
  if (errno != ENOENT || strlen(path) >= sizeof folder) return false;
  snprintf(folder, sizeof folder, "%s", path);
  for (char *slash = strchr(folder + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) return false;
    *slash = '/';
  }
  return mkdir(path, 0777) == 0;
}

int make_directory(const char *path) {
  struct stat there;
  if (path[0] == '\0') {
    complain("a directory needs a name");
    return EXIT_USAGE;
  }
  if (make_with_parents(path)) return EXIT_DONE;
  int reason = errno;
  if (stat(path, &there) == 0 && S_ISDIR(there.st_mode)) return EXIT_DONE;
  if (reason == EEXIST) {
    complain("%s: not a directory", path);
    return EXIT_USAGE;
  }
  complain("%s: the directory cannot be created: %s", path, strerror(reason));
  return EXIT_FAILED;
}

bool is_pipe_or_device(const char *path) {
  struct stat there;
  if (stat(path, &there) != 0 || S_ISREG(there.st_mode) || S_ISDIR(there.st_mode)) return false;
  bool opened = strncmp(path, "/dev/fd/", 8) == 0 || strncmp(path, "/proc/self/fd/", 14) == 0 ||
                strcmp(path, "/dev/stdin") == 0;
  return !(opened && S_ISFIFO(there.st_mode));
}

bool refuse_pipe(const char *path) {
  bool refused = is_pipe_or_device(path);
  if (refused) complain("%s: is a pipe or a device, not a file", path);
  return refused;
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

const char *suggestion(const char *word, const char *const *names, size_t count, char *buffer, size_t size) {
  APP_ASSERT(size > 0);
  const char *closest = mote_text_closest(word, names, count);
  if (closest == NULL) return "";
  snprintf(buffer, size, "; did you mean \"%s\"?", closest);
  return buffer;
}

static bool is_among(const char *word, const char *const *names, size_t count) {
  for (size_t k = 0; k < count; ++k) {
    if (strcmp(word, names[k]) == 0) return true;
  }
  return false;
}

bool words_known(int number, char **words, const char *const *names, size_t count, const char *lister) {
  APP_ASSERT(count > 0);
  char buffer[128];
  for (int k = 1; k < number; ++k) {
    if (is_among(words[k], names, count)) continue;
    complain("unknown case \"%s\"%s (%s shows them)", words[k],
             suggestion(words[k], names, count, buffer, sizeof buffer), lister);
    return false;
  }
  return true;
}

// Whether it is a key of scenes, and this command changes those: --spacing=2cm is meant as --set spacing=2cm.
static bool means_key(const char *word, const option *table) {
  size_t count, length = strcspn(word, "=");
  const mote_scene_key *key = mote_scene_keys(&count);
  while (table->name != NULL && strcmp(table->name, "--set") != 0) ++table;
  if (table->name == NULL || strncmp(word, "--", 2) != 0) return false;
  for (size_t k = 0; k < count; ++k) {
    if (strcmp(key[k].section, "scene") == 0 && strlen(key[k].name) + 2 == length &&
        strncmp(key[k].name, word + 2, length - 2) == 0)
      return complain("unknown option \"%s\"; to change the value of the scene use --set %s=VALUE", word,
                      key[k].name),
             true;
  }
  return false;
}

static bool unknown_option(const char *word, const option *table) {
  if (means_key(word, table)) return false;
  const char *names[64];
  size_t count = 0;
  for (const option *o = table; o->name != NULL && count < 64; ++o) names[count++] = o->name;
  char buffer[128];
  complain("unknown option \"%s\"%s", word, suggestion(word, names, count, buffer, sizeof buffer));
  return false;
}

static bool set_number(const option *o, const char *text) {
  APP_ASSERT(o->low <= o->high);
  char *end;
  errno = 0;
  long value = strtol(text, &end, 10);
  if (strspn(text, "-0123456789") == 0 || *end != '\0' || errno != 0 || value < o->low || value > o->high) {
    complain("%s takes a whole number from %d to %d, not \"%s\"", o->name, o->low, o->high, text);
    return false;
  }
  *o->number = (int)value;
  return true;
}

static bool set_real(const option *o, const char *text) {
  double value = 0;
  size_t length = strlen(text);
  mote_text_scan scan = mote_text_read_double(text, length, MOTE_TEXT_FINITE, &value);
  if (scan.length != length || length == 0 || scan.overflow || !(value >= 0)) {
    complain("%s takes a non-negative number, not \"%s\"", o->name, text);
    return false;
  }
  *o->real = value;
  return true;
}

static bool add_word(const option *o, const char *text) {
  APP_ASSERT(o->list->count <= o->list->capacity);
  if (o->list->count == o->list->capacity) {
    complain("%s may be given at most %zu times", o->name, o->list->capacity);
    return false;
  }
  o->list->word[o->list->count++] = text;
  return true;
}

static bool set_text(const option *o, const char *text) {
  if (o->number != NULL) return set_number(o, text);
  if (o->real != NULL) return set_real(o, text);
  if (o->list != NULL) return add_word(o, text);
  APP_ASSERT(o->value != NULL);
  *o->value = text;
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
    return set_text(o, text);
  }
  return unknown_option(word, table);
}

// Where options are asked for, the command's call of options_parse() tells its table and fails without a
// complaint.
static void (*take_asked)(void *user, const option *o);
static void *take_user;

void command_options(const command *c, void (*take)(void *user, const option *o), void *user) {
  char name[32];
  char *argv[] = {name, NULL};
  snprintf(name, sizeof name, "%s", c->name);
  take_asked = take, take_user = user;
  c->run(1, argv);
  take_asked = NULL;
}

bool options_parse(int *argc, char **argv, const option *table) {
  APP_ASSERT(*argc >= 1);
  int kept = 1;
  bool options = true;
  for (const option *o = table; take_asked != NULL && o->name != NULL; ++o) take_asked(take_user, o);
  if (take_asked != NULL) return false;
  for (int k = 1; k < *argc; ++k) {
    if (options && strcmp(argv[k], "--") == 0) {
      options = false;
    } else if (options && argv[k][0] == '-' && argv[k][1] != '\0') {
      if (!take_option(*argc, argv, &k, table)) return false;
    } else {
      argv[kept++] = argv[k];
    }
  }
  APP_ASSERT(kept <= *argc);
  *argc = kept;
  return true;
}
