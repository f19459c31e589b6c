// The text of USD (usda): words, texts and values in brackets, with lines and columns.
#ifndef MOTE_USD_H
#define MOTE_USD_H

#include "io/scan.h"

enum { MOTE_USD_DEPTH = 64 };  // of brackets and prims

// Passes spaces and comments; the character behind them, 0 at the end.
int mote_usd_pass_space(mote_scan *scan);
// A name with its namespaces, or a number; empty where neither stands.
mote_word mote_usd_word(mote_scan *scan);
// Passes the sign if it is the next; expect: FORMAT if it is not.
bool mote_usd_sign(mote_scan *scan, char sign);
mote_result mote_usd_expect(mote_scan *scan, char sign, mote_error *error);
// Whether a text begins with this: quotes, @ of assets, < of paths.
bool mote_usd_is_text(int c);
// The text that begins here, without its quotes.
mote_result mote_usd_text(mote_scan *scan, mote_word *out, mote_error *error);
// Passes a value: a word, a text, or all within brackets.
mote_result mote_usd_pass_value(mote_scan *scan, mote_error *error);
// A text without its escapes, as much as fits.
void mote_usd_copy(mote_word text, char *out, size_t capacity);

#endif
