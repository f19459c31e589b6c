// Texture coordinates of OBJ files: lines vt and the second numbers of corners v/vt or v/vt/vn. Triangles are
// those of the mesh reader (src/io/obj.c): a fan about the first corner of each face.
#include <mote/text.h>
#include <string.h>

#include "render/texture_file.h"

typedef struct obj_coordinates {
  mote_scan scan;
  mote_buffer coordinate;  // of vt, 2 floats each; v upwards
  mote_buffer corner;      // of the face at hand: 1 + the number of its vt; 0: none
  mote_buffer triangle;    // three corners each
  uint32_t highest;        // highest vt used, and its line
  mote_scan highest_at;
  mote_word highest_word;
} obj_coordinates;

static mote_result read_coordinate(obj_coordinates *obj, mote_error *error) {
  float uv[2] = {0, 0};
  for (int c = 0; c < 2; ++c) {
    mote_word word = mote_scan_word(&obj->scan);
    if (c == 1 && word.size == 0) break;  // of a 1D texture
    if (mote_raw_parse(MOTE_TYPE_F32, word.text, word.size, &uv[c]) != word.size || word.size == 0)
      return mote_scan_fail_at(&obj->scan, word, error, "a texture coordinate needs two numbers");
    if (!(uv[c] > -1e6F && uv[c] < 1e6F))
      return mote_scan_fail_at(&obj->scan, word, error, "a texture coordinate is from -1e6 to 1e6");
  }
  mote_buffer_add(&obj->coordinate, uv, sizeof uv);
  return MOTE_OK;
}

static mote_result read_corner(obj_coordinates *obj, mote_word word, mote_error *error) {
  long long number = 0, count = (long long)(obj->coordinate.size / (2 * sizeof(float)));
  const char *slash = memchr(word.text, '/', word.size);
  uint32_t corner = 0;
  if (slash != NULL) {
    size_t left = word.size - (size_t)(slash + 1 - word.text);
    if (mote_text_read_integer(slash + 1, left, &number).length == 0) number = 0;
    if (number < 0) number += count + 1;
    if (number < 0 || number > UINT32_MAX || (number == 0 && slash[1] == '-'))
      return mote_scan_fail_at(&obj->scan, word, error, "there is no such texture coordinate: %lld before",
                               count);
    corner = (uint32_t)number;
  }
  if (corner > obj->highest) obj->highest = corner, obj->highest_at = obj->scan, obj->highest_word = word;
  mote_buffer_add(&obj->corner, &corner, sizeof corner);
  return MOTE_OK;
}

static mote_result read_face(obj_coordinates *obj, mote_error *error) {
  obj->corner.size = 0;
  for (mote_word word = mote_obj_corner(&obj->scan); word.size > 0; word = mote_obj_corner(&obj->scan))
    MOTE_IO_TRY(read_corner(obj, word, error));
  if (obj->corner.failed) return mote_io_fail_memory(error);
  const uint32_t *corner = (const uint32_t *)(const void *)obj->corner.data;
  for (size_t k = 2; k < obj->corner.size / sizeof *corner; ++k) {
    uint32_t fan[3] = {corner[0], corner[k - 1], corner[k]};
    mote_buffer_add(&obj->triangle, fan, sizeof fan);
  }
  return MOTE_OK;
}

static mote_result read_lines(obj_coordinates *obj, mote_error *error) {
  while (!mote_scan_ended(&obj->scan)) {
    mote_word key = mote_scan_word(&obj->scan);
    if (mote_word_is(key, "vt")) MOTE_IO_TRY(read_coordinate(obj, error));
    if (mote_word_is(key, "f")) MOTE_IO_TRY(read_face(obj, error));
    mote_scan_line(&obj->scan);
  }
  if (obj->coordinate.failed || obj->triangle.failed) return mote_io_fail_memory(error);
  size_t count = obj->coordinate.size / (2 * sizeof(float));
  if (obj->highest > count)
    return mote_scan_fail_at(&obj->highest_at, obj->highest_word, error,
                             "there is no texture coordinate %u: the file has %zu", obj->highest, count);
  return MOTE_OK;
}

// v runs down from the upper edge of an image.
static mote_result finish(const obj_coordinates *obj, const mote_env *env, mote_texture *out,
                          mote_error *error) {
  const uint32_t *corner = (const uint32_t *)(const void *)obj->triangle.data;
  const float *coordinate = (const float *)(const void *)obj->coordinate.data;
  size_t triangles = obj->triangle.size / (3 * sizeof *corner);
  if (!mote_texture_grow(out, triangles, env)) return mote_io_fail_memory(error);
  for (size_t t = 0; t < triangles; ++t) {
    bool all = true;
    for (size_t c = 0; c < 3; ++c) {
      uint32_t number = corner[3 * t + c];
      all = all && number > 0;
      if (number == 0) continue;
      out->uv[6 * t + 2 * c] = coordinate[2 * (size_t)(number - 1)];
      out->uv[6 * t + 2 * c + 1] = 1 - coordinate[2 * (size_t)(number - 1) + 1];
    }
    if (all) out->image_of[t] = 0;
  }
  return MOTE_OK;
}

mote_result mote_texture_parse_obj(const mote_file_content *source, mote_texture *out, mote_error *error) {
  obj_coordinates obj = {.scan = mote_scan_make(source->data, source->size, source->path),
                         .coordinate = mote_buffer_make(source->env),
                         .corner = mote_buffer_make(source->env),
                         .triangle = mote_buffer_make(source->env)};
  mote_result result = read_lines(&obj, error);
  if (result == MOTE_OK) result = finish(&obj, source->env, out, error);
  mote_buffer_free(&obj.coordinate);
  mote_buffer_free(&obj.corner);
  mote_buffer_free(&obj.triangle);
  return result;
}
