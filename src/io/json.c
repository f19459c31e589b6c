// JSON text: see json.h.
#include "io/json.h"

#include <math.h>
#include <mote/text.h>
#include <stdio.h>
#include <string.h>

enum { DEPTH_MOST = 64 };

static size_t skip_spaces(mote_word text, size_t at) {
  while (at < text.size &&
         (text.text[at] == ' ' || text.text[at] == '\t' || text.text[at] == '\n' || text.text[at] == '\r'))
    ++at;
  return at;
}

static bool stands(mote_word text, size_t at, const char *word) {
  size_t size = strlen(word);
  return text.size - at >= size && memcmp(text.text + at, word, size) == 0;
}

// --- Checking: each returns the offset behind the parsed value, or 0 where the text is not JSON ---

static size_t pass_text(mote_word text, size_t at) {
  if (at >= text.size || text.text[at] != '"') return 0;
  for (++at; at < text.size && text.text[at] != '"'; ++at) {
    if ((unsigned char)text.text[at] < ' ') return 0;
    if (text.text[at] == '\\') ++at;
  }
  return at < text.size ? at + 1 : 0;
}

static size_t pass_word(mote_word text, size_t at) {
  static const char *const words[] = {"true", "false", "null"};
  for (int k = 0; k < 3; ++k)
    if (stands(text, at, words[k])) return at + strlen(words[k]);
  double value;
  size_t length = mote_text_read_double(text.text + at, text.size - at, MOTE_TEXT_FINITE, &value).length;
  return length > 0 ? at + length : 0;
}

static size_t pass_value(mote_word text, size_t at, int depth, size_t *wrong);

static size_t pass_members(mote_word text, size_t at, int depth, size_t *wrong) {
  char end = text.text[at] == '{' ? '}' : ']';
  at = skip_spaces(text, at + 1);
  if (at < text.size && text.text[at] == end) return at + 1;
  for (;;) {
    *wrong = at;
    if (end == '}') {
      at = pass_text(text, at);
      at = at > 0 ? skip_spaces(text, at) : text.size;
      if (at >= text.size || text.text[at] != ':') return 0;
      at = skip_spaces(text, at + 1);
    }
    at = pass_value(text, at, depth, wrong);
    if (at == 0) return 0;
    *wrong = at = skip_spaces(text, at);
    if (at >= text.size || (text.text[at] != ',' && text.text[at] != end)) return 0;
    if (text.text[at] == end) return at + 1;
    at = skip_spaces(text, at + 1);
  }
}

static size_t pass_value(mote_word text, size_t at, int depth, size_t *wrong) {
  *wrong = at;
  if (at >= text.size || depth == DEPTH_MOST) return 0;
  if (text.text[at] == '{' || text.text[at] == '[') return pass_members(text, at, depth + 1, wrong);
  return text.text[at] == '"' ? pass_text(text, at) : pass_word(text, at);
}

bool mote_json_find_fault(mote_word text, mote_json *root, size_t *at) {
  size_t begin = skip_spaces(text, 0), wrong = begin, end = pass_value(text, begin, 0, &wrong);
  bool good = end > 0 && skip_spaces(text, end) == text.size;
  *at = end > 0 ? skip_spaces(text, end) : wrong;
  if (good) *root = (mote_json){text.text + begin, end - begin};
  return !good;
}

mote_result mote_json_check(mote_word text, const char *file, mote_json *root, mote_error *error) {
  size_t at;
  if (!mote_json_find_fault(text, root, &at)) return MOTE_OK;
  return mote_io_fail(error, MOTE_ERROR_FORMAT, file, "its JSON is malformed at byte %zu", at);
}

// --- Walking ----------------------------------------------------------------------------------------------

static mote_json cut(mote_word text, size_t *at) {
  size_t wrong, begin = skip_spaces(text, *at), end = pass_value(text, begin, 0, &wrong);
  *at = skip_spaces(text, end);
  return (mote_json){text.text + begin, end - begin};
}

bool mote_json_next(mote_json from, size_t *at, mote_json *key, mote_json *value) {
  bool object = from.size > 0 && from.text[0] == '{';
  if (!object && (from.size == 0 || from.text[0] != '[')) return false;
  *at = skip_spaces(from, *at == 0 ? 1 : *at);
  if (*at + 1 >= from.size) return false;
  if (object) {
    *key = cut(from, at);
    ++*at;  // the colon
  }
  *value = cut(from, at);
  ++*at;  // the comma, or the end
  return true;
}

mote_json mote_json_get(mote_json object, const char *name) {
  mote_json key = {"", 0}, value = key;
  if (object.size == 0 || object.text[0] != '{') return (mote_json){"", 0};
  for (size_t at = 0; mote_json_next(object, &at, &key, &value);)
    if (mote_json_is(key, name)) return value;
  return (mote_json){"", 0};
}

double mote_json_number(mote_json value, double otherwise) {
  double number;
  size_t length = mote_text_read_double(value.text, value.size, MOTE_TEXT_FINITE, &number).length;
  return length > 0 && length == value.size ? number : otherwise;
}

bool mote_json_count(mote_json value, uint64_t *out) {
  double number = mote_json_number(value, -1);
  if (!(number >= 0 && number <= 0x1p53 && number == floor(number))) return false;
  *out = (uint64_t)number;
  return true;
}

bool mote_json_is(mote_json value, const char *text) {
  size_t size = strlen(text);
  return value.size == size + 2 && value.text[0] == '"' && memcmp(value.text + 1, text, size) == 0;
}

void mote_json_text(mote_json value, char *out, size_t capacity) {
  static const char codes[] = "bfnrt", plain[] = "\b\f\n\r\t";
  size_t used = 0;
  for (size_t k = 1; value.size > 0 && value.text[0] == '"' && k + 1 < value.size && used + 1 < capacity;
       ++k) {
    char c = value.text[k];
    if (c == '\\' && k + 2 < value.size) {
      c = value.text[++k];
      const char *code = strchr(codes, c);
      if (code != NULL && c != 0) c = plain[code - codes];
      if (c == 'u') {
        char digits[5] = {0};
        unsigned number = '?';
        if (value.size - k > 5) memcpy(digits, value.text + k + 1, 4);
        if (sscanf(digits, "%4x", &number) != 1 || number >= 127 || number == 0) number = '?';
        c = (char)number;
        k += value.size - k > 5 ? 4 : 0;
      }
    }
    out[used++] = c;
  }
  out[used] = 0;
}

// --- Writing ----------------------------------------------------------------------------------------------

void mote_json_put_text(mote_buffer *out, const char *text) {
  mote_buffer_text(out, "\"");
  for (; *text != 0; ++text) {
    char code[8];
    if ((unsigned char)*text < ' ')
      snprintf(code, sizeof code, "\\u%04x", (unsigned)*text);
    else
      snprintf(code, sizeof code, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    mote_buffer_text(out, code);
  }
  mote_buffer_text(out, "\"");
}

void mote_json_put_number(mote_buffer *out, double value) {
  char number[MOTE_TEXT_NUMBER] = "null";
  if (isfinite(value)) mote_text_print_double(number, value);
  mote_buffer_text(out, number);
}
