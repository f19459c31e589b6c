// One JSON object on one line: see json_line.h.
#include "cli/base/json_line.h"

#include <inttypes.h>
#include <math.h>
#include <mote/text.h>
#include <stdio.h>
#include <string.h>

#include "cli/base/app_assert.h"

static void put(json_line *line, const char *text) {
  size_t size = strlen(text);
  if (line->length + size + 4 > sizeof line->text) return;
  memcpy(line->text + line->length, text, size + 1);
  line->length += size;
}

static void put_quoted(json_line *line, const char *text) {
  put(line, "\"");
  for (; *text != '\0'; ++text) {
    char piece[8];
    if (*text == '"' || *text == '\\') {
      snprintf(piece, sizeof piece, "\\%c", *text);
    } else if ((unsigned char)*text < ' ') {
      snprintf(piece, sizeof piece, "\\u%04x", (unsigned)*text);
    } else {
      snprintf(piece, sizeof piece, "%c", *text);
    }
    put(line, piece);
  }
  put(line, "\"");
}

static void put_key(json_line *line, const char *key) {
  APP_ASSERT(line->length > 0);
  if (line->text[line->length - 1] != '{') put(line, ",");
  put_quoted(line, key);
  put(line, ":");
}

void json_begin(json_line *line) {
  line->length = 0;
  put(line, "{");
}

void json_text(json_line *line, const char *key, const char *value) {
  put_key(line, key);
  put_quoted(line, value);
}

void json_number(json_line *line, const char *key, double value) {
  char text[MOTE_TEXT_NUMBER] = "null";
  if (isfinite(value)) mote_text_print_double(text, value);
  put_key(line, key);
  put(line, text);
}

void json_integer(json_line *line, const char *key, uint64_t value) {
  char text[32];
  snprintf(text, sizeof text, "%" PRIu64, value);
  put_key(line, key);
  put(line, text);
}

void json_flag(json_line *line, const char *key, bool value) {
  put_key(line, key);
  put(line, value ? "true" : "false");
}

void json_hash(json_line *line, const char *key, uint64_t value) {
  char text[32];
  snprintf(text, sizeof text, "%016" PRIx64, value);
  json_text(line, key, text);
}

void json_texts(json_line *line, const char *key, const char *const *value, int count) {
  APP_ASSERT(count >= 0);
  put_key(line, key);
  put(line, "[");
  for (int k = 0; k < count; ++k) {
    if (k > 0) put(line, ",");
    put_quoted(line, value[k]);
  }
  put(line, "]");
}

void json_open(json_line *line, const char *key) {
  put_key(line, key);
  put(line, "{");
}

void json_close(json_line *line) {
  APP_ASSERT(line->length > 0);
  put(line, "}");
}

const char *json_end(json_line *line) {
  APP_ASSERT(line->length > 0 && line->length < sizeof line->text);
  put(line, "}\n");
  return line->text;
}
