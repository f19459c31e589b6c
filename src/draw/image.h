// Internal representation of an image, and PNG in memory.
#ifndef MOTE_IMAGE_H
#define MOTE_IMAGE_H

#include "draw/draw_base.h"

struct mote_image {
  mote_env env;
  int width, height;
  uint8_t *pixel;    // 4 bytes each
  mote_buffer text;  // key, 0, value, 0, key, 0, ...
};

// Bytes of `pixel`.
size_t mote_image_bytes(const mote_image *image);

// Walks the texts: *at from 0; false behind the last.
bool mote_image_next_text(const mote_image *image, size_t *at, const char **key, const char **value);

// The image of a PNG file in memory; `path` for messages.
mote_result mote_image_parse(const void *data, size_t size, const char *path, const mote_env *env,
                             mote_image **out, mote_error *error);
// Appends the image as a PNG file.
mote_result mote_png_encode(const mote_image *image, mote_buffer *out, mote_error *error);

#endif
