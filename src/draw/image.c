// Images in memory: pixels and texts. Files are in image_png.c.
#include "draw/image.h"

#include <string.h>

size_t mote_image_bytes(const mote_image *image) {
  return (size_t)image->width * (size_t)image->height * 4;
}

mote_result mote_image_create(int width, int height, const mote_env *env, mote_image **out,
                              mote_error *error) {
  if (out == NULL) return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "out is null");
  if (width < 1 || height < 1 || width > MOTE_IMAGE_SIDE_MAX || height > MOTE_IMAGE_SIDE_MAX ||
      (int64_t)width * height > MOTE_IMAGE_PIXELS_MAX)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL,
                        "an image of %d x %d pixels: sides may be 1 to %d, and %d pixels in all", width,
                        height, MOTE_IMAGE_SIDE_MAX, MOTE_IMAGE_PIXELS_MAX);
  mote_env own = mote_io_env(env);
  mote_image *image = mote_io_new(&own, sizeof *image);
  if (image == NULL) return mote_io_fail_memory(error);
  *image = (mote_image){.env = own, .width = width, .height = height, .text = mote_buffer_make(&own)};
  image->pixel = mote_io_new(&own, mote_image_bytes(image));
  if (image->pixel == NULL) {
    mote_image_destroy(image);
    return mote_io_fail_memory(error);
  }
  *out = image;
  return MOTE_OK;
}

void mote_image_destroy(mote_image *image) {
  if (image == NULL) return;
  mote_env env = image->env;
  mote_io_delete(&env, image->pixel, mote_image_bytes(image));
  mote_buffer_free(&image->text);
  mote_io_delete(&env, image, sizeof *image);
}

int mote_image_width(const mote_image *image) {
  return image->width;
}

int mote_image_height(const mote_image *image) {
  return image->height;
}

uint8_t *mote_image_pixels(mote_image *image) {
  return image->pixel;
}

static uint8_t *pixel_at(const mote_image *image, int x, int y) {
  bool inside = x >= 0 && y >= 0 && x < image->width && y < image->height;
  return inside ? image->pixel + 4 * ((size_t)y * (size_t)image->width + (size_t)x) : NULL;
}

mote_colour mote_image_get(const mote_image *image, int x, int y) {
  const uint8_t *p = pixel_at(image, x, y);
  return p != NULL ? (mote_colour){p[0], p[1], p[2], p[3]} : (mote_colour){0, 0, 0, 0};
}

void mote_image_set(mote_image *image, int x, int y, mote_colour colour) {
  uint8_t *p = pixel_at(image, x, y);
  if (p != NULL) memcpy(p, &colour, 4);
}

void mote_image_fill(mote_image *image, mote_colour colour) {
  size_t bytes = mote_image_bytes(image);
  for (size_t k = 0; k < bytes; k += 4) memcpy(image->pixel + k, &colour, 4);
}

bool mote_image_next_text(const mote_image *image, size_t *at, const char **key, const char **value) {
  if (*at >= image->text.size) return false;
  *key = (const char *)image->text.data + *at;
  *value = *key + strlen(*key) + 1;
  *at += strlen(*key) + strlen(*value) + 2;
  return true;
}

const char *mote_image_text(const mote_image *image, const char *key) {
  const char *name, *value;
  for (size_t at = 0; key != NULL && mote_image_next_text(image, &at, &name, &value);)
    if (strcmp(name, key) == 0) return value;
  return NULL;
}

static bool is_key(const char *key) {
  size_t size = strlen(key);
  bool good = size >= 1 && size <= 79 && key[0] != ' ' && key[size - 1] != ' ';
  for (size_t k = 0; k < size; ++k) good = good && key[k] >= 32 && key[k] <= 126;
  return good;
}

mote_result mote_image_set_text(mote_image *image, const char *key, const char *value, mote_error *error) {
  if (image == NULL) return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "the image is null");
  if (key == NULL || value == NULL || !is_key(key))
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL,
                        "a text in an image needs a key of 1 to 79 printable ASCII characters and a value");
  mote_buffer text = mote_buffer_make(&image->env);
  const char *name, *old;
  for (size_t at = 0; mote_image_next_text(image, &at, &name, &old);) {
    if (strcmp(name, key) == 0) continue;
    mote_buffer_add(&text, name, strlen(name) + 1);
    mote_buffer_add(&text, old, strlen(old) + 1);
  }
  mote_buffer_add(&text, key, strlen(key) + 1);
  mote_buffer_add(&text, value, strlen(value) + 1);
  if (text.failed) {
    mote_buffer_free(&text);
    return mote_io_fail_memory(error);
  }
  mote_buffer_free(&image->text);
  image->text = text;
  return MOTE_OK;
}
