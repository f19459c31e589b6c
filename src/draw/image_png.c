// PNG by libpng: encoding into memory, writing, reading. libpng reports failures by longjmp; the jumps stay
// within encode_rows and decode_rows, which own nothing.
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include "draw/image.h"
#include "io/io_base.h"

// The failure, for the caller of the jump.
typedef struct png_trouble {
  char text[256];
} png_trouble;

static void keep_message(png_structp png, png_const_charp message) {
  png_trouble *trouble = png_get_error_ptr(png);
  snprintf(trouble->text, sizeof trouble->text, "%s", message);
  longjmp(png_jmpbuf(png), 1);
}

static void ignore_message(png_structp png, png_const_charp message) {
  (void)png, (void)message;
}

static void append_bytes(png_structp png, png_bytep bytes, size_t size) {
  mote_buffer *out = png_get_io_ptr(png);
  mote_buffer_add(out, bytes, size);
  if (out->failed) png_error(png, "out of memory");
}

static bool is_opaque(const mote_image *image) {
  size_t bytes = mote_image_bytes(image);
  for (size_t k = 3; k < bytes; k += 4)
    if (image->pixel[k] != 255) return false;
  return true;
}

static void set_text(png_structp png, png_infop info, const char *key, const char *value) {
  png_text text = {.compression = PNG_ITXT_COMPRESSION_NONE};
  char name[80], *words = png_malloc(png, strlen(value) + 1);
  snprintf(name, sizeof name, "%s", key);
  memcpy(words, value, strlen(value) + 1);
  text.key = name;
  text.text = words;
  png_set_text(png, info, &text, 1);
  png_free(png, words);
}

static bool encode_rows(png_structp png, png_infop info, const mote_image *image, bool opaque) {
  if (setjmp(png_jmpbuf(png))) return false;
  png_set_IHDR(png, info, (png_uint_32)image->width, (png_uint_32)image->height, 8,
               opaque ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_RGBA, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  const char *key, *value;
  for (size_t at = 0; mote_image_next_text(image, &at, &key, &value);) set_text(png, info, key, value);
  if (mote_image_text(image, "Software") == NULL) {
    char software[32];
    snprintf(software, sizeof software, "Mote %s", mote_version());
    set_text(png, info, "Software", software);
  }
  png_set_filter(png, 0, PNG_FILTER_NONE);  // plots: smaller than with filters, and three times as fast
  png_write_info(png, info);
  if (opaque) png_set_filler(png, 0, PNG_FILLER_AFTER);
  for (int y = 0; y < image->height; ++y)
    png_write_row(png, image->pixel + 4 * (size_t)y * (size_t)image->width);
  png_write_end(png, info);
  return true;
}

mote_result mote_png_encode(const mote_image *image, mote_buffer *out, mote_error *error) {
  png_trouble trouble = {"out of memory"};
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &trouble, keep_message, ignore_message);
  png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
  bool good = info != NULL;
  if (good) {
    png_set_write_fn(png, out, append_bytes, NULL);
    good = encode_rows(png, info, image, is_opaque(image));
  }
  png_destroy_write_struct(&png, &info);
  if (good) return MOTE_OK;
  return out->failed || info == NULL ? mote_io_fail_memory(error)
                                     : mote_io_fail(error, MOTE_ERROR_FORMAT, NULL, "%s", trouble.text);
}

mote_result mote_image_write(const mote_image *image, const char *path, mote_error *error) {
  if (image == NULL) return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "the image is null");
  mote_buffer file = mote_buffer_make(&image->env);
  mote_result result = mote_png_encode(image, &file, error);
  if (result == MOTE_OK) result = mote_file_write(path, file.data, file.size, error);
  mote_buffer_free(&file);
  return result;
}

// A PNG file in memory and the position of reading.
typedef struct png_source {
  const uint8_t *data;
  size_t size, at;
} png_source;

static void take_bytes(png_structp png, png_bytep bytes, size_t size) {
  png_source *source = png_get_io_ptr(png);
  if (source->size - source->at < size) png_error(png, "cut short");
  memcpy(bytes, source->data + source->at, size);
  source->at += size;
}

// Whether all chunks lie within the file. libpng would allocate the size that a chunk claims.
static bool chunks_fit(const png_source *source) {
  for (size_t at = 8; at < source->size;) {
    const uint8_t *head = source->data + at;
    if (source->size - at < 12) return false;
    size_t length = (size_t)head[0] << 24 | (size_t)head[1] << 16 | (size_t)head[2] << 8 | head[3];
    if (source->size - at - 12 < length) return false;
    if (memcmp(head + 4, "IEND", 4) == 0) return true;
    at += 12 + length;
  }
  return false;
}

// zlib makes at most so many bytes of one.
#define MOST_PACKED 1032

// Reads the header and requests 8-bit RGBA rows. Files too short for their pixels allocate no memory.
static bool decode_header(png_structp png, png_infop info, png_source *source) {
  if (setjmp(png_jmpbuf(png))) return false;
  png_set_read_fn(png, source, take_bytes);
  png_set_user_limits(png, MOTE_IMAGE_SIDE_MAX, MOTE_IMAGE_SIDE_MAX);
  png_set_chunk_cache_max(png, 100);
  png_set_chunk_malloc_max(png, 1 << 24);
  if (png_sig_cmp(source->data, 0, source->size < 8 ? source->size : 8) == 0 && !chunks_fit(source))
    png_error(png, "cut short");
  png_read_info(png, info);
  if (png_get_rowbytes(png, info) / MOST_PACKED > source->size / png_get_image_height(png, info))
    png_error(png, "cut short");
  png_set_expand(png);
  png_set_scale_16(png);
  png_set_gray_to_rgb(png);
  png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
  png_read_update_info(png, info);
  return true;
}

static bool decode_rows(png_structp png, png_infop info, mote_image *image, png_bytepp rows) {
  if (setjmp(png_jmpbuf(png))) return false;
  for (int y = 0; y < image->height; ++y) rows[y] = image->pixel + 4 * (size_t)y * (size_t)image->width;
  png_read_image(png, rows);
  png_read_end(png, info);
  return true;
}

static mote_result keep_texts(png_structp png, png_infop info, mote_image *image, mote_error *error) {
  png_textp text = NULL;
  int count = 0;
  mote_result result = MOTE_OK;
  png_get_text(png, info, &text, &count);
  for (int k = 0; k < count && result != MOTE_ERROR_MEMORY; ++k)
    result = mote_image_set_text(image, text[k].key, text[k].text != NULL ? text[k].text : "", error);
  return result == MOTE_ERROR_MEMORY ? result : MOTE_OK;  // a key out of order is not worth a failure
}

static mote_result decode(png_structp png, png_infop info, png_source *source, const char *path,
                          const mote_env *env, mote_image **out, mote_error *error) {
  const png_trouble *trouble = png_get_error_ptr(png);
  mote_image *image = NULL;
  if (!decode_header(png, info, source))
    return mote_io_fail(error, MOTE_ERROR_FORMAT, path, "not a readable PNG: %s", trouble->text);
  mote_result result = mote_image_create((int)png_get_image_width(png, info),
                                         (int)png_get_image_height(png, info), env, &image, error);
  if (result == MOTE_ERROR_ARGUMENT)
    return mote_io_fail(error, MOTE_ERROR_FORMAT, path, "more than %d pixels", MOTE_IMAGE_PIXELS_MAX);
  if (result != MOTE_OK) return result;
  mote_env own = image->env;
  size_t bytes = (size_t)image->height * sizeof(png_bytep);
  png_bytepp rows = mote_io_new(&own, bytes);
  if (rows == NULL)
    result = mote_io_fail_memory(error);
  else if (!decode_rows(png, info, image, rows))
    result = mote_io_fail(error, MOTE_ERROR_FORMAT, path, "not a readable PNG: %s", trouble->text);
  else
    result = keep_texts(png, info, image, error);
  mote_io_delete(&own, rows, bytes);
  if (result == MOTE_OK)
    *out = image;
  else
    mote_image_destroy(image);
  return result;
}

mote_result mote_image_parse(const void *data, size_t size, const char *path, const mote_env *env,
                             mote_image **out, mote_error *error) {
  png_source source = {data, size, 0};
  png_trouble trouble = {""};
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &trouble, keep_message, ignore_message);
  png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
  mote_result result =
      info != NULL ? decode(png, info, &source, path, env, out, error) : mote_io_fail_memory(error);
  png_destroy_read_struct(&png, &info, NULL);
  return result;
}

mote_result mote_image_read(const char *path, const mote_env *env, mote_image **out, mote_error *error) {
  if (path == NULL || out == NULL)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "path or out is null");
  mote_env own = mote_io_env(env);
  mote_buffer file;
  MOTE_IO_TRY(mote_file_in_load(path, &own, &file, error));
  mote_result result = mote_image_parse(file.data, file.size, path, env, out, error);
  mote_buffer_free(&file);
  return result;
}
