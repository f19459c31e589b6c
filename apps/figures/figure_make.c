// mote demo --figures: makes figures of the table by their drawings or step by step.
#include <mote/draw.h>
#include <mote/render.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/cli.h"
#include "cli/base/paths.h"
#include "cli/base/run_progress.h"
#include "cli/base/scene_open.h"
#include "figures/figures.h"

enum { WORDS = 64, LINE = 1024, EXPANDED = 8 * PATH_CAPACITY, NAMES = 128 };

typedef struct figure_work {
  const figure_options *options;
  const figure *figure;
  char folder[PATH_CAPACITY];  // of what the steps leave: DIRECTORY/NAME
  int panels;
} figure_work;

// --- Steps ---

// The words of a step; 'a b' is one. The text is cut up.
static int split_words(char *text, char **words) {
  int count = 0;
  for (char *c = text; *c != '\0' && count < WORDS - 1;) {
    while (*c == ' ') ++c;
    if (*c == '\0') break;
    char end = *c == '\'' ? '\'' : ' ';
    if (end == '\'') ++c;
    words[count++] = c;
    while (*c != '\0' && *c != end) ++c;
    if (*c != '\0') *c++ = '\0';
  }
  words[count] = NULL;
  return count;
}

// The word with the folder in the place of each @, behind what the buffer holds. Null: there is no room.
static char *expand(const char *word, const char *folder, char *buffer, size_t *used) {
  char *begin = buffer + *used;
  for (; *word != '\0'; ++word) {
    const char one[2] = {*word, '\0'}, *text = *word == '@' ? folder : one;
    size_t more = strlen(text);
    if (*used + more + 1 >= EXPANDED) return NULL;
    memcpy(buffer + *used, text, more);
    *used += more;
  }
  buffer[(*used)++] = '\0';
  return begin;
}

static int run_command(const figure_work *w, char *line) {
  char *words[WORDS], expanded[EXPANDED];
  size_t used = 0;
  int count = split_words(line, words);
  for (int k = 0; k < count; ++k) {
    words[k] = expand(words[k], w->folder, expanded, &used);
    if (words[k] != NULL) continue;
    complain("the directory's name is too long");
    return EXIT_USAGE;
  }
  const command *c = find_command(words[0]);
  return c == NULL ? unknown_command(words[0]) : c->run(count, words);
}

// What every command of its kind needs here.
static void append_options(const figure_work *w, char *line) {
  const char *kind[] = {"run ", "render ", "mesh ", "validate "};
  size_t k = 0, length = strlen(line);
  while (k < 4 && strncmp(line, kind[k], strlen(kind[k])) != 0) ++k;
  if (k == 4) return;
  bool quick = w->options->quick;
  length += (size_t)snprintf(line + length, LINE - length, "%s%s%s", k < 3 ? " --overwrite --quiet" : "",
                             k == 0 && quick && w->figure->quick != NULL ? " " : "",
                             k == 0 && quick && w->figure->quick != NULL ? w->figure->quick : "");
  // What cannot be rasterised is traced with few paths.
  bool traced = strstr(line, "ellipsoids") != NULL || strstr(line, "puffs") != NULL;
  if (quick && k == 1)
    length += (size_t)snprintf(line + length, LINE - length, traced ? " --samples 4" : " --preview");
  if (quick && k == 3) length += (size_t)snprintf(line + length, LINE - length, " --quick");
  if (w->options->threads > 0) snprintf(line + length, LINE - length, " --threads %d", w->options->threads);
}

static int write_scene(const figure_work *w, const char *name) {
  const example *e = figure_scene_find(name);
  if (e == NULL) {
    complain("no scene \"%s\" of a figure", name);
    return EXIT_FAILED;
  }
  char path[PATH_CAPACITY + 64];
  snprintf(path, sizeof path, "%s/%.48s.yaml", w->folder, e->name);
  FILE *file = fopen(path, "wb");
  bool written = file != NULL && fwrite(e->text, 1, e->size, file) == e->size;
  if (file != NULL && fclose(file) != 0) written = false;
  if (!written) complain("%s: cannot be written", path);
  return written ? EXIT_DONE : EXIT_FAILED;
}

static int render_panel(figure_work *w, const char *frame, const char *arguments) {
  char line[LINE];
  snprintf(line, LINE - 128, "render %.640s -o @/panel.%02d.png%s%.16s", arguments, w->panels++,
           frame != NULL ? " --frames " : "", frame != NULL ? frame : "");
  append_options(w, line);
  return run_command(w, line);
}

// The next of the words between commas, null after the last; not strtok, which the commands use themselves.
static char *next_word(char **list) {
  char *word = *list;
  if (word == NULL) return NULL;
  *list = strchr(word, ',');
  if (*list != NULL) *(*list)++ = '\0';
  return word;
}

static int render_panels(figure_work *w, char *text) {
  char *arguments = strchr(text, ' ');
  if (arguments == NULL) return EXIT_USAGE;
  *arguments++ = '\0';
  int status = EXIT_DONE;
  for (char *frame; status == EXIT_DONE && (frame = next_word(&text)) != NULL;)
    status = render_panel(w, frame, arguments);
  return status;
}

// A picture that is there, as a panel.
static int take_picture(figure_work *w, const char *path) {
  const mote_env env = mote_env_default();
  char from[EXPANDED], to[PATH_CAPACITY + 64];
  size_t used = 0;
  mote_image *image = NULL;
  mote_error error = {0};
  if (expand(path, w->folder, from, &used) == NULL) return EXIT_USAGE;
  snprintf(to, sizeof to, "%s/panel.%02d.png", w->folder, w->panels++);
  mote_result result = mote_image_read(from, &env, &image, &error);
  if (!result) result = mote_image_write(image, to, &error);
  mote_image_destroy(image);
  return result ? complain_error(&error) : EXIT_DONE;
}

// The pictures that a run has drawn of these frames, as panels.
static int take_previews(figure_work *w, char *text) {
  char *run = strchr(text, ' ');
  if (run == NULL) return EXIT_USAGE;
  *run++ = '\0';
  int status = EXIT_DONE;
  for (char *frame; status == EXIT_DONE && (frame = next_word(&text)) != NULL;) {
    char path[LINE];
    snprintf(path, sizeof path, "%s/preview.%04d.png", run, atoi(frame));
    status = take_picture(w, path);
  }
  return status;
}

static int write_contact_sheet(const figure_work *w, int columns) {
  mote_image *image[WORDS] = {NULL}, *contact_sheet = NULL;
  mote_error error = {0};
  char path[PATH_CAPACITY + 64];
  const mote_env env = mote_env_default();
  mote_result result = MOTE_OK;
  int count = w->panels < WORDS ? w->panels : WORDS;
  for (int k = 0; k < count && !result; ++k) {
    snprintf(path, sizeof path, "%s/panel.%02d.png", w->folder, k);
    result = mote_image_read(path, &env, &image[k], &error);
  }
  if (!result) result = mote_image_contact_sheet(image, (size_t)count, columns, &env, &contact_sheet, &error);
  snprintf(path, sizeof path, "%s/%s.png", w->options->directory, w->figure->name);
  if (!result) result = mote_image_write(contact_sheet, path, &error);
  for (int k = 0; k < count; ++k) mote_image_destroy(image[k]);
  mote_image_destroy(contact_sheet);
  if (result) return complain_error(&error);
  printf("wrote %s\n", path);
  return EXIT_DONE;
}

static int take_step(figure_work *w, const char *step) {
  char line[LINE];
  snprintf(line, LINE - 128, "%s", step);
  if (strncmp(line, "scene ", 6) == 0) return write_scene(w, line + 6);
  if (strncmp(line, "panels ", 7) == 0) return render_panels(w, line + 7);
  if (strncmp(line, "panel ", 6) == 0) return render_panel(w, NULL, line + 6);
  if (strncmp(line, "previews ", 9) == 0) return take_previews(w, line + 9);
  if (strncmp(line, "take ", 5) == 0) return take_picture(w, line + 5);
  if (strncmp(line, "sheet ", 6) == 0) return write_contact_sheet(w, atoi(line + 6));
  append_options(w, line);
  return run_command(w, line);
}

// --- Figures ---

static int make_one(const figure_options *o, const figure *f) {
  figure_work w = {.options = o, .figure = f};
  double begun = wall_seconds();
  printf("%s: %s\n", f->name, f->what);
  fflush(stdout);
  if (f->draw != NULL) return f->draw(&(figure_output){o->directory, o->format, f->name});
  int length = snprintf(w.folder, sizeof w.folder, "%s/%s", o->directory, f->name);
  if (length < 0 || (size_t)length >= sizeof w.folder) {
    complain("the directory's name is too long");
    return EXIT_USAGE;
  }
  int status = make_directory(w.folder);
  // A measure that misses its tolerance is shown, and the figure made to its end.
  bool missed = false;
  for (int k = 0; k < FIGURE_STEPS && f->step[k] != NULL && status == EXIT_DONE; ++k) {
    status = take_step(&w, f->step[k]);
    if (status == EXIT_VALIDATION) missed = true, status = EXIT_DONE;
  }
  printf("%s: %s/, %.0f s\n", f->name, w.folder, wall_seconds() - begun);
  return status == EXIT_DONE && missed ? EXIT_VALIDATION : status;
}

static bool wanted(const figure *f, int count, char **words) {
  for (int k = 1; k < count; ++k)
    if (strcmp(words[k], f->name) == 0) return true;
  return count < 2;
}

static bool figures_known(int count, char **words) {
  const char *names[NAMES];
  size_t number = 0;
  for (const figure *f = figures; f->name != NULL && number < NAMES; ++f) names[number++] = f->name;
  for (int k = 1; k < count; ++k) {
    size_t n = 0;
    char near[128];
    while (n < number && strcmp(words[k], names[n]) != 0) ++n;
    if (n < number) continue;
    complain("unknown figure \"%s\"%s (mote demo --figures --list shows them)", words[k],
             suggestion(words[k], names, number, near, sizeof near));
    return false;
  }
  return true;
}

static void list_one(const figure *f, bool steps) {
  printf("%-14s %s\n", f->name, f->what);
  for (int k = 0; steps && k < FIGURE_STEPS && f->step[k] != NULL; ++k) printf("  %s\n", f->step[k]);
}

static bool vectors_only(int count, char **words) {
  for (const figure *f = figures; f->name != NULL; ++f) {
    if (count < 2 || f->vector || !wanted(f, count, words)) continue;
    complain("%s cannot be written as SVG: its pictures are PNG", f->name);
    return false;
  }
  return true;
}

int make_figures(const figure_options *o, int count, char **words) {
  if (!figures_known(count, words)) return EXIT_USAGE;
  bool svg = strcmp(o->format, "svg") == 0;
  if (svg && !vectors_only(count, words)) return EXIT_USAGE;
  int status = o->list ? EXIT_DONE : make_directory(o->directory), worst = EXIT_DONE;
  for (const figure *f = figures; f->name != NULL && status == EXIT_DONE; ++f) {
    if (!wanted(f, count, words) || (svg && !f->vector)) continue;
    if (o->list) {
      list_one(f, count > 1);
      continue;
    }
    status = make_one(o, f);
    if (status != EXIT_DONE && status != EXIT_INTERRUPTED && count < 2) {  // of all, the others are made
      complain("%s could not be finished", f->name);
      worst = status, status = EXIT_DONE;
    }
  }
  return status != EXIT_DONE ? status : worst;
}
