// Text with lines and columns: see scan.h.
#include "io/scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

mote_scan mote_scan_make(const void *text, size_t size, const char *file) {
  return (mote_scan){.text = text, .size = size, .file = file, .line = 1};
}

static mote_result fail(const mote_scan *scan, size_t at, mote_error *error, const char *format,
                        va_list arguments) __attribute__((format(printf, 4, 0)));

static mote_result fail(const mote_scan *scan, size_t at, mote_error *error, const char *format,
                        va_list arguments) {
  if (error == NULL) return MOTE_ERROR_FORMAT;
  char text[sizeof error->text];
  vsnprintf(text, sizeof text, format, arguments);
  mote_io_fail(error, MOTE_ERROR_FORMAT, scan->file, "%s", text);
  error->line = scan->line;
  error->column =
      at >= scan->line_start && at - scan->line_start < 1000000 ? (int)(at - scan->line_start) + 1 : 0;
  return MOTE_ERROR_FORMAT;
}

mote_result mote_scan_fail(const mote_scan *scan, mote_error *error, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fail(scan, scan->at, error, format, arguments);
  va_end(arguments);
  return MOTE_ERROR_FORMAT;
}

mote_result mote_scan_fail_at(const mote_scan *scan, mote_word word, mote_error *error, const char *format,
                              ...) {
  va_list arguments;
  va_start(arguments, format);
  fail(scan, (size_t)(word.text - scan->text), error, format, arguments);
  va_end(arguments);
  return MOTE_ERROR_FORMAT;
}

bool mote_scan_ended(const mote_scan *scan) {
  return scan->at >= scan->size;
}

static bool is_end(char c) {
  return c == '\n' || c == '\r';
}

static bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

static void pass_line_end(mote_scan *scan) {
  if (scan->at >= scan->size) return;
  bool pair = scan->text[scan->at] == '\r' && scan->at + 1 < scan->size && scan->text[scan->at + 1] == '\n';
  scan->at += pair ? 2 : 1;
  scan->line_start = scan->at;
  ++scan->line;
}

mote_word mote_scan_line(mote_scan *scan) {
  mote_word line = {scan->text + scan->at, 0};
  while (scan->at < scan->size && !is_end(scan->text[scan->at])) ++scan->at;
  line.size = (size_t)(scan->text + scan->at - line.text);
  pass_line_end(scan);
  return line;
}

mote_word mote_scan_word(mote_scan *scan) {
  while (scan->at < scan->size && is_space(scan->text[scan->at])) ++scan->at;
  mote_word word = {scan->text + scan->at, 0};
  while (scan->at < scan->size && !is_space(scan->text[scan->at]) && !is_end(scan->text[scan->at]))
    ++scan->at;
  word.size = (size_t)(scan->text + scan->at - word.text);
  return word;
}

mote_word mote_scan_any_word(mote_scan *scan) {
  for (;;) {
    mote_word word = mote_scan_word(scan);
    if (word.size > 0 || mote_scan_ended(scan)) return word;
    pass_line_end(scan);
  }
}

static mote_result check_number(mote_scan *scan, mote_word word, size_t length, mote_error *error) {
  if (length == word.size && length > 0) return MOTE_OK;
  if (word.size == 0) return mote_scan_fail(scan, error, "the file ends where a number should be");
  return mote_scan_fail_at(scan, word, error, "\"%.*s\" is not a number",
                           (int)(word.size < 40 ? word.size : 40), word.text);
}

mote_result mote_scan_number(mote_scan *scan, mote_type type, void *to, mote_error *error) {
  mote_word word = mote_scan_any_word(scan);
  return check_number(scan, word, mote_raw_parse(type, word.text, word.size, to), error);
}

mote_result mote_scan_raw(mote_scan *scan, mote_raw raw, void *to, mote_error *error) {
  mote_word word = mote_scan_any_word(scan);
  return check_number(scan, word, mote_raw_parse_as(raw, word.text, word.size, to), error);
}

mote_word mote_word_next(mote_word *line) {
  while (line->size > 0 && is_space(line->text[0])) ++line->text, --line->size;
  mote_word word = {line->text, 0};
  while (line->size > 0 && !is_space(line->text[0])) ++line->text, --line->size;
  word.size = (size_t)(line->text - word.text);
  return word;
}

bool mote_word_is(mote_word word, const char *text) {
  return strlen(text) == word.size && memcmp(word.text, text, word.size) == 0;
}

static int lower(char c) {
  return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

bool mote_word_like(mote_word word, const char *text) {
  if (strlen(text) != word.size) return false;
  for (size_t k = 0; k < word.size; ++k)
    if (lower(word.text[k]) != lower(text[k])) return false;
  return true;
}

void mote_word_copy(mote_word word, char *out, size_t capacity) {
  size_t size = word.size < capacity ? word.size : capacity - 1;
  if (size > 0) memcpy(out, word.text, size);
  out[size] = 0;
}

bool mote_word_count(mote_word word, uint64_t *value) {
  uint64_t number = 0;
  if (word.size == 0 || mote_raw_parse(MOTE_TYPE_U64, word.text, word.size, &number) != word.size)
    return false;
  for (size_t k = 0; k < word.size; ++k)
    if (word.text[k] < '0' || word.text[k] > '9') return false;
  *value = number;
  return number <= INT64_MAX;
}
