// Options of surfaces from the table of keys: see surface_options.h.
#include "cli/mesh/surface_options.h"

#include <math.h>
#include <mote/io.h>
#include <mote/text.h>
#include <stdio.h>
#include <string.h>

#include "cli/base/app_assert.h"
#include "cli/sample/sample_request.h"

// Numbers, choices and switches; lists, colours and their ranges are the commands' own, and some keys are of
// runs only.
static bool is_option(const mote_scene_key *key) {
  if (strcmp(key->name, "follow") == 0 || strcmp(key->name, "phases") == 0) return false;
  return key->kind == MOTE_KEY_NUMBER || key->kind == MOTE_KEY_INTEGER || key->kind == MOTE_KEY_CHOICE ||
         key->kind == MOTE_KEY_SWITCH;
}

static void name_option(const mote_scene_key *key, char name[32]) {
  bool on = key->kind == MOTE_KEY_SWITCH && strcmp(key->value, "true") == 0;
  snprintf(name, 32, "%s%.24s", on ? "--no-" : "--", key->name);
  for (char *c = name; *c != '\0'; ++c)
    if (*c == '_') *c = '-';
}

static bool has_option(const option *table, const char *name) {
  for (; table->name != NULL; ++table)
    if (strcmp(table->name, name) == 0) return true;
  return false;
}

void surface_options_begin(surface_options *o, option *table) {
  size_t count;
  const mote_scene_key *key = mote_scene_section("surface", &count);
  option *row = table;
  while (row->name != NULL) ++row;
  *o = (surface_options){.def = mote_surface_def_default(), .walls = true};
  for (size_t k = 0; k < count && o->count < SURFACE_OPTIONS; ++k) {
    surface_option *added = &o->option[o->count];
    if (!is_option(&key[k])) continue;
    *added = (surface_option){.key = &key[k], .number = -1, .metres = (double)NAN};
    name_option(&key[k], added->name);
    if (has_option(table, added->name)) continue;
    *row = (option){.name = added->name};
    if (key[k].kind == MOTE_KEY_SWITCH)
      row->flag = &added->flag;
    else if (key[k].kind == MOTE_KEY_INTEGER)
      row->number = &added->number, row->low = (int)key[k].low, row->high = (int)key[k].high;
    else
      row->value = &added->text;
    *++row = (option){.name = NULL};
    ++o->count;
  }
  APP_ASSERT(o->count < SURFACE_OPTIONS);
}

static bool read_choice(const surface_option *given, int *out) {
  APP_ASSERT(given->key->kind == MOTE_KEY_CHOICE && given->text != NULL);
  const char *names[MOTE_SURFACE_METHODS];
  char buffer[128];
  *out = mote_scene_key_choice(given->key, given->text);
  if (*out >= 0) return true;
  for (int k = 0; k < MOTE_SURFACE_METHODS; ++k) names[k] = mote_surface_method_name((mote_surface_method)k);
  complain("unknown method \"%s\"%s (%s)", given->text,
           suggestion(given->text, names, MOTE_SURFACE_METHODS, buffer, sizeof buffer), given->key->detail);
  return false;
}

static bool read_length(surface_option *given, double *out) {
  APP_ASSERT(given->text != NULL);
  mote_error error;
  bool plain;
  double value;
  if (mote_length_read(given->text, &value, &plain, &error) != MOTE_OK)
    return complain("%s: %s", given->name, error.text), false;
  if (!(value > 0)) return complain("%s takes a length above 0, not \"%s\"", given->name, given->text), false;
  if (plain)
    *out = value;
  else
    given->metres = value;
  return true;
}

static bool read_number(surface_option *given, double *out) {
  const mote_scene_key *key = given->key;
  bool automatic = (key->flags & MOTE_KEY_AUTO) != 0 && strcmp(given->text, "auto") == 0;
  if (automatic) return *out = (double)NAN, true;
  if ((key->flags & MOTE_KEY_SPACINGS) != 0) {
    if (!read_length(given, out)) return false;
    if (!isnan(given->metres)) return true;
  } else if (!parse_number(given->text, out)) {
    return complain("%s takes a number, not \"%s\"", given->name, given->text), false;
  }
  if (mote_scene_key_allows(key, *out)) return true;
  return complain("%s must be %s, not %s", given->name, key->range, given->text), false;
}

bool surface_options_read(surface_options *o) {
  mote_surface_output_def all = {.def = o->def, .walls = o->walls};
  for (int k = 0; k < o->count; ++k) {
    surface_option *given = &o->option[k];
    void *at = (char *)&all + given->key->offset;
    if (given->flag) *(bool *)at = !*(bool *)at;
    if (given->number >= 0) *(int *)at = given->number;
    if (given->text == NULL) continue;
    if (given->key->kind == MOTE_KEY_CHOICE ? !read_choice(given, at) : !read_number(given, at)) return false;
  }
  o->def = all.def, o->walls = all.walls;
  return true;
}

bool surface_options_given(const surface_options *options, const char *key) {
  for (int k = 0; k < options->count; ++k) {
    const surface_option *given = &options->option[k];
    if (strcmp(given->key->name, key) == 0) return given->text != NULL || given->flag || given->number >= 0;
  }
  return false;
}

bool surface_options_metric(const surface_options *options) {
  for (int k = 0; k < options->count; ++k)
    if (!isnan(options->option[k].metres)) return true;
  return false;
}

void surface_options_scale(const surface_options *o, mote_surface_def *def, double spacing) {
  APP_ASSERT(spacing > 0 || !surface_options_metric(o));
  mote_surface_output_def all = {.def = *def};
  for (int k = 0; k < o->count; ++k) {
    const surface_option *given = &o->option[k];
    if (isnan(given->metres)) continue;
    *(double *)(void *)((char *)&all + given->key->offset) = given->metres / spacing;
  }
  *def = all.def;
}
