// Words, texts and brackets of USD in text: see scan.h.
#include "io/scan.h"

int mote_usd_pass_space(mote_scan *scan) {
  for (; scan->at < scan->size; ++scan->at) {
    char c = scan->text[scan->at];
    if (c == '#') {
      while (scan->at < scan->size && scan->text[scan->at] != '\n') ++scan->at;
      if (scan->at == scan->size) break;
      c = '\n';
    }
    if (c == '\n') ++scan->line, scan->line_start = scan->at + 1;
    if (c != ' ' && c != '\t' && c != '\r' && c != '\n' && c != ';') return (unsigned char)c;
  }
  return 0;
}

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// A name, with its namespaces, or a number; empty if there is neither.
mote_word mote_usd_word(mote_scan *scan) {
  mote_usd_pass_space(scan);
  size_t from = scan->at;
  for (; scan->at < scan->size; ++scan->at) {
    char c = scan->text[scan->at];
    bool colon = c == ':' && scan->at + 1 < scan->size && is_letter(scan->text[scan->at + 1]);
    if (!is_letter(c) && !(c >= '0' && c <= '9') && c != '.' && c != '-' && c != '+' && !colon) break;
  }
  return (mote_word){scan->text + from, scan->at - from};
}

bool mote_usd_sign(mote_scan *scan, char sign) {
  if (mote_usd_pass_space(scan) != sign) return false;
  ++scan->at;
  return true;
}

mote_result mote_usd_expect(mote_scan *scan, char sign, mote_error *error) {
  if (mote_usd_sign(scan, sign)) return MOTE_OK;
  return mote_scan_fail(scan, error, "a \"%c\" should stand here", sign);
}

// The text between quotes, @ or <>.
mote_result mote_usd_text(mote_scan *scan, mote_word *out, mote_error *error) {
  mote_scan begin = *scan;
  char sign = scan->text[scan->at] == '<' ? '>' : scan->text[scan->at];
  size_t left = scan->size - scan->at, signs = 1;
  if (left > 2 && sign != '>' && scan->text[scan->at + 1] == sign && scan->text[scan->at + 2] == sign)
    signs = 3;
  scan->at += signs;
  size_t from = scan->at;
  for (; scan->at < scan->size; ++scan->at) {
    char c = scan->text[scan->at];
    if (c == '\\' && sign != '@' && sign != '>' && scan->at + 1 < scan->size) ++scan->at;
    if (scan->text[scan->at] == '\n') ++scan->line, scan->line_start = scan->at + 1;
    if (c != sign) continue;
    if (signs == 3 &&
        !(scan->size - scan->at > 2 && scan->text[scan->at + 1] == sign && scan->text[scan->at + 2] == sign))
      continue;
    *out = (mote_word){scan->text + from, scan->at - from};
    scan->at += signs;
    return MOTE_OK;
  }
  return mote_scan_fail(&begin, error, "a text that does not end");
}

bool mote_usd_is_text(int c) {
  return c == '"' || c == '\'' || c == '@' || c == '<';
}

// Skips a value: a word, a text, or brackets with their content.
mote_result mote_usd_pass_value(mote_scan *scan, mote_error *error) {
  char closing[MOTE_USD_DEPTH];
  size_t depth = 0;
  mote_word text;
  do {
    int c = mote_usd_pass_space(scan);
    if (c == 0) return mote_scan_fail(scan, error, "the file ends within a value");
    if (mote_usd_is_text(c)) {
      MOTE_IO_TRY(mote_usd_text(scan, &text, error));
    } else if (c == '(' || c == '[' || c == '{') {
      if (depth == MOTE_USD_DEPTH)
        return mote_scan_fail(scan, error, "brackets deeper than %d", MOTE_USD_DEPTH);
      closing[depth++] = (char)(c == '(' ? ')' : c == '[' ? ']' : '}');
      ++scan->at;
    } else if (c == ')' || c == ']' || c == '}') {
      if (depth == 0 || closing[depth - 1] != c)
        return mote_scan_fail(scan, error, "a \"%c\" that closes nothing", c);
      --depth;
      ++scan->at;
    } else if (mote_usd_word(scan).size == 0) {
      ++scan->at;  // commas and colons between values
    }
  } while (depth > 0);
  return MOTE_OK;
}

// A text without its escapes.
void mote_usd_copy(mote_word text, char *out, size_t capacity) {
  size_t used = 0;
  for (size_t k = 0; k < text.size && used + 1 < capacity; ++k) {
    if (text.text[k] == '\\' && k + 1 < text.size) ++k;
    out[used++] = text.text[k];
  }
  out[used] = 0;
}
