// Meshes under construction: see mesh_file.h.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/mesh_file.h"

void mote_mesh_add_vertex(mote_mesh_maker *maker, const double x[3]) {
  mote_buffer_add(&maker->vertex, x, 3 * sizeof *x);
}

size_t mote_mesh_vertices(const mote_mesh_maker *maker) {
  return maker->vertex.size / (3 * sizeof(double));
}

void mote_mesh_add_polygon(mote_mesh_maker *maker, const uint32_t *corner, size_t corners) {
  for (size_t k = 2; k < corners; ++k) {
    uint32_t triangle[3] = {corner[0], corner[k - 1], corner[k]};
    mote_buffer_add(&maker->triangle, triangle, sizeof triangle);
  }
}

void mote_mesh_add_strip(mote_mesh_maker *maker, const uint32_t *corner, size_t corners) {
  for (size_t k = 2; k < corners; ++k) {
    uint32_t triangle[3] = {corner[k - 2], corner[k - 1 + k % 2], corner[k - k % 2]};
    mote_buffer_add(&maker->triangle, triangle, sizeof triangle);
  }
}

void mote_mesh_maker_free(mote_mesh_maker *maker) {
  mote_buffer_free(&maker->vertex);
  mote_buffer_free(&maker->triangle);
  mote_cloud_free(&maker->cloud, maker->source->env);
}

// Numbers of the cloud's field as an array of `type`: the field's own array if it has that type.
static void *take_numbers(mote_field_view *field, mote_type type, const mote_env *env) {
  size_t count = field->count * (size_t)field->components, size = mote_type_size(type);
  void *taken = field->data;
  if (field->type == type) {
    field->data = NULL;
    return taken;
  }
  uint8_t *numbers = mote_io_new(env, count * size);
  for (size_t k = 0; numbers != NULL && k < count; ++k)
    mote_raw_store(type,
                   mote_raw_value(field->type, (const uint8_t *)taken + k * mote_type_size(field->type)),
                   numbers + k * size);
  return numbers;
}

static mote_result finish_vertices(mote_mesh_maker *maker, mote_mesh *mesh, mote_error *error) {
  mote_field_view *position = mote_cloud_field(&maker->cloud, "position");
  if (position == NULL) {
    if (!mote_buffer_trim(&maker->vertex)) return mote_io_fail_memory(error);
    mesh->vertices = mote_mesh_vertices(maker);
    mesh->vertex = (double *)(void *)maker->vertex.data;
    maker->vertex = mote_buffer_make(maker->source->env);
  } else {
    if (position->components != 3)
      return mote_io_fail(error, MOTE_ERROR_FORMAT, maker->source->path, "vertices without x, y, z");
    mesh->vertices = position->count;
    mesh->vertex = take_numbers(position, MOTE_TYPE_F64, maker->source->env);
    if (mesh->vertex == NULL) return mote_io_fail_memory(error);
  }
  if (mesh->vertices > UINT32_MAX)
    return mote_io_fail(error, MOTE_ERROR_FORMAT, maker->source->path, "more than %u vertices", UINT32_MAX);
  if (maker->cloud.fields > 0 && maker->cloud.count != mesh->vertices)
    return mote_io_fail(error, MOTE_ERROR_FORMAT, maker->source->path,
                        "values of %zu vertices, but %zu vertices", maker->cloud.count, mesh->vertices);
  // A mesh is input of shapes: NaN would propagate.
  for (size_t k = 0; k < 3 * mesh->vertices; ++k)
    if (!isfinite(mesh->vertex[k]))
      return mote_io_fail(error, MOTE_ERROR_FORMAT, maker->source->path,
                          "vertex %zu has a coordinate that is not a finite number", k / 3 + 1);
  return MOTE_OK;
}

static mote_result finish_triangles(mote_mesh_maker *maker, mote_mesh *mesh, mote_error *error) {
  if (!mote_buffer_trim(&maker->triangle)) return mote_io_fail_memory(error);
  size_t triangles = maker->triangle.size / (3 * sizeof(uint32_t));
  const uint32_t *corner = (const uint32_t *)(const void *)maker->triangle.data;
  // Only Mote writes empty surfaces.
  if (triangles == 0 && (mesh->vertices > 0 || maker->cloud.stamp.version[0] == 0))
    return mote_io_fail(error, MOTE_ERROR_FORMAT, maker->source->path, "no triangles in it");
  for (size_t k = 0; k < 3 * triangles; ++k)
    if (corner[k] >= mesh->vertices)
      return mote_io_fail(error, MOTE_ERROR_FORMAT, maker->source->path,
                          "triangle %zu has no such vertex: %u", k / 3 + 1, corner[k]);
  mesh->triangles = triangles;
  mesh->triangle = (uint32_t *)(void *)maker->triangle.data;
  maker->triangle = mote_buffer_make(maker->source->env);
  return MOTE_OK;
}

static bool is_normal(const mote_field_view *field) {
  static const char *const names[] = {"normal", "normals", "n"};
  bool known = false;
  for (int k = 0; k < 3; ++k)
    known = known || mote_word_like((mote_word){field->name, strlen(field->name)}, names[k]);
  return known && field->components == 3 && (field->type == MOTE_TYPE_F32 || field->type == MOTE_TYPE_F64);
}

// Moves normals and fields from the cloud to the surface.
static mote_result finish_values(mote_mesh_maker *maker, mote_surface *out, mote_error *error) {
  const mote_env *env = maker->source->env;
  int left_out = 0;
  for (int k = 0; k < maker->cloud.fields; ++k) {
    mote_field_view *field = &maker->cloud.field[k];
    if (strcmp(field->name, "position") == 0) continue;
    if (out->normal == NULL && is_normal(field)) {
      out->normal = take_numbers(field, MOTE_TYPE_F32, env);
      if (out->normal == NULL) return mote_io_fail_memory(error);
    } else if (out->fields < MOTE_SURFACE_FIELDS) {
      out->field[out->fields++] = *field;
      *field = (mote_field_view){0};
    } else {
      ++left_out;
    }
  }
  if (left_out == 0 || env->log == NULL) return MOTE_OK;
  char text[300];
  snprintf(text, sizeof text, "%.200s: %d fields beyond the first %d are left out", maker->source->path,
           left_out, MOTE_SURFACE_FIELDS);
  env->log(env->log_user, MOTE_LOG_WARNING, text);
  return MOTE_OK;
}

mote_result mote_mesh_finish(mote_mesh_maker *maker, mote_surface *out, mote_error *error) {
  mote_surface surface = {0};
  mote_result result = finish_vertices(maker, &surface.mesh, error);
  if (result == MOTE_OK) result = finish_triangles(maker, &surface.mesh, error);
  if (result == MOTE_OK) result = finish_values(maker, &surface, error);
  if (result == MOTE_OK)
    *out = surface;
  else
    mote_surface_free(&surface, maker->source->env);
  return result;
}

mote_cloud mote_surface_cloud(const mote_surface *surface, const mote_stamp *stamp) {
  size_t count = surface->mesh.vertices;
  mote_cloud cloud = {.count = count, .stamp = *stamp};
  cloud.field[cloud.fields++] =
      (mote_field_view){"position", "m", MOTE_TYPE_F64, 3, count, surface->mesh.vertex};
  if (surface->normal != NULL)
    cloud.field[cloud.fields++] = (mote_field_view){"normal", "", MOTE_TYPE_F32, 3, count, surface->normal};
  for (int k = 0; k < surface->fields; ++k) cloud.field[cloud.fields++] = surface->field[k];
  return cloud;
}

const mote_field_view *mote_surface_colour(const mote_surface *surface) {
  for (int k = 0; k < surface->fields; ++k) {
    const mote_field_view *f = &surface->field[k];
    bool number = f->type == MOTE_TYPE_U8 || f->type == MOTE_TYPE_F32 || f->type == MOTE_TYPE_F64;
    if (strcmp(f->name, "colour") == 0 && (f->components == 3 || f->components == 4) && number) return f;
  }
  return NULL;
}
