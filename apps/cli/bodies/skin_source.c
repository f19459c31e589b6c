// Meshes and points to be carried along: see skin_source.h.
#include "cli/bodies/skin_source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/app_assert.h"
#include "cli/base/cli.h"
#include "cli/files/input_file.h"

static int read_file(skin_source *s, const char *path, const mote_env *env) {
  mote_error error = {0};
  input_kind kind = input_kind_of(path);
  if (kind == INPUT_UNKNOWN) return EXIT_USAGE;
  if (kind != INPUT_MESH && kind != INPUT_PARTICLES) {
    complain("%s: a %s, where a mesh or points are wanted", path, input_kind_name(kind));
    return EXIT_USAGE;
  }
  s->points = kind == INPUT_PARTICLES;
  mote_result result = s->points ? mote_cloud_read(path, env, &s->cloud, &error)
                                 : mote_surface_read(path, env, &s->surface, NULL, &error);
  if (result != MOTE_OK) return complain_error(&error);
  s->count = s->points ? s->cloud.count : s->surface.mesh.vertices;
  if (s->count > 0 && (s->points || s->surface.mesh.triangles > 0)) return EXIT_DONE;
  complain("%s: no mesh or points in it to embed", path);
  return EXIT_USAGE;
}

static double *copy_field(const mote_field_view *view) {
  APP_ASSERT(view != NULL && view->components == 3);
  double *to = input_take(3 * view->count, sizeof *to);
  for (size_t k = 0; k < 3 * view->count; ++k) to[k] = input_value(view, k);
  return to;
}

static void take_numbers(skin_source *s) {
  if (s->points) {
    const mote_field_view *normal = mote_cloud_find(&s->cloud, "normal");
    s->vertex = copy_field(mote_cloud_find(&s->cloud, "position"));
    if (normal != NULL && normal->components == 3) s->normal = copy_field(normal);
    return;
  }
  s->vertex = input_take(3 * s->count, sizeof *s->vertex);
  memcpy(s->vertex, s->surface.mesh.vertex, 3 * s->count * sizeof *s->vertex);
  if (s->surface.normal == NULL) return;
  s->normal = input_take(3 * s->count, sizeof *s->normal);
  for (size_t k = 0; k < 3 * s->count; ++k) s->normal[k] = (double)s->surface.normal[k];
}

static int check_numbers(const skin_source *s) {
  APP_ASSERT(s->vertex != NULL);
  for (size_t k = 0; k < 3 * s->count; ++k) {
    bool good = isfinite(s->vertex[k]) && (s->normal == NULL || isfinite(s->normal[k]));
    if (good) continue;
    complain("%s: vertex %zu has a place or a normal that is no number", s->path, k / 3);
    return EXIT_USAGE;
  }
  return EXIT_DONE;
}

int skin_source_open(skin_source *source, const char *path, double scale, const mote_env *env) {
  APP_ASSERT(scale > 0);
  *source = (skin_source){.path = path};
  int status = read_file(source, path, env);
  if (status != EXIT_DONE) return status;
  take_numbers(source);
  for (size_t k = 0; k < 3 * source->count; ++k) source->vertex[k] *= scale;
  source->moved = input_take(3 * source->count, sizeof *source->moved);
  if (source->normal != NULL) source->turned = input_take(3 * source->count, sizeof *source->turned);
  return check_numbers(source);
}

void skin_source_close(skin_source *source, const mote_env *env) {
  if (source->points) {
    mote_cloud_free(&source->cloud, env);
  } else {
    mote_surface_free(&source->surface, env);
  }
  free(source->vertex), free(source->normal), free(source->moved), free(source->turned);
  *source = (skin_source){0};
}

void skin_source_bounds(const skin_source *source, double low[3], double high[3]) {
  for (int k = 0; k < 3; ++k) low[k] = (double)INFINITY, high[k] = (double)-INFINITY;
  for (size_t k = 0; k < 3 * source->count; ++k) {
    low[k % 3] = fmin(low[k % 3], source->vertex[k]);
    high[k % 3] = fmax(high[k % 3], source->vertex[k]);
  }
}

static int write_points(const skin_source *s, const mote_stamp *stamp, const char *path) {
  mote_error error;
  mote_cloud cloud = s->cloud;
  cloud.stamp = *stamp;
  for (int k = 0; k < cloud.fields; ++k) {
    mote_field_view *view = &cloud.field[k];
    bool place = strcmp(view->name, "position") == 0, normal = strcmp(view->name, "normal") == 0;
    if (!place && !(normal && s->normal != NULL)) continue;
    view->type = MOTE_TYPE_F64, view->data = place ? s->moved : s->turned;
  }
  return mote_cloud_write(&cloud, path, &error) == MOTE_OK ? EXIT_DONE : complain_error(&error);
}

int skin_source_write(const skin_source *source, const mote_stamp *stamp, const char *path) {
  APP_ASSERT(source->moved != NULL && (source->normal == NULL || source->turned != NULL));
  mote_error error;
  if (source->points) return write_points(source, stamp, path);
  mote_surface surface = source->surface;
  float *normal = NULL;
  surface.mesh.vertex = source->moved;
  if (source->normal != NULL) {
    normal = input_take(3 * source->count, sizeof *normal);
    for (size_t k = 0; k < 3 * source->count; ++k) normal[k] = (float)source->turned[k];
    surface.normal = normal;
  }
  mote_result result = mote_surface_write(&surface, stamp, path, &error);
  free(normal);
  return result == MOTE_OK ? EXIT_DONE : complain_error(&error);
}
