// What mote mesh was asked for: see mesh_options.h.
#include "mesh_options.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "sample_request.h"

// The words as they stand, until they are understood.
typedef struct mesh_words {
  const char *method, *spacing, *isovalue, *clip, *fields, *colour_range, *smoothing, *stretch, *scale,
      *lone_scale, *ripple, *tag_count, *tag_offset, *inside, *smallest_part;
  word_list periodic;
  const char *axis[3];
  bool no_normals, no_components, shrink;
  int threads, most_nodes;
} mesh_words;

static bool parse_method(const char *word, mote_surface_method *out) {
  const char *names[MOTE_SURFACE_METHODS];
  char buffer[128];
  for (int k = 0; k < MOTE_SURFACE_METHODS; ++k) {
    names[k] = mote_surface_method_name((mote_surface_method)k);
    *out = (mote_surface_method)k;
    if (strcmp(word, names[k]) == 0) return true;
  }
  complain("unknown method \"%s\"%s (anisotropic, density, blobs, mass, zhu-bridson, adams)", word,
           suggestion(word, names, MOTE_SURFACE_METHODS, buffer, sizeof buffer));
  return false;
}

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

static bool parse_numbers(const mesh_words *w, mote_surface_def *def) {
  const struct {
    const char *option, *text;
    double *value;
  } number[] = {{"--isovalue", w->isovalue, &def->isovalue},
                {"--smoothing", w->smoothing, &def->smoothing},
                {"--stretch", w->stretch, &def->stretch},
                {"--scale", w->scale, &def->scale},
                {"--lone-scale", w->lone_scale, &def->lone_scale},
                {"--ripple", w->ripple, &def->ripple},
                {"--tag-count", w->tag_count, &def->tag_count},
                {"--tag-offset", w->tag_offset, &def->tag_offset},
                {"--inside", w->inside, &def->inside},
                {"--smallest-part", w->smallest_part, &def->smallest_part}};
  for (size_t k = 0; k < sizeof number / sizeof *number; ++k) {
    if (number[k].text == NULL || parse_number(number[k].text, number[k].value)) continue;
    complain("%s takes a number, not \"%s\"", number[k].option, number[k].text);
    return false;
  }
  return true;
}

static bool parse_lengths(const mesh_words *w, mesh_options *o) {
  bool plain;
  if (w->spacing != NULL && !parse_length("--spacing", w->spacing, &o->def.spacing, &plain)) return false;
  for (int k = 0; k < MESH_LENGTHS; ++k) {
    mesh_length *length = &o->length[k];
    double value;
    if (length->text == NULL) continue;
    if (!parse_length(length->option, length->text, &value, &plain)) return false;
    if (plain)
      *length->value = value;
    else
      length->metres = value;
    if (value > 0) continue;
    complain("%s takes a length above 0, not \"%s\"", length->option, length->text);
    return false;
  }
  return true;
}

// What the library will refuse, with the option's name instead of the member's.
static bool check_def(const mesh_options *o) {
  mote_surfacer *surfacer;
  mote_error error;
  if (mote_surfacer_create(&o->def, &o->env, &surfacer, &error) == MOTE_OK) {
    mote_surfacer_destroy(surfacer);
    return true;
  }
  complain("%s", error.text);
  return false;
}

static bool understand(const mesh_words *w, mesh_options *o) {
  mote_surface_def *def = &o->def;
  def->normals = !w->no_normals, def->components = !w->no_components, def->keep_volume = !w->shrink;
  if (w->most_nodes > 0) def->most_nodes = (size_t)w->most_nodes * 1000000;
  if (w->threads > 0) o->env.threads = w->threads;
  if (w->method != NULL && !parse_method(w->method, &def->method)) return false;
  if (w->clip != NULL && !parse_clip(w->clip, def)) return false;
  if (w->colour_range != NULL && !parse_range(w->colour_range, &o->wish)) return false;
  return parse_periodic(&w->periodic, &def->domain) && parse_numbers(w, def) && parse_lengths(w, o) &&
         surface_wish_fields(&o->wish, w->fields) && check_def(o);
}

bool mesh_options_parse(int *argc, char **argv, mesh_options *o) {
  *o = (mesh_options){
      .def = mote_surface_def_default(), .wish = surface_wish_default(), .env = mote_env_default()};
  o->walls = surface_walls_none();
  mesh_words w = {.periodic = {.room = 3}};
  w.periodic.word = w.axis;
  mote_surface_def *d = &o->def;
  const mesh_length lengths[MESH_LENGTHS] = {{"--support", NULL, &d->support, (double)NAN},
                                             {"--cell", NULL, &d->cell, (double)NAN},
                                             {"--radius", NULL, &d->radius, (double)NAN},
                                             {"--reach", NULL, &d->reach, (double)NAN},
                                             {"--connected", NULL, &d->connected, (double)NAN}};
  memcpy(o->length, lengths, sizeof lengths);
  const option table[] = {
      {.name = "-o", .value = &o->output},
      {.name = "--format", .value = &o->format},
      {.name = "--overwrite", .flag = &o->overwrite},
      {.name = "--json", .flag = &o->json},
      {.name = "--quiet", .flag = &o->quiet},
      {.name = "--threads", .number = &w.threads, .low = 1, .high = 1024},
      {.name = "--method", .value = &w.method},
      {.name = "--spacing", .value = &w.spacing},
      {.name = "--support", .value = &o->length[0].text},
      {.name = "--cell", .value = &o->length[1].text},
      {.name = "--radius", .value = &o->length[2].text},
      {.name = "--reach", .value = &o->length[3].text},
      {.name = "--connected", .value = &o->length[4].text},
      {.name = "--isovalue", .value = &w.isovalue},
      {.name = "--smoothing", .value = &w.smoothing},
      {.name = "--stretch", .value = &w.stretch},
      {.name = "--scale", .value = &w.scale},
      {.name = "--lone-scale", .value = &w.lone_scale},
      {.name = "--lone-neighbours", .number = &d->lone_neighbours, .low = 0, .high = 10000},
      {.name = "--shrink", .flag = &w.shrink},
      {.name = "--no-components", .flag = &w.no_components},
      {.name = "--ripple", .value = &w.ripple},
      {.name = "--tag-count", .value = &w.tag_count},
      {.name = "--tag-offset", .value = &w.tag_offset},
      {.name = "--inside", .value = &w.inside},
      {.name = "--grid-smoothing", .number = &d->grid_smoothing, .low = 0, .high = 4},
      {.name = "--root-steps", .number = &d->root_steps, .low = 0, .high = 64},
      {.name = "--most-nodes", .number = &w.most_nodes, .low = 1, .high = 1000000},
      {.name = "--no-normals", .flag = &w.no_normals},
      {.name = "--smooth", .number = &d->mesh_smoothing, .low = 0, .high = 1000},
      {.name = "--clean", .flag = &d->clean},
      {.name = "--smallest-part", .value = &w.smallest_part},
      {.name = "--clip", .value = &w.clip},
      {.name = "--no-walls", .flag = &o->no_walls},
      {.name = "--bodies", .flag = &o->bodies},
      {.name = "--periodic", .list = &w.periodic},
      {.name = "--fields", .value = &w.fields},
      {.name = "--colour-by", .value = &o->wish.colour_by},
      {.name = "--colour-range", .value = &w.colour_range},
      {.name = "--colour-map", .value = &o->wish.map},
      {.name = NULL}};
  if (!options_parse(argc, argv, table)) return false;
  return understand(&w, o);
}

void mesh_options_scale(mesh_options *o, double spacing) {
  for (int k = 0; k < MESH_LENGTHS; ++k)
    if (!isnan(o->length[k].metres)) *o->length[k].value = o->length[k].metres / spacing;
}
