// Stands in for libFuzzer's main: gives each file named on the command line to the fuzz target once.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __SANITIZE_ADDRESS__
#include "test_leaks.h"
#else
static void test_begin(void) {
}

static size_t test_leaked(void) {
  return 0;
}
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay(const char *name) {
  FILE *file = fopen(name, "rb");
  if (file == NULL) return fprintf(stderr, "%s cannot be opened\n", name), 1;
  uint8_t *data = NULL;
  size_t size = 0, got;
  do {
    uint8_t *grown = realloc(data, size + 65536);
    if (grown == NULL) abort();
    data = grown;
    got = fread(data + size, 1, 65536, file);
    size += got;
  } while (got > 0);
  fclose(file);
  uint8_t *exact = malloc(size + (size == 0));  // so that a sanitizer sees the end
  if (exact == NULL) abort();
  for (size_t k = 0; k < size; ++k) exact[k] = data[k];
  free(data);
  LLVMFuzzerTestOneInput(exact, size);
  free(exact);
  return 0;
}

int main(int argc, char **argv) {
  int failures = argc < 2;
  test_begin();
  for (int k = 1; k < argc; ++k) failures += replay(argv[k]);
  size_t leaked = test_leaked();
  if (leaked != 0 && ++failures > 0) fprintf(stderr, "%zu bytes are not given back\n", leaked);
  printf("%d files\n", argc - 1);
  return failures != 0;
}
