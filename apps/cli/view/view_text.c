// Text that grows: see view_text.h.
#include "cli/view/view_text.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/cli.h"

void view_add_bytes(view_text *out, const void *bytes, size_t size) {
  if (out->size + size + 1 > out->capacity) {
    out->capacity = 2 * (out->size + size) + 256;
    out->data = realloc(out->data, out->capacity);
    if (out->data == NULL) complain("out of memory"), exit(EXIT_FAILED);
  }
  if (size > 0) memcpy(out->data + out->size, bytes, size);
  out->size += size;
  out->data[out->size] = '\0';
}

void view_add_text(view_text *out, const char *words) {
  view_add_bytes(out, words, strlen(words));
}

void view_add_number(view_text *out, double x) {
  char number[40];
  snprintf(number, sizeof number, isfinite(x) ? "%.9g" : "null", x);
  view_add_text(out, number);
}

void view_add_key(view_text *out, const char *key) {
  view_add_text(out, ",\"");
  view_add_text(out, key);
  view_add_text(out, "\":");
}

void view_add_numbers(view_text *out, const char *key, const double *x, size_t count) {
  view_add_key(out, key);
  for (size_t k = 0; k < count; ++k) {
    view_add_text(out, k > 0 ? "," : "[");
    view_add_number(out, x[k]);
  }
  view_add_text(out, count > 0 ? "]" : "[]");
}

// "<" could end the element of the page.
static void add_escaped(view_text *out, const char *words, size_t size) {
  char code[8];
  for (size_t k = 0; k < size; ++k) {
    unsigned char c = (unsigned char)words[k];
    bool plain = c >= 32 && c != '"' && c != '\\' && c != '<';
    if (!plain) snprintf(code, sizeof code, "\\u%04x", c);
    view_add_bytes(out, plain ? words + k : code, plain ? 1 : 6);
  }
}

void view_add_quoted(view_text *out, const char *words, size_t size) {
  view_add_text(out, "\"");
  add_escaped(out, words, size);
  view_add_text(out, "\"");
}

void view_add_base64(view_text *out, const void *bytes, size_t size) {
  static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const uint8_t *in = bytes;
  for (size_t k = 0; k < size; k += 3) {
    uint32_t three = (uint32_t)in[k] << 16;
    if (k + 1 < size) three |= (uint32_t)in[k + 1] << 8;
    if (k + 2 < size) three |= in[k + 2];
    const char four[4] = {digit[three >> 18], digit[three >> 12 & 63],
                          k + 1 < size ? digit[three >> 6 & 63] : '=',
                          k + 2 < size ? digit[three & 63] : '='};
    view_add_bytes(out, four, 4);
  }
}

void view_add_file(view_text *out, const char *path) {
  char bytes[4096];
  FILE *file = fopen(path, "rb");
  view_add_text(out, "\"");
  for (size_t got; file != NULL && (got = fread(bytes, 1, sizeof bytes, file)) > 0;)
    add_escaped(out, bytes, got);
  view_add_text(out, "\"");
  if (file != NULL) fclose(file);
}
