// Text with lines and columns, for the readers of text formats and of heads made of text.
#ifndef MOTE_SCAN_H
#define MOTE_SCAN_H

#include "io/raw.h"

typedef struct mote_scan {
  const char *text;
  size_t size, at;
  const char *file;  // for messages
  int line;          // 1-based
  size_t line_start;
} mote_scan;

// A piece of the text.
typedef struct mote_word {
  const char *text;
  size_t size;
} mote_word;

mote_scan mote_scan_make(const void *text, size_t size, const char *file);
// FORMAT at the position of the scan, or at that of a word.
mote_result mote_scan_fail(const mote_scan *scan, mote_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
mote_result mote_scan_fail_at(const mote_scan *scan, mote_word word, mote_error *error, const char *format,
                              ...) __attribute__((format(printf, 4, 5)));

bool mote_scan_ended(const mote_scan *scan);
// The rest of the line without its end (LF, CR LF or CR), which is passed.
mote_word mote_scan_line(mote_scan *scan);
// The next word of this line, between spaces and tabs; empty at the line's end, which is not passed.
mote_word mote_scan_word(mote_scan *scan);
// The next word of any line; empty at the end of the text.
mote_word mote_scan_any_word(mote_scan *scan);
// A number in the next word of any line, as one of this type, or of a type of the file (raw.h).
mote_result mote_scan_number(mote_scan *scan, mote_type type, void *to, mote_error *error);
mote_result mote_scan_raw(mote_scan *scan, mote_raw raw, void *to, mote_error *error);

// The next word of a line, which is shortened by it.
mote_word mote_word_next(mote_word *line);
bool mote_word_is(mote_word word, const char *text);
// Whether they are equal, ignoring case.
bool mote_word_like(mote_word word, const char *text);
// Copies as much as fits, with a final null.
void mote_word_copy(mote_word word, char *out, size_t capacity);
// A whole number; false if it is none or above 2^63.
bool mote_word_count(mote_word word, uint64_t *value);

// --- The text of USD: words, texts and values in brackets (usd_text.c) ---------------------------------

enum { MOTE_USD_DEPTH = 64 };  // of brackets and prims

// Skips spaces and comments; returns the character behind them, 0 at the end.
int mote_usd_pass_space(mote_scan *scan);
// A name with its namespaces, or a number; empty if there is neither.
mote_word mote_usd_word(mote_scan *scan);
// Skips the sign if it is next; expect: FORMAT if it is not.
bool mote_usd_sign(mote_scan *scan, char sign);
mote_result mote_usd_expect(mote_scan *scan, char sign, mote_error *error);
// Whether a text begins with this: quotes, @ of assets, < of paths.
bool mote_usd_is_text(int c);
// The text that begins here, without its quotes.
mote_result mote_usd_text(mote_scan *scan, mote_word *out, mote_error *error);
// Skips a value: a word, a text, or brackets with their content.
mote_result mote_usd_pass_value(mote_scan *scan, mote_error *error);
// Copies a text without its escapes, as much as fits.
void mote_usd_copy(mote_word text, char *out, size_t capacity);

#endif
