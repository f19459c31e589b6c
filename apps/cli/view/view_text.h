// Text that grows: the data of a page as JSON. Ends the program where there is no memory.
#ifndef MOTE_VIEW_TEXT_H
#define MOTE_VIEW_TEXT_H

#include <stddef.h>

typedef struct view_text {
  char *data;  // ends with a zero
  size_t size, capacity;
} view_text;

void view_add_bytes(view_text *out, const void *bytes, size_t size);
void view_add_text(view_text *out, const char *words);
// null where it is not finite.
void view_add_number(view_text *out, double x);
// ,"key": and then a number or text, or a list of numbers.
void view_add_key(view_text *out, const char *key);
void view_add_numbers(view_text *out, const char *key, const double *x, size_t count);
// In quotes.
void view_add_quoted(view_text *out, const char *words, size_t size);
void view_add_base64(view_text *out, const void *bytes, size_t size);
// A whole file in quotes; empty where it cannot be read.
void view_add_file(view_text *out, const char *path);

#endif
