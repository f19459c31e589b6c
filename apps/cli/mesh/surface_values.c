// Values that go with surfaces: see surface_values.h.
#include "cli/mesh/surface_values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/base/app_assert.h"
#include "cli/base/cli.h"
#include "cli/files/input_file.h"

surface_wish surface_wish_default(void) {
  return (surface_wish){.map = "sequential", .low = (double)NAN, .high = (double)NAN};
}

bool surface_holds_fields(const char *path) {
  return input_ends(path, "vtp") || input_ends(path, "ply") || input_ends(path, "glb") ||
         input_ends(path, "usda") || input_ends(path, "bgeo");
}

static bool find_map(const char *name, mote_colour_map *out) {
  static const char *const names[] = {"sequential", "diverging", "grey", "water", "heat"};
  enum { MAPS = sizeof names / sizeof *names };
  char buffer[128];
  for (int k = 0; k < MAPS; ++k) {
    *out = (mote_colour_map)k;
    if (strcmp(name, names[k]) == 0) return true;
  }
  complain("unknown colour map \"%s\"%s (sequential, diverging, grey, water, heat)", name,
           suggestion(name, names, MAPS, buffer, sizeof buffer));
  return false;
}

bool surface_wish_fields(surface_wish *wish, const char *list) {
  mote_colour_map map;
  if (!find_map(wish->map, &map)) return false;
  wish->listed = list != NULL;
  if (list == NULL || strcmp(list, "none") == 0) return true;
  while (*list != '\0') {
    size_t length = strcspn(list, ",");
    if (length == 0 || length > 63 || wish->names == MOTE_SURFACE_FIELDS - 1) {
      complain("--fields takes up to %d names with commas between, or none", MOTE_SURFACE_FIELDS - 1);
      return false;
    }
    snprintf(wish->name[wish->names++], 64, "%.*s", (int)length, list);
    list += length + (list[length] == ',');
  }
  return true;
}

static bool is_listed(const surface_wish *wish, const char *name) {
  for (int k = 0; k < wish->names; ++k)
    if (strcmp(wish->name[k], name) == 0) return true;
  return false;
}

// Positions and normals are the mesh's own, a colour is made anew, names of rows are of particles.
static bool is_carried(const surface_wish *wish, const mote_field_view *field) {
  static const char *const own[] = {"position", "normal", "id"};
  for (int k = 0; k < 3; ++k)
    if (strcmp(field->name, own[k]) == 0) return false;
  if (strcmp(field->name, "colour") == 0 && wish->colour_by != NULL) return false;
  bool real = field->type == MOTE_TYPE_F32 || field->type == MOTE_TYPE_F64;
  return wish->listed ? is_listed(wish, field->name) : real && field->components <= 9;
}

static bool complain_field(const char *name, const mote_cloud *cloud, const char *path) {
  APP_ASSERT(cloud->fields <= MOTE_CLOUD_FIELDS);
  const char *names[MOTE_CLOUD_FIELDS];
  char buffer[128], list[400] = "";
  for (int k = 0; k < cloud->fields; ++k) {
    names[k] = cloud->field[k].name;
    size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s%s", k > 0 ? ", " : "", names[k]);
  }
  complain("%s: no field \"%s\"%s (there are %s)", path, name,
           suggestion(name, names, (size_t)cloud->fields, buffer, sizeof buffer), list);
  return false;
}

bool surface_wish_choose(const surface_wish *wish, const mote_cloud *cloud, bool holds, const char *path,
                         mote_field_view out[MOTE_SURFACE_FIELDS], int *count) {
  *count = 0;
  for (int k = 0; k < wish->names; ++k)
    if (mote_cloud_find(cloud, wish->name[k]) == NULL) return complain_field(wish->name[k], cloud, path);
  if (wish->colour_by != NULL) {
    const mote_field_view *field = mote_cloud_find(cloud, wish->colour_by);
    if (field == NULL) return complain_field(wish->colour_by, cloud, path);
    out[(*count)++] = *field;
  }
  for (int k = 0; k < cloud->fields && (holds || wish->listed) && *count < MOTE_SURFACE_FIELDS - 1; ++k) {
    const mote_field_view *field = &cloud->field[k];
    bool there = wish->colour_by != NULL && strcmp(field->name, wish->colour_by) == 0;
    if (!there && is_carried(wish, field)) out[(*count)++] = *field;
  }
  return true;
}

// Vectors by their length; what is not finite counts for nothing.
static void find_range(surface_wish *wish, const mote_field_view *field) {
  double low = (double)INFINITY, high = (double)-INFINITY;
  for (size_t k = 0; k < field->count; ++k) {
    double value = input_size(field, k);
    if (isfinite(value)) low = fmin(low, value), high = fmax(high, value);
  }
  if (!(low <= high)) return;  // no vertices: a later one says
  wish->low = low, wish->high = high > low ? high : low + 1;
}

static void *take(const mote_env *env, size_t size) {
  return env->resize(env->resize_user, NULL, 0, size > 0 ? size : 1);
}

static void drop_field(mote_surface *surface, int which, const mote_env *env) {
  APP_ASSERT(which >= 0 && which < surface->fields);
  mote_surface one = {.fields = 1, .field = {surface->field[which]}};
  mote_surface_free(&one, env);
  for (int k = which; k + 1 < surface->fields; ++k) surface->field[k] = surface->field[k + 1];
  --surface->fields;
}

void surface_wish_keep(const surface_wish *wish, mote_surface *surface, const mote_env *env) {
  for (int k = surface->fields - 1; k >= 0 && wish->listed; --k) {
    const char *name = surface->field[k].name;
    bool made = wish->colour_by != NULL && strcmp(name, "colour") == 0;
    if (!made && !is_listed(wish, name)) drop_field(surface, k, env);
  }
}

// A colour that the surface has gives way to the one that is asked for.
static void drop_other_colour(const surface_wish *wish, mote_surface *surface, const mote_env *env) {
  for (int k = surface->fields - 1; k >= 0; --k)
    if (strcmp(surface->field[k].name, "colour") == 0 && strcmp(wish->colour_by, "colour") != 0)
      drop_field(surface, k, env);
}

int surface_wish_colour(surface_wish *wish, mote_surface *surface, bool holds, const mote_env *env) {
  mote_colour_map map;
  int from = -1;
  if (wish->colour_by == NULL) return EXIT_DONE;
  drop_other_colour(wish, surface, env);
  for (int k = 0; k < surface->fields; ++k)
    if (strcmp(surface->field[k].name, wish->colour_by) == 0) from = k;
  if (from < 0 || strcmp(wish->colour_by, "colour") == 0 || !find_map(wish->map, &map))
    return EXIT_DONE;  // an empty surface may have no fields
  const mote_field_view *field = &surface->field[from];
  if (isnan(wish->low)) find_range(wish, field);
  size_t rows = surface->mesh.vertices;
  mote_colour *colour = take(env, rows * sizeof *colour);
  char *name = take(env, sizeof "colour"), *unit = take(env, 1);
  if (colour == NULL || name == NULL || unit == NULL) {
    complain("out of memory");
    return EXIT_FAILED;
  }
  memcpy(name, "colour", sizeof "colour");
  unit[0] = '\0';
  for (size_t k = 0; k < rows; ++k)
    colour[k] = mote_colour_map_at(map, (input_size(field, k) - wish->low) / (wish->high - wish->low));
  if (!holds || (wish->listed && !is_listed(wish, wish->colour_by))) drop_field(surface, from, env);
  surface->field[surface->fields++] = (mote_field_view){name, unit, MOTE_TYPE_U8, 4, rows, colour};
  return EXIT_DONE;
}
