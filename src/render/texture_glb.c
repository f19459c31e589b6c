// Textures of GLB files: TEXCOORD_n of each primitive, and the image of its material's base colour, embedded
// as a PNG. https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html, 3.8 and 5.19
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/glb.h"
#include "render/texture_file.h"

typedef struct glb_textures {
  mote_glb *glb;
  mote_texture *out;
  bool one_image;
  mote_json images;  // the file's list
  size_t count;      // of them
  uint32_t *number;  // 1 + the number in `out` of each; 0: not read yet, MOTE_TEXTURE_NONE: cannot be
} glb_textures;

static mote_json item(mote_json list, mote_json index) {
  mote_json none, value;
  uint64_t wanted, k = 0;
  if (!mote_json_count(index, &wanted)) return (mote_json){"", 0};
  for (size_t at = 0; mote_json_next(list, &at, &none, &value); ++k)
    if (k == wanted) return value;
  return (mote_json){"", 0};
}

static uint64_t count_or(mote_json value, uint64_t otherwise) {
  uint64_t count = otherwise;
  return mote_json_count(value, &count) ? count : otherwise;
}

static void warn(const glb_textures *g, size_t image, const char *why) {
  char text[400];
  const mote_file_content *source = g->glb->maker->source;
  if (source->env->log == NULL) return;
  snprintf(text, sizeof text, "%.200s: image %zu %s: left out", source->path, image, why);
  source->env->log(source->env->log_user, MOTE_LOG_WARNING, text);
}

// The bytes of an image within the file's own buffer; empty: elsewhere.
static mote_word image_bytes(const glb_textures *g, mote_json image) {
  uint64_t view_number = count_or(mote_json_get(image, "bufferView"), UINT64_MAX);
  mote_json view = mote_glb_item(&g->glb->view, view_number);
  uint64_t begin = count_or(mote_json_get(view, "byteOffset"), 0),
           length = count_or(mote_json_get(view, "byteLength"), 0);
  mote_word bin = g->glb->bin;
  if (view.size == 0 || count_or(mote_json_get(view, "buffer"), 1) != 0 || begin > bin.size ||
      length > bin.size - begin)
    return (mote_word){"", 0};
  return (mote_word){bin.text + begin, (size_t)length};
}

static mote_result read_image(glb_textures *g, size_t k, mote_json image, mote_error *error) {
  const mote_file_content *source = g->glb->maker->source;
  mote_word bytes = image_bytes(g, image);
  bool png = bytes.size > 8 && memcmp(bytes.text, "\x89PNG", 4) == 0;
  g->number[k] = MOTE_TEXTURE_NONE;
  if (!png) return warn(g, k, bytes.size > 0 ? "is not a PNG" : "is not in the file"), MOTE_OK;
  mote_image *read = NULL;
  mote_result result = mote_image_parse(bytes.text, bytes.size, source->path, source->env, &read, error);
  if (result != MOTE_OK) return result;
  g->out->image[g->out->images++] = read;
  g->number[k] = (uint32_t)g->out->images;
  return MOTE_OK;
}

// The image of a primitive and the number of its coordinate set; MOTE_TEXTURE_NONE: none.
static mote_result find_image(glb_textures *g, mote_json primitive, uint32_t *image, uint64_t *set,
                              mote_error *error) {
  mote_json root = g->glb->root;
  *image = MOTE_TEXTURE_NONE, *set = 0;
  mote_json material = item(mote_json_get(root, "materials"), mote_json_get(primitive, "material"));
  mote_json info = mote_json_get(mote_json_get(material, "pbrMetallicRoughness"), "baseColorTexture");
  *set = count_or(mote_json_get(info, "texCoord"), 0);
  if (g->one_image) return *image = 0, MOTE_OK;
  mote_json texture = item(mote_json_get(root, "textures"), mote_json_get(info, "index"));
  mote_json source = mote_json_get(texture, "source"), entry = item(g->images, source);
  uint64_t k = count_or(source, UINT64_MAX);
  if (entry.size == 0 || k >= g->count) return MOTE_OK;
  if (g->number[k] == 0) MOTE_IO_TRY(read_image(g, (size_t)k, entry, error));
  if (g->number[k] != MOTE_TEXTURE_NONE) *image = g->number[k] - 1;
  return MOTE_OK;
}

static mote_result take_primitive(glb_textures *g, const mote_glb_primitive *p, mote_error *error) {
  uint32_t image;
  uint64_t set;
  char name[32];
  mote_glb_values uv;
  MOTE_IO_TRY(find_image(g, p->primitive, &image, &set, error));
  snprintf(name, sizeof name, "TEXCOORD_%u", (unsigned)(set < 1000 ? set : 1000));
  mote_json index = mote_json_get(mote_json_get(p->primitive, "attributes"), name);
  if (image == MOTE_TEXTURE_NONE || index.size == 0) return MOTE_OK;
  MOTE_IO_TRY(mote_glb_open(g->glb, index, &uv, error));
  if (uv.components != 2 || uv.count != p->vertices)
    return mote_io_fail(error, MOTE_ERROR_FORMAT, g->glb->maker->source->path,
                        "%s is not two numbers for each vertex", name);
  const uint32_t *corner = (const uint32_t *)(const void *)g->glb->maker->triangle.data;
  for (size_t t = p->first_triangle; t < p->first_triangle + p->triangles; ++t) {
    for (size_t c = 0; c < 3; ++c)
      for (int k = 0; k < 2; ++k) {
        double x = mote_glb_value(&uv, corner[3 * t + c] - p->first_vertex, k);
        g->out->uv[6 * t + 2 * c + (size_t)k] = x > -1e6 && x < 1e6 ? (float)x : 0;
      }
    g->out->image_of[t] = image;
  }
  return MOTE_OK;
}

static mote_result take_all(glb_textures *g, mote_error *error) {
  const mote_env *env = g->glb->maker->source->env;
  const mote_glb_primitive *p = (const mote_glb_primitive *)(const void *)g->glb->primitive.data;
  size_t parts = g->glb->primitive.size / sizeof *p;
  if (!mote_texture_grow(g->out, g->glb->maker->triangle.size / (3 * sizeof(uint32_t)), env))
    return mote_io_fail_memory(error);
  for (size_t k = 0; k < parts; ++k) MOTE_IO_TRY(take_primitive(g, p + k, error));
  return MOTE_OK;
}

// Capacity for all images of the file; unused ones are not read.
static mote_result take_images(glb_textures *g, mote_error *error) {
  const mote_env *env = g->glb->maker->source->env;
  mote_json none, value;
  g->images = mote_json_get(g->glb->root, "images");
  for (size_t at = 0; mote_json_next(g->images, &at, &none, &value);) ++g->count;
  mote_image **images = mote_io_new(env, (g->count + 1) * sizeof *images);
  g->number = mote_io_new(env, (g->count + 1) * sizeof *g->number);
  mote_result result = images == NULL || g->number == NULL ? mote_io_fail_memory(error) : MOTE_OK;
  g->out->image = images;
  if (result == MOTE_OK) result = take_all(g, error);
  size_t read = g->out->images;
  mote_image **kept = read > 0 ? mote_io_new(env, read * sizeof *kept) : NULL;
  if (kept != NULL) memcpy(kept, images, read * sizeof *kept);
  if (read > 0 && kept == NULL) {
    for (size_t k = 0; k < read; ++k) mote_image_destroy(images[k]);
    g->out->images = 0;
    if (result == MOTE_OK) result = mote_io_fail_memory(error);
  }
  g->out->image = kept;
  if (images != NULL) mote_io_delete(env, images, (g->count + 1) * sizeof *images);
  if (g->number != NULL) mote_io_delete(env, g->number, (g->count + 1) * sizeof *g->number);
  return result;
}

mote_result mote_texture_parse_glb(const mote_file_content *source, bool one_image, mote_texture *out,
                                   mote_error *error) {
  mote_mesh_maker maker = {
      source, mote_buffer_make(source->env), mote_buffer_make(source->env), {.stamp.time = (double)NAN}};
  mote_glb glb = mote_glb_make(&maker);
  glb_textures g = {.glb = &glb, .out = out, .one_image = one_image};
  glb.share_vertices = true;  // as in the mesh reader
  mote_result result = mote_glb_load(&glb, error);
  if (result == MOTE_OK) result = take_images(&g, error);
  mote_glb_free(&glb);
  mote_mesh_maker_free(&maker);
  return result;
}
