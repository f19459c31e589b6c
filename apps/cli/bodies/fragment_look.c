// Texture coordinates and colours of broken meshes: see fragment_look.h.
#include "cli/bodies/fragment_look.h"

#include <math.h>
#include <mote/io.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/app_assert.h"
#include "cli/files/input_file.h"

#define COLOUR_STEPS 4.0  // of 255 by which simplification may change a colour

mote_result fragment_look_open(fragment_look *look, const char *path, double factor, const mote_shape *shape,
                               const mote_env *env, mote_error *error) {
  APP_ASSERT(factor > 0);
  *look = (fragment_look){.env = *env};
  mote_result result = mote_surface_read(path, env, &look->input, NULL, error);
  if (result != MOTE_OK) return result;
  result = mote_texture_read_uv(path, env, &look->texture, error);
  if (result != MOTE_OK) {
    mote_surface_free(&look->input, env);
    return result;
  }
  bool any = false;
  for (size_t t = 0; t < look->texture.triangles && !any; ++t)
    any = look->texture.image_of[t] != MOTE_TEXTURE_NONE;
  if (!any || look->texture.triangles != look->input.mesh.triangles) mote_texture_free(&look->texture, env);
  for (int k = 0; k < look->input.fields; ++k) {
    const mote_field_view *field = &look->input.field[k];
    if (strcmp(field->name, "colour") == 0 && (field->components == 3 || field->components == 4))
      look->shade = field;
    if (strcmp(field->name, "uv") == 0 && field->components == 2) look->upward = field;
  }
  mote_mesh *mesh = &look->input.mesh;
  for (size_t k = 0; k < 3 * mesh->vertices; ++k) mesh->vertex[k] *= factor;
  for (size_t v = 0; v < mesh->vertices && shape != NULL; ++v)
    mote_shape_mesh_point(shape, mesh->vertex + 3 * v, mesh->vertex + 3 * v);
  return MOTE_OK;
}

void fragment_look_close(fragment_look *look) {
  mote_surface_free(&look->input, &look->env);
  mote_texture_free(&look->texture, &look->env);
  free(look->uv), free(look->colour);
  *look = (fragment_look){0};
}

// Of a corner of a triangle: to the right, or down.
static float coordinate_of(const fragment_look *look, uint32_t t, int corner, int axis) {
  APP_ASSERT(t < look->input.mesh.triangles);
  APP_ASSERT(corner >= 0 && corner < 3 && (axis == 0 || axis == 1));
  if (look->texture.triangles > 0) return look->texture.uv[6 * (size_t)t + (size_t)(2 * corner + axis)];
  uint32_t v = look->input.mesh.triangle[3 * (size_t)t + (size_t)corner];
  double value = mote_field_value(look->upward, v, axis);
  return (float)(axis == 0 ? value : 1.0 - value);
}

static void set_colour(const fragment_look *look, uint32_t t, const double share[3], uint8_t out[4]) {
  APP_ASSERT(look->shade != NULL && t < look->input.mesh.triangles);
  const uint32_t *corner = look->input.mesh.triangle + 3 * (size_t)t;
  double full = look->shade->type == MOTE_TYPE_U8 ? 1.0 : 255.0;
  for (int c = 0; c < 4; ++c) {
    double sum = c < look->shade->components ? 0.0 : 255.0;
    for (int k = 0; k < 3 && c < look->shade->components; ++k)
      sum += full * share[k] * mote_field_value(look->shade, corner[k], c);
    out[c] = (uint8_t)(fmin(fmax(sum, 0.0), 255.0) + 0.5);
  }
}

mote_result fragment_look_apply(fragment_look *look, const double *rest, mote_fragments_view *view,
                                mote_error *error) {
  size_t n = view->mesh.vertices;
  bool has_uv = look->texture.triangles > 0 || look->upward != NULL;
  if (look->shade == NULL && !has_uv) return MOTE_OK;
  uint32_t *triangle = input_take(n, sizeof *triangle);
  double *share = input_take(3 * n, sizeof *share);
  free(look->uv), free(look->colour);
  look->uv = has_uv ? input_take(2 * n, sizeof *look->uv) : NULL;
  look->colour = look->shade != NULL ? input_take(4 * n, 1) : NULL;
  mote_result result = mote_mesh_nearest(&look->input.mesh, rest, n, &look->env, triangle, share, error);
  for (size_t v = 0; v < n && result == MOTE_OK; ++v) {
    const double *part = share + 3 * v;
    for (int k = 0; k < 6 && look->uv != NULL; ++k)
      look->uv[2 * v + (size_t)k % 2] += (float)part[k / 2] * coordinate_of(look, triangle[v], k / 2, k % 2);
    if (look->colour != NULL) set_colour(look, triangle[v], part, look->colour + 4 * v);
  }
  free(triangle), free(share);
  if (result == MOTE_OK) view->uv = look->uv, view->colour = look->colour;
  return result;
}

// Texture coordinates for a length on the surface, in the mean of the mesh's sides.
static double coordinates_per_length(const fragment_look *look) {
  const mote_mesh *mesh = &look->input.mesh;
  double coordinates = 0.0, lengths = 0.0;
  for (size_t k = 0; k < 3 * mesh->triangles; ++k) {
    uint32_t t = (uint32_t)(k / 3);
    int from = (int)(k % 3), to = (from + 1) % 3;
    const double *a = mesh->vertex + 3 * (size_t)mesh->triangle[k];
    const double *b = mesh->vertex + 3 * (size_t)mesh->triangle[3 * (size_t)t + (size_t)to];
    double u = (double)(coordinate_of(look, t, to, 0) - coordinate_of(look, t, from, 0));
    double v = (double)(coordinate_of(look, t, to, 1) - coordinate_of(look, t, from, 1));
    coordinates += hypot(u, v);
    lengths +=
        sqrt((b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]) + (b[2] - a[2]) * (b[2] - a[2]));
  }
  return lengths > 0.0 ? coordinates / lengths : 0.0;
}

float *fragment_look_values(const fragment_look *look, const mote_fragments_view *view, double slip,
                            size_t *values) {
  size_t n = view->mesh.vertices, count = (view->uv != NULL ? 2 : 0) + (view->colour != NULL ? 4 : 0);
  *values = count;
  if (count == 0) return NULL;
  float *out = input_take(count * n, sizeof *out), *to = out;
  double per_length = view->uv != NULL ? coordinates_per_length(look) : 0.0;
  double scale = per_length > 0.0 ? 1.0 / (per_length * slip) : 0.0;
  for (size_t v = 0; v < n; ++v) {
    for (size_t k = 0; k < 2 && view->uv != NULL; ++k) *to++ = (float)(scale * (double)view->uv[2 * v + k]);
    for (size_t k = 0; k < 4 && view->colour != NULL; ++k)
      *to++ = (float)(view->colour[4 * v + k] / COLOUR_STEPS);
  }
  return out;
}
