// What mote mesh was asked for: see mesh_options.h.
#include "cli/mesh/mesh_options.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/base/cli.h"
#include "cli/sample/sample_request.h"

// The words as they stand, until they are understood.
typedef struct mesh_words {
  const char *frames;
  const char *spacing, *clip, *fields, *colour_range;
  word_list periodic;
  const char *axis[3];
  bool shrink, own_supports;
  int threads, most_nodes;
} mesh_words;

static bool parse_length(const char *name, const char *text, double *value, bool *plain) {
  mote_error error;
  if (mote_length_read(text, value, plain, &error) == MOTE_OK) return true;
  complain("%s: %s", name, error.text);
  return false;
}

// A word between separators, as a length in m.
static bool take_metres(const char *name, const char **text, char separator, double *out) {
  char word[64];
  bool plain;
  size_t length = strcspn(*text, ",:");
  snprintf(word, sizeof word, "%.*s", (int)(length < 60 ? length : 60), *text);
  if (!parse_length(name, word, out, &plain)) return false;
  *text += length;
  if (**text != separator) return false;
  if (separator != '\0') ++*text;
  return true;
}

static bool parse_clip(const char *text, mote_surface_def *def) {
  const char *at = text;
  bool ok = true;
  for (int k = 0; k < 3 && ok; ++k) ok = take_metres("--clip", &at, k < 2 ? ',' : ':', &def->clip_low[k]);
  for (int k = 0; k < 3 && ok; ++k) ok = take_metres("--clip", &at, k < 2 ? ',' : '\0', &def->clip_high[k]);
  if (!ok) complain("--clip takes two corners, e.g. 0,0,0:1,0.5,2 (inf: not cut), not \"%s\"", text);
  return ok;
}

static bool parse_periodic(const word_list *words, mote_domain *domain) {
  for (size_t k = 0; k < words->count; ++k) {
    const char *text = words->word[k], *at = text + 2;
    int axis = text[0] - 'x';
    bool ok = axis >= 0 && axis < 3 && text[1] == '=' &&
              take_metres("--periodic", &at, ':', &domain->low[axis]) &&
              take_metres("--periodic", &at, '\0', &domain->high[axis]);
    if (!ok) {
      complain("--periodic takes x=LOW:HIGH, y=... or z=..., not \"%s\"", text);
      return false;
    }
    domain->periodic[axis] = true;
  }
  return true;
}

static bool parse_range(const char *text, surface_wish *wish) {
  char low[64];
  const char *colon = strchr(text, ':');
  if (colon != NULL && colon - text < 60) {
    snprintf(low, sizeof low, "%.*s", (int)(colon - text), text);
    if (parse_number(low, &wish->low) && parse_number(colon + 1, &wish->high) && wish->low < wish->high)
      return true;
  }
  complain("--colour-range takes LOW:HIGH, not \"%s\"", text);
  return false;
}

// The checks of the library, before any particles are read.
static int check_def(const mesh_options *o) {
  mote_surfacer *surfacer;
  mote_error error;
  if (mote_surfacer_create(&o->def, &o->env, &surfacer, &error) == MOTE_OK) {
    mote_surfacer_destroy(surfacer);
    return EXIT_DONE;
  }
  if (error.key[0] == '\0') return complain_error(&error);
  complain("%s: %s", error.key, error.text);
  return EXIT_USAGE;
}

static void warn_of_unused(const surface_options *given, const mote_surface_def *def) {
  const mote_surface_output_def all = {.def = *def, .walls = given->walls};
  for (int k = 0; k < given->count; ++k) {
    const surface_option *o = &given->option[k];
    const mote_key_condition *c = mote_scene_key_unused("surface", o->key->name, &all);
    if (c == NULL || !surface_options_given(given, o->key->name)) continue;
    bool shrink = strcmp(c->other, "keep_volume") == 0;
    complain("warning: %s has no effect%s%s", o->name, shrink ? " " : ": it is for --method ",
             !shrink                           ? c->values
             : strcmp(c->values, "false") == 0 ? "without --shrink"
                                               : "with --shrink");
  }
}

static bool understand(const mesh_words *w, mesh_options *o) {
  mote_surface_def *def = &o->def;
  bool plain;
  if (!surface_options_read(&o->surface)) return false;
  *def = o->surface.def;
  if (w->shrink || def->thesis) def->keep_volume = false;
  def->own_supports = w->own_supports;
  warn_of_unused(&o->surface, def);
  if (w->most_nodes > 0) def->most_nodes = (size_t)w->most_nodes * 1000000;
  if (w->threads > 0) o->env.threads = w->threads;
  if (w->spacing != NULL && !parse_length("--spacing", w->spacing, &def->spacing, &plain)) return false;
  if (w->clip != NULL && !parse_clip(w->clip, def)) return false;
  if (w->colour_range != NULL && !parse_range(w->colour_range, &o->wish)) return false;
  if (w->frames != NULL && !frame_range_read(w->frames, &o->frames)) return false;
  return parse_periodic(&w->periodic, &def->domain) && surface_wish_fields(&o->wish, w->fields);
}

int mesh_options_parse(int *argc, char **argv, mesh_options *o) {
  *o = (mesh_options){.wish = surface_wish_default(), .env = mote_env_default()};
  o->walls = mote_surface_walls_none();
  mesh_words w = {.periodic = {.capacity = 3}};
  w.periodic.word = w.axis;
  option table[24 + SURFACE_OPTIONS] = {
      {.name = "-o", .value = &o->output},
      {.name = "--format", .value = &o->format},
      {.name = "--frames", .value = &w.frames},
      {.name = "--overwrite", .flag = &o->overwrite},
      {.name = "--json", .flag = &o->json},
      {.name = "--quiet", .flag = &o->quiet},
      {.name = "--threads", .number = &w.threads, .low = 1, .high = 1024},
      {.name = "--spacing", .value = &w.spacing},
      {.name = "--own-supports", .flag = &w.own_supports},
      {.name = "--shrink", .flag = &w.shrink},
      {.name = "--most-nodes", .number = &w.most_nodes, .low = 1, .high = 1000000},
      {.name = "--clip", .value = &w.clip},
      {.name = "--bodies", .flag = &o->bodies},
      {.name = "--no-examine", .flag = &o->unexamined},
      {.name = "--periodic", .list = &w.periodic},
      {.name = "--fields", .value = &w.fields},
      {.name = "--colour-by", .value = &o->wish.colour_by},
      {.name = "--colour-range", .value = &w.colour_range},
      {.name = "--colour-map", .value = &o->wish.map},
      {.name = NULL}};
  surface_options_begin(&o->surface, table);
  if (!options_parse(argc, argv, table) || !understand(&w, o)) return EXIT_USAGE;
  return check_def(o);
}
