// Fuzzes the reader of pictures (PNG).
#include <stdlib.h>
#include <string.h>

#include "draw/image.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  mote_env env = mote_env_default();
  mote_image *image = NULL;
  mote_error error = {0};
  if (mote_image_parse(data, size, "a.png", &env, &image, &error) != MOTE_OK) {
    if (image != NULL || error.code == MOTE_OK || error.text[0] == 0) abort();
    return 0;
  }
  // Every pixel and text is touched, so that a sanitizer sees what was not read.
  volatile uint64_t sum = 0;
  size_t bytes = mote_image_bytes(image);
  for (size_t b = 0; b < bytes; ++b) sum = sum * 31 + image->pixel[b];
  const char *key, *value;
  for (size_t at = 0; mote_image_next_text(image, &at, &key, &value);) sum += strlen(key) + strlen(value);
  if (image->width < 1 || image->height < 1) abort();
  mote_image_destroy(image);
  return 0;
}
