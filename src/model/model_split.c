// An OBJ model with texture coordinates as a surface: a row for each pair of a row of the model and a texture
// coordinate at a corner. Formats with one list of rows need it: GLB.
#include <string.h>

#include "model/model_file.h"

typedef struct splitting {
  const mote_model *model;
  mote_buffer coordinate, corner;  // of the file: see mote_model_obj_textures
  mote_buffer row, texture,
      next;         // of each new row; next: the next one of the same row of the model, 0: none
  uint32_t *first;  // new row of each row of the model, from 1; 0: none
} splitting;

static uint32_t *numbers(mote_buffer *buffer) {
  return (uint32_t *)(void *)buffer->data;
}

// The new row of a row of the model with this texture coordinate; corners without one share any.
static uint32_t find_row(splitting *s, uint32_t row, uint32_t texture) {
  uint32_t zero = 0, added = (uint32_t)(s->row.size / sizeof zero), last = 0;
  for (uint32_t at = s->first[row]; at != 0; at = numbers(&s->next)[at - 1]) {
    uint32_t *there = numbers(&s->texture) + at - 1;
    if (*there == UINT32_MAX) *there = texture;
    if (*there == texture || texture == UINT32_MAX) return at - 1;
    last = at;
  }
  mote_buffer_add(&s->row, &row, sizeof row);
  mote_buffer_add(&s->texture, &texture, sizeof texture);
  mote_buffer_add(&s->next, &zero, sizeof zero);
  if (s->row.failed || s->texture.failed || s->next.failed) return 0;
  if (last == 0)
    s->first[row] = added + 1;
  else
    numbers(&s->next)[last - 1] = added + 1;
  return added;
}

static mote_result find_rows(splitting *s, uint32_t *triangle, mote_error *error) {
  const mote_mesh *mesh = &s->model->surface.mesh;
  const uint32_t *corner = numbers(&s->corner);
  for (size_t c = 0; c < 3 * mesh->triangles; ++c) triangle[c] = find_row(s, mesh->triangle[c], corner[c]);
  bool failed = s->row.failed || s->texture.failed || s->next.failed;
  return failed ? mote_io_fail_memory(error) : MOTE_OK;
}

// A field of the model's rows for the new ones; data null when memory is out.
static mote_field_view take_field(const splitting *s, const mote_field_view *field, const uint32_t *row,
                                  size_t rows) {
  mote_field_view out = *field;
  size_t size = (size_t)field->components * mote_type_size(field->type);
  uint8_t *data = mote_io_new(&s->model->env, rows * size);
  for (size_t r = 0; data != NULL && r < rows; ++r)
    memcpy(data + r * size, (const uint8_t *)field->data + row[r] * size, size);
  out.count = rows, out.data = data;
  return out;
}

static bool add_coordinates(splitting *s, mote_surface *surface, size_t rows) {
  const float *coordinate = (const float *)(const void *)s->coordinate.data;
  size_t count = s->coordinate.size / (2 * sizeof *coordinate);
  float *uv = mote_io_new(&s->model->env, 2 * rows * sizeof *uv);
  for (size_t r = 0; uv != NULL && r < rows; ++r) {
    uint32_t texture = numbers(&s->texture)[r];
    if (texture < count) memcpy(uv + 2 * r, coordinate + 2 * (size_t)texture, 2 * sizeof *uv);
  }
  surface->field[surface->fields++] = (mote_field_view){"uv", "", MOTE_TYPE_F32, 2, rows, uv};
  return uv != NULL;
}

// Fields of rows of the file that have copies are dropped, as in other formats.
static mote_result fill(splitting *s, mote_model_split *out, mote_error *error) {
  const mote_model *model = s->model;
  const mote_mesh *mesh = &model->surface.mesh;
  mote_surface *surface = &out->surface;
  surface->mesh.triangles = mesh->triangles;
  surface->mesh.triangle = mote_io_new(&model->env, 3 * mesh->triangles * sizeof(uint32_t));
  if (surface->mesh.triangle == NULL) return mote_io_fail_memory(error);
  MOTE_IO_TRY(find_rows(s, surface->mesh.triangle, error));
  size_t rows = surface->mesh.vertices = s->row.size / sizeof(uint32_t);
  surface->mesh.vertex = mote_io_new(&model->env, 3 * rows * sizeof(double));
  out->row = mote_io_new(&model->env, rows * sizeof *out->row);
  if (surface->mesh.vertex == NULL || out->row == NULL) return mote_io_fail_memory(error);
  memcpy(out->row, s->row.data, rows * sizeof *out->row);
  mote_model_split_take(out, mesh->vertex, surface->mesh.vertex);
  int fields = model->vertices == mesh->vertices ? model->surface.fields : 0;
  bool taken = true;
  for (int k = 0; k < fields && k + 1 < MOTE_SURFACE_FIELDS; ++k) {
    surface->field[surface->fields++] = take_field(s, &model->surface.field[k], out->row, rows);
    taken &= surface->field[k].data != NULL;
  }
  taken &= add_coordinates(s, surface, rows);
  return taken ? MOTE_OK : mote_io_fail_memory(error);
}

mote_result mote_model_split_make(const mote_model *model, mote_model_split *out, mote_error *error) {
  const mote_mesh *mesh = &model->surface.mesh;
  splitting s = {.model = model};
  mote_buffer *buffers[] = {&s.coordinate, &s.corner, &s.row, &s.texture, &s.next};
  *out = (mote_model_split){0};
  if (model->kind != MOTE_MODEL_OBJ) return MOTE_OK;
  for (int k = 0; k < 5; ++k) *buffers[k] = mote_buffer_make(&model->env);
  s.first = mote_io_new(&model->env, mesh->vertices * sizeof *s.first);
  mote_model_obj_textures(model, &s.coordinate, &s.corner);
  bool failed = s.first == NULL || s.coordinate.failed || s.corner.failed;
  mote_result result = failed ? mote_io_fail_memory(error) : MOTE_OK;
  bool all = s.corner.size == 3 * mesh->triangles * sizeof(uint32_t);
  if (result == MOTE_OK && s.coordinate.size > 0 && all) result = fill(&s, out, error);
  mote_io_delete(&model->env, s.first, mesh->vertices * sizeof *s.first);
  for (int k = 0; k < 5; ++k) mote_buffer_free(buffers[k]);
  if (result != MOTE_OK) mote_model_split_free(out, &model->env);
  return result;
}

void mote_model_split_free(mote_model_split *split, const mote_env *env) {
  mote_surface *s = &split->surface;
  size_t rows = s->mesh.vertices;
  for (int k = 0; k < s->fields; ++k) {
    const mote_field_view *field = &s->field[k];
    mote_io_delete(env, field->data, rows * (size_t)field->components * mote_type_size(field->type));
  }
  mote_io_delete(env, split->row, rows * sizeof *split->row);
  mote_io_delete(env, s->mesh.vertex, 3 * rows * sizeof *s->mesh.vertex);
  mote_io_delete(env, s->mesh.triangle, 3 * s->mesh.triangles * sizeof *s->mesh.triangle);
  *split = (mote_model_split){0};
}

void mote_model_split_take(const mote_model_split *split, const double *of_model, double *out) {
  for (size_t r = 0; r < split->surface.mesh.vertices; ++r)
    memcpy(out + 3 * r, of_model + 3 * (size_t)split->row[r], 3 * sizeof *out);
}
