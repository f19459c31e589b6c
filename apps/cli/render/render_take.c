// One frame's things: see render_take.h.
#include "cli/render/render_take.h"

#include <math.h>
#include <mote/search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/app_assert.h"
#include "cli/base/cli.h"

void render_take_free(render_take *take, const mote_env *env) {
  if (take->meshed) mote_surface_free(&take->surface, env);
  mote_texture_free(&take->texture, env);
  free(take->position), free(take->value), free(take->body), free(take->colour), free(take->velocity);
  *take = (render_take){.time = (double)NAN};
}

// --- Values ---

static int no_field(const char *path, const char *name, const mote_field_view *field, int fields) {
  APP_ASSERT(fields <= MOTE_CLOUD_FIELDS);
  const char *names[MOTE_CLOUD_FIELDS] = {NULL};
  char list[512] = "", near[128];
  for (int k = 0; k < fields; ++k) {
    size_t used = strlen(list);
    names[k] = field[k].name;
    snprintf(list + used, sizeof list - used, "%s%s", k > 0 ? ", " : "", field[k].name);
  }
  complain("%s: no field \"%s\"%s (there are: %s)", path, name,
           suggestion(name, names, (size_t)fields, near, sizeof near), fields > 0 ? list : "none");
  return EXIT_USAGE;
}

static const mote_field_view *find(const mote_field_view *field, int fields, const char *name) {
  for (int k = 0; k < fields; ++k) {
    if (strcmp(field[k].name, name) == 0) return &field[k];
  }
  return NULL;
}

// Of `count` rows, as listed (null: all in order).
static float *take_values(const mote_field_view *view, const size_t *row, size_t count) {
  APP_ASSERT(view->components > 0);
  float *value = input_take(count, sizeof *value);
  for (size_t i = 0; i < count; ++i) value[i] = (float)input_size(view, row != NULL ? row[i] : i);
  return value;
}

static void take_bodies(render_take *take, const mote_field_view *view, const size_t *row, size_t count) {
  take->body = input_take(count, sizeof *take->body);
  for (size_t i = 0; i < count; ++i)
    take->body[i] = (uint32_t)mote_field_value(view, row != NULL ? row[i] : i, 0);
}

// The file's own colours: bytes, or parts of 1.
static void take_colours(render_take *take, const mote_field_view *view, const size_t *row, size_t count) {
  bool bytes = view->type == MOTE_TYPE_U8;
  if (view->components < 3 || (!bytes && view->type != MOTE_TYPE_F32 && view->type != MOTE_TYPE_F64)) return;
  take->colour = input_take(count, sizeof *take->colour);
  for (size_t i = 0; i < count; ++i) {
    uint8_t part[3];
    for (int k = 0; k < 3; ++k) {
      double value = mote_field_value(view, row != NULL ? row[i] : i, k) * (bytes ? 1 : 255);
      part[k] = (uint8_t)(value > 255 ? 255 : value > 0 ? value + 0.5 : 0);
    }
    take->colour[i] = (mote_colour){part[0], part[1], part[2], 255};
  }
}

static int take_velocities(render_take *take, const mote_field_view *field, int fields, const size_t *row,
                           size_t count) {
  const mote_field_view *view = find(field, fields, "velocity");
  if (view == NULL && count > 0) {
    complain(
        "%s: motion blur (--shutter, outputs.camera.shutter) needs the field velocity, which is not in the "
        "file",
        take->path);
    return EXIT_USAGE;
  }
  if (view == NULL || view->components != 3) return EXIT_DONE;
  take->velocity = input_take(3 * count, sizeof *take->velocity);
  for (size_t i = 0; i < 3 * count; ++i)
    take->velocity[i] = (float)mote_field_value(view, row != NULL ? row[i / 3] : i / 3, (int)(i % 3));
  return EXIT_DONE;
}

static int take_fields(render_take *take, const mote_field_view *field, int fields,
                       const render_values *values, const size_t *row, size_t count) {
  const char *colour_by = values->name;
  if (values->velocities) {
    int status = take_velocities(take, field, fields, row, count);
    if (status != EXIT_DONE) return status;
  }
  const mote_field_view *colour = find(field, fields, "colour");
  if (colour_by == NULL && colour != NULL) take_colours(take, colour, row, count);
  if (colour_by == NULL) return EXIT_DONE;
  bool material = strcmp(colour_by, "material") == 0;
  const mote_field_view *view = find(field, fields, material ? "body" : colour_by);
  if (view == NULL && material && colour != NULL) {  // a tracked surface carries the colours themselves
    take_colours(take, colour, row, count);
    return EXIT_DONE;
  }
  if (view == NULL && count > 0 && values->required)
    return no_field(take->path, material ? "body" : colour_by, field, fields);
  if (view == NULL) return EXIT_DONE;
  snprintf(take->unit, sizeof take->unit, "%s",
           view->unit != NULL && strcmp(view->unit, "1") != 0 ? view->unit : "");
  if (material)
    take_bodies(take, view, row, count);
  else
    take->value = take_values(view, row, count);
  return EXIT_DONE;
}

// --- Files ---

static bool has_ending(const char *path, const char *ending) {
  size_t length = strlen(path), end = strlen(ending);
  return length > end && strcmp(path + length - end, ending) == 0;
}

// Values that colour a mesh are seen in place of its texture.
static int take_texture(render_take *take, const render_values *values, const mote_env *env) {
  mote_error error;
  bool glb = has_ending(take->path, ".glb") || has_ending(take->path, ".glb.gz");
  if (values->name != NULL || (values->texture == NULL && !(glb && values->textures))) return EXIT_DONE;
  return mote_texture_read(take->path, values->texture, env, &take->texture, &error) == MOTE_OK
             ? EXIT_DONE
             : complain_error(&error);
}

static int read_mesh(render_take *take, const render_values *values, const mote_env *env) {
  mote_error error;
  mote_stamp stamp = {.time = (double)NAN};
  if (mote_surface_read(take->path, env, &take->surface, &stamp, &error) != MOTE_OK)
    return complain_error(&error);
  take->meshed = true;
  take->time = stamp.time, take->ours = stamp.version[0] != '\0';
  int status = take_texture(take, values, env);
  if (status != EXIT_DONE) return status;
  return take_fields(take, take->surface.field, take->surface.fields, values, NULL,
                     take->surface.mesh.vertices);
}

static bool is_finite3(const double x[3]) {
  return isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
}

static int take_particles(render_take *take, const mote_cloud *cloud, const render_values *values) {
  const mote_field_view *position = mote_cloud_find(cloud, "position");
  if (position == NULL || position->components != 3) {
    complain("%s: no positions in the file", take->path);
    return EXIT_USAGE;
  }
  size_t *row = input_take(cloud->count, sizeof *row);
  take->position = input_take(3 * cloud->count, sizeof *take->position);
  for (size_t i = 0; i < cloud->count; ++i) {
    double *x = take->position + 3 * take->count;
    for (int k = 0; k < 3; ++k) x[k] = mote_field_value(position, i, k);
    if (is_finite3(x)) row[take->count++] = i;
  }
  int status = take_fields(take, cloud->field, cloud->fields, values, row, take->count);
  free(row);
  return status;
}

static int read_particles(render_take *take, const render_values *values, const mote_env *env) {
  input_particles in;
  int status = input_open(take->path, env, &in);
  if (status != EXIT_DONE) return status;
  take->time = in.cloud.stamp.time, take->ours = in.cloud.stamp.version[0] != '\0';
  status = take_particles(take, &in.cloud, values);
  input_close(&in, env);
  return status;
}

int render_take_read(render_take *take, const char *path, const render_values *values, const mote_env *env) {
  if (strcmp(take->path, path) == 0) return EXIT_DONE;
  render_take_free(take, env);
  snprintf(take->path, sizeof take->path, "%s", path);
  input_kind kind = input_kind_of(path);
  if (kind == INPUT_UNKNOWN) return EXIT_USAGE;
  if (kind == INPUT_RUN) return take->path[0] = '\0', EXIT_DONE;  // a frame of it without particles
  if (kind == INPUT_MESH) return read_mesh(take, values, env);
  if (kind == INPUT_PARTICLES || kind == INPUT_SNAPSHOT) return read_particles(take, values, env);
  complain("%s: a %s; only particles and meshes can be rendered", path, input_kind_name(kind));
  return EXIT_USAGE;
}

// --- What is made of particles ---

// Values and bodies move from the particles to the vertices.
static void take_from_surface(render_take *take) {
  size_t count = take->surface.mesh.vertices;
  const mote_field_view *value = find(take->surface.field, take->surface.fields, "value");
  const mote_field_view *body = find(take->surface.field, take->surface.fields, "body");
  const mote_field_view *velocity = find(take->surface.field, take->surface.fields, "velocity");
  free(take->value), free(take->body), free(take->colour), free(take->velocity);
  take->value = NULL, take->body = NULL, take->colour = NULL, take->velocity = NULL;
  if (velocity != NULL) take_velocities(take, velocity, 1, NULL, count);
  if (value != NULL) take->value = take_values(value, NULL, count);
  if (body != NULL) take_bodies(take, body, NULL, count);
}

// Ellipsoids lie in an order of their own: each takes the values of the particle that is nearest to its
// centre.
static int take_ellipsoids(render_take *take, mote_surfacer *surfacer, const mote_env *env) {
  mote_error error;
  mote_kdtree *tree;
  size_t count = mote_surfacer_ellipsoids(surfacer, &take->centre, &take->G);
  if (take->count == 0) return EXIT_DONE;
  if (count == 0) {
    complain("%s: out of memory for ellipsoids", take->path);
    return EXIT_FAILED;
  }
  if (mote_kdtree_create(3, take->position, take->count, env, &tree, &error) != MOTE_OK)
    return complain_error(&error);
  float *value = take->value != NULL ? input_take(count, sizeof *value) : NULL;
  uint32_t *body = take->body != NULL ? input_take(count, sizeof *body) : NULL;
  mote_colour *colour = take->colour != NULL ? input_take(count, sizeof *colour) : NULL;
  float *velocity = take->velocity != NULL ? input_take(3 * count, sizeof *velocity) : NULL;
  for (size_t i = 0; i < count; ++i) {
    uint32_t near = 0;
    double squared;
    mote_kdtree_nearest(tree, take->centre + 3 * i, 1, &near, &squared);
    if (value != NULL) value[i] = take->value[near];
    if (body != NULL) body[i] = take->body[near];
    if (colour != NULL) colour[i] = take->colour[near];
    if (velocity != NULL) memcpy(velocity + 3 * i, take->velocity + 3 * (size_t)near, 3 * sizeof *velocity);
  }
  mote_kdtree_destroy(tree);
  free(take->value), free(take->body), free(take->colour), free(take->velocity);
  take->value = value, take->body = body, take->colour = colour, take->velocity = velocity;
  take->ellipsoids = count;
  return EXIT_DONE;
}

int render_take_surface(render_take *take, const render_surfacing *by, const mote_env *env) {
  APP_ASSERT(by->surfacer != NULL && !take->meshed);
  mote_error error;
  mote_surface surface;
  mote_surface_images images;
  mote_field_view field[3];
  mote_surface_particles particles = {.position = take->position, .count = take->count, .field = field};
  if (take->value != NULL)
    field[particles.fields++] = (mote_field_view){"value", "1", MOTE_TYPE_F32, 1, take->count, take->value};
  if (take->body != NULL)
    field[particles.fields++] = (mote_field_view){"body", "1", MOTE_TYPE_U32, 1, take->count, take->body};
  if (take->velocity != NULL)
    field[particles.fields++] =
        (mote_field_view){"velocity", "m/s", MOTE_TYPE_F32, 3, take->count, take->velocity};
  mote_surface_walls none = mote_surface_walls_none();
  mote_result result = mote_surface_images_make(by->ellipsoids ? &none : &by->walls, &particles, &by->def,
                                                env, &images, &error);
  if (result == MOTE_OK) result = mote_surfacer_build(by->surfacer, &images.view, &surface, &error);
  mote_surface_images_free(&images, env);
  if (result != MOTE_OK) {
    if (error.file[0] == '\0') snprintf(error.file, sizeof error.file, "%.255s", take->path);
    return complain_error(&error);
  }
  if (by->ellipsoids) {
    mote_surface_free(&surface, env);
    return take_ellipsoids(take, by->surfacer, env);
  }
  take->surface = surface, take->meshed = true;
  take_from_surface(take);
  return EXIT_DONE;
}

// --- Positions ---

static const double *positions(const render_take *take) {
  return take->meshed ? take->surface.mesh.vertex : take->G != NULL ? take->centre : take->position;
}

size_t render_take_positions(const render_take *take) {
  return take->meshed ? take->surface.mesh.vertices : take->G != NULL ? take->ellipsoids : take->count;
}

bool render_take_bounds(const render_take *take, double low[3], double high[3]) {
  const double *x = positions(take);
  size_t count = render_take_positions(take);
  for (int k = 0; k < 3; ++k) low[k] = (double)INFINITY, high[k] = (double)-INFINITY;
  for (size_t i = 0; i < count; ++i) {
    for (size_t k = 0; k < 3; ++k) low[k] = fmin(low[k], x[3 * i + k]), high[k] = fmax(high[k], x[3 * i + k]);
  }
  return count > 0;
}
