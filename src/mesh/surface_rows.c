// Rows of surfaces: see surface_rows.h.
#include "mesh/surface_rows.h"

#include <string.h>

#include "base/memory.h"
#include "geom/mesh_edges.h"
#include "geom/triple.h"

static size_t row_size(const mote_field_view *field) {
  return (size_t)field->components * mote_type_size(field->type);
}

mote_result mote_surface_check(const mote_surface *surface, mote_error *error) {
  if (!surface) return mote_fail(error, MOTE_ERROR_ARGUMENT, "a surface is needed");
  if (surface->fields < 0 || surface->fields > MOTE_SURFACE_FIELDS) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "the surface has %d fields", surface->fields);
  }
  for (int f = 0; f < surface->fields; ++f) {
    const mote_field_view *field = surface->field + f;
    bool there = (field->data || field->count == 0) && field->count == surface->mesh.vertices &&
                 field->components > 0 && (unsigned)field->type < MOTE_TYPE_COUNT;
    if (!there) return mote_fail(error, MOTE_ERROR_ARGUMENT, "field %d has not one row per vertex", f);
  }
  return mote_mesh_check(&surface->mesh, error);
}

static const char *copy_text(const char *text, const mote_env *env) {
  size_t size = (text ? strlen(text) : 0) + 1;
  char *copy = mote_alloc(env, size, 1);
  if (copy) memcpy(copy, text ? text : "", size);
  return copy;
}

static void free_text(const char *text, const mote_env *env) {
  void *block;  // ours, though the view shows it as constant
  memcpy(&block, &text, sizeof block);
  if (block) mote_free(env, block, strlen(text) + 1, 1);
}

bool mote_surface_add_field(mote_surface *surface, const mote_field_view *like, const mote_env *env) {
  MOTE_ASSERT(surface->fields >= 0 && surface->fields < MOTE_SURFACE_FIELDS);
  MOTE_ASSERT(like->components >= 1);
  mote_field_view *field = surface->field + surface->fields++;
  *field = (mote_field_view){.type = like->type, .components = like->components};
  field->count = surface->mesh.vertices;
  field->name = copy_text(like->name, env), field->unit = copy_text(like->unit, env);
  field->data = mote_alloc(env, field->count, row_size(field));
  return field->name && field->unit && field->data;
}

void mote_surface_free(mote_surface *surface, const mote_env *env) {
  if (!surface) return;
  mote_env resolved = mote_env_resolve(env);
  mote_free(&resolved, surface->normal, surface->mesh.vertices, 3 * sizeof(float));
  for (int f = 0; f < surface->fields; ++f) {
    mote_field_view *field = surface->field + f;
    mote_free(&resolved, field->data, field->count, row_size(field));
    free_text(field->name, &resolved), free_text(field->unit, &resolved);
  }
  mote_mesh_free(&surface->mesh, &resolved);
  *surface = (mote_surface){0};
}

void mote_surface_replace(mote_surface *surface, mote_surface *made, const mote_env *env) {
  MOTE_ASSERT(surface != made);
  mote_surface_free(surface, env);
  *surface = *made;
}

static void copy_rows(const void *from, size_t count, size_t size, const uint32_t *number, void *to) {
  for (size_t v = 0; v < count; ++v) {
    if (number[v] != MOTE_ROW_GONE)
      memcpy((char *)to + number[v] * size, (const char *)from + v * size, size);
  }
}

// Arrays for so many vertices and triangles; false when memory is out.
static bool allocate(const mote_surface *like, const mote_env *env, mote_surface *out) {
  size_t vertices = out->mesh.vertices;
  out->mesh.vertex = mote_alloc(env, vertices, 3 * sizeof(double));
  out->mesh.triangle = mote_alloc(env, out->mesh.triangles, 3 * sizeof(uint32_t));
  bool ok = out->mesh.vertex && out->mesh.triangle;
  if (like->normal) ok = (out->normal = mote_alloc(env, vertices, 3 * sizeof(float))) != NULL && ok;
  for (int f = 0; f < like->fields; ++f) ok = mote_surface_add_field(out, like->field + f, env) && ok;
  return ok;
}

mote_result mote_surface_select(const mote_surface *surface, const uint32_t *number, size_t vertices,
                                const uint32_t *triangle, size_t triangles, const mote_env *env,
                                mote_surface *out, mote_error *error) {
  MOTE_ASSERT(vertices <= surface->mesh.vertices);
  MOTE_ASSERT(number != NULL || surface->mesh.vertices == 0);
  MOTE_ASSERT(triangle != NULL || triangles == 0);
  MOTE_ASSERT(out != surface);
  mote_surface made = {.mesh = {.vertices = vertices, .triangles = triangles}};
  if (!allocate(surface, env, &made)) {
    mote_surface_free(&made, env);
    return mote_fail_memory(error, vertices * 3 * sizeof(double) + triangles * 3 * sizeof(uint32_t));
  }
  size_t count = surface->mesh.vertices;
  copy_rows(surface->mesh.vertex, count, 3 * sizeof(double), number, made.mesh.vertex);
  if (surface->normal) copy_rows(surface->normal, count, 3 * sizeof(float), number, made.normal);
  for (int f = 0; f < surface->fields; ++f) {
    copy_rows(surface->field[f].data, count, row_size(made.field + f), number, made.field[f].data);
  }
  for (size_t c = 0; c < 3 * triangles; ++c) made.mesh.triangle[c] = number[triangle[c]];
  *out = made;
  return MOTE_OK;
}

// --- Mixing -----------------------------------------------------------------------------------------------

#define MIX(type, data, n)                                                             \
  do {                                                                                 \
    type *values = (data);                                                             \
    for (size_t k = 0; k < (n); ++k) {                                                 \
      double sum = 0.0;                                                                \
      for (int i = 0; i < 3; ++i) sum += weight[i] * (double)values[row[i] * (n) + k]; \
      values[row[0] * (n) + k] = (type)sum;                                            \
    }                                                                                  \
  } while (0)

static void mix_field(const mote_field_view *field, const uint32_t row[3], const double weight[3]) {
  size_t n = (size_t)field->components, size = row_size(field);
  int heaviest = weight[1] > weight[0] ? 1 : 0;
  if (weight[2] > weight[heaviest]) heaviest = 2;
  if (field->type == MOTE_TYPE_F32) {
    MIX(float, field->data, n);
  } else if (field->type == MOTE_TYPE_F64) {
    MIX(double, field->data, n);
  } else if (heaviest > 0) {
    memcpy((char *)field->data + row[0] * size, (char *)field->data + row[heaviest] * size, size);
  }
}

void mote_surface_mix(mote_surface *surface, const uint32_t row[3], const double weight[3]) {
  MOTE_ASSERT(row[0] < surface->mesh.vertices && row[1] < surface->mesh.vertices &&
              row[2] < surface->mesh.vertices);
  MOTE_ASSERT(weight != NULL);
  MIX(double, surface->mesh.vertex, (size_t)3);
  for (int f = 0; f < surface->fields; ++f) mix_field(surface->field + f, row, weight);
  if (!surface->normal) return;
  float *normal = surface->normal, *n = normal + 3 * (size_t)row[0];
  MIX(float, normal, (size_t)3);
  double mixed[3] = {(double)n[0], (double)n[1], (double)n[2]}, length = length3(mixed);
  for (int k = 0; k < 3 && length > 0.0; ++k) n[k] = (float)(mixed[k] / length);
}
