// Fuzzes the reader of environments (Radiance .hdr).
#include <stdlib.h>

#include "render/environment.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  mote_env env = mote_env_default();
  mote_environment found = {0};
  mote_error error = {0};
  mote_file_content source = {data, size, "a.hdr", &env};
  if (mote_environment_parse(&source, &found, &error) != MOTE_OK) {
    if (found.light != NULL || error.code == MOTE_OK || error.text[0] == 0) abort();
    return 0;
  }
  if (found.width < 1 || found.width != 2 * found.height) abort();
  // Every value is touched, so that a sanitizer sees what was not read.
  for (size_t k = 0; k < 3 * (size_t)found.width * (size_t)found.height; ++k)
    if (!(found.light[k] >= 0 && found.light[k] <= 1e12F)) abort();
  mote_environment_free(&found, &env);
  return 0;
}
