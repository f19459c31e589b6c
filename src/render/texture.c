// Textures of meshes: images, and texture coordinates of the corners of triangles. docs/theory/rendering.md
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/io_base.h"
#include "render/texture_file.h"

bool mote_texture_grow(mote_texture *texture, size_t triangles, const mote_env *env) {
  texture->uv = mote_io_new(env, 6 * triangles * sizeof *texture->uv);
  texture->image_of = mote_io_new(env, triangles * sizeof *texture->image_of);
  texture->triangles = triangles;
  if (texture->uv == NULL || texture->image_of == NULL) return false;
  memset(texture->image_of, 0xff, triangles * sizeof *texture->image_of);
  return true;
}

void mote_texture_free(mote_texture *texture, const mote_env *env) {
  mote_env own = mote_io_env(env);
  if (texture->uv != NULL) mote_io_delete(&own, texture->uv, 6 * texture->triangles * sizeof *texture->uv);
  if (texture->image_of != NULL)
    mote_io_delete(&own, texture->image_of, texture->triangles * sizeof *texture->image_of);
  for (size_t k = 0; k < texture->images; ++k) mote_image_destroy(texture->image[k]);
  if (texture->image != NULL) mote_io_delete(&own, texture->image, texture->images * sizeof(mote_image *));
  *texture = (mote_texture){0};
}

// Triangles without coordinates are marked MOTE_TEXTURE_NONE already.
static mote_result put_one_image(mote_texture *texture, const char *image, const mote_env *env,
                                 mote_error *error) {
  texture->image = mote_io_new(env, sizeof(mote_image *));
  if (texture->image == NULL) return mote_io_fail_memory(error);
  texture->images = 1;
  return mote_image_read(image, env, &texture->image[0], error);
}

static bool is_kind(const char *path, const char *ending) {
  char packed[8];
  snprintf(packed, sizeof packed, "%s.gz", ending);
  return mote_io_ends(path, ending) || mote_io_ends(path, packed);
}

static mote_result parse(const mote_file_content *source, const char *image, mote_texture *out,
                         mote_error *error) {
  bool glb = is_kind(source->path, ".glb"), any = false;
  if (!glb && !is_kind(source->path, ".obj"))
    return mote_io_fail(error, MOTE_ERROR_FORMAT, source->path,
                        "texture coordinates are read from obj and glb");
  MOTE_IO_TRY(glb ? mote_texture_parse_glb(source, image != NULL, out, error)
                  : mote_texture_parse_obj(source, out, error));
  for (size_t k = 0; k < out->triangles && !any; ++k) any = out->image_of[k] != MOTE_TEXTURE_NONE;
  if (image == NULL) return MOTE_OK;
  if (!any)
    return mote_io_fail(error, MOTE_ERROR_FORMAT, source->path, "no texture coordinates in it (%s)",
                        glb ? "TEXCOORD_0" : "lines vt, and corners v/vt");
  return put_one_image(out, image, source->env, error);
}

mote_result mote_texture_read(const char *path, const char *image, const mote_env *env, mote_texture *out,
                              mote_error *error) {
  if (path == NULL || out == NULL)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "path or out is null");
  mote_env own = mote_io_env(env);
  mote_buffer bytes;
  MOTE_IO_TRY(mote_file_in_load(path, &own, &bytes, error));
  mote_file_content source = {bytes.data, bytes.size, path, &own};
  mote_texture texture = {0};
  mote_result result = parse(&source, image, &texture, error);
  mote_buffer_free(&bytes);
  // Coordinates without an image have no effect.
  if (result != MOTE_OK || texture.images == 0) mote_texture_free(&texture, &own);
  if (result == MOTE_OK) *out = texture;
  return result;
}

mote_result mote_texture_read_uv(const char *path, const mote_env *env, mote_texture *out,
                                 mote_error *error) {
  if (path == NULL || out == NULL)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "path or out is null");
  *out = (mote_texture){0};
  bool glb = is_kind(path, ".glb");
  if (!glb && !is_kind(path, ".obj")) return MOTE_OK;
  mote_env own = mote_io_env(env);
  mote_buffer bytes;
  MOTE_IO_TRY(mote_file_in_load(path, &own, &bytes, error));
  mote_file_content source = {bytes.data, bytes.size, path, &own};
  mote_result result =
      glb ? mote_texture_parse_glb(&source, true, out, error) : mote_texture_parse_obj(&source, out, error);
  mote_buffer_free(&bytes);
  if (result != MOTE_OK) mote_texture_free(out, &own);
  return result;
}

// --- Colours -------------------------------------------------------------------------------------------

// A whole number from 0 to count - 1: images are repeated.
static int wrapped(float x, int count) {
  float period = x - (float)count * floorf(x / (float)count);
  int k = (int)period;
  return k >= 0 && k < count ? k : 0;
}

static mote_vec texel(const mote_image *image, const float linear[256], int x, int y) {
  const uint8_t *p = image->pixel + 4 * ((size_t)y * (size_t)image->width + (size_t)x);
  return vec(linear[p[0]], linear[p[1]], linear[p[2]]);
}

// Bilinear in linear light: pixel centres lie at half numbers.
static mote_vec image_colour(const mote_image *image, const float linear[256], float u, float v) {
  float x = u * (float)image->width - 0.5F, y = v * (float)image->height - 0.5F;
  float left = floorf(x), top = floorf(y), right_part = x - left, lower_part = y - top;
  int x0 = wrapped(left, image->width), x1 = wrapped(left + 1, image->width);
  int y0 = wrapped(top, image->height), y1 = wrapped(top + 1, image->height);
  mote_vec upper = vec_lerp(texel(image, linear, x0, y0), texel(image, linear, x1, y0), right_part);
  mote_vec lower = vec_lerp(texel(image, linear, x0, y1), texel(image, linear, x1, y1), right_part);
  return vec_lerp(upper, lower, lower_part);
}

bool mote_texture_colour(const mote_texture *texture, const float linear[256], size_t triangle, float u,
                         float v, mote_vec *out) {
  uint32_t image = texture->image_of[triangle];
  if (image == MOTE_TEXTURE_NONE) return false;
  const float *uv = texture->uv + 6 * triangle, part[3] = {1 - u - v, u, v};
  float at[2] = {0, 0};
  for (int c = 0; c < 3; ++c)
    for (int k = 0; k < 2; ++k) at[k] += part[c] * uv[2 * c + k];
  *out = image_colour(texture->image[image], linear, at[0], at[1]);
  return true;
}
