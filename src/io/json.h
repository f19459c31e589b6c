// JSON text, traversed without memory: a value is its piece of the text. Only
// texts that passed mote_json_check may be traversed.
#ifndef MOTE_JSON_H
#define MOTE_JSON_H

#include "io/scan.h"

// Empty: no such value.
typedef mote_word mote_json;

// The text must be one value of at most 64 levels, and spaces; FORMAT names the byte of the fault.
mote_result mote_json_check(mote_word text, const char *file, mote_json *root, mote_error *error);

// The same; true: there is a fault, at byte *at.
bool mote_json_find_fault(mote_word text, mote_json *root, size_t *at);

// The next member of an object or item of an array, from *at = 0 on; false behind the last and if the
// value is neither. `key` is not set for arrays.
bool mote_json_next(mote_json from, size_t *at, mote_json *key, mote_json *value);
// The first member of that name; empty when there is none.
mote_json mote_json_get(mote_json object, const char *name);

// A number, or `otherwise` if it is none.
double mote_json_number(mote_json value, double otherwise);
// A whole number from 0 to 2^53; false if it is none.
bool mote_json_count(mote_json value, uint64_t *out);
bool mote_json_is(mote_json value, const char *text);
// A text with its escapes resolved (those beyond ASCII become ?), truncated; empty if it is none.
void mote_json_text(mote_json value, char *out, size_t capacity);

// Adds "text", with escapes, and a number (null if it is not finite).
void mote_json_put_text(mote_buffer *out, const char *text);
void mote_json_put_number(mote_buffer *out, double value);

#endif
