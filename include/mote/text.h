// Numbers as text, the same in every locale: reading rounds to nearest, ties to even, whatever the number of
// digits; printing gives the shortest decimal that reads back to the same bits. And the closest of some
// names, for error messages.
#ifndef MOTE_TEXT_H
#define MOTE_TEXT_H

#include <mote/base.h>

#ifdef __cplusplus
extern "C" {
#endif

// How a reading went. `length` counts the characters of the number; 0: no number begins here, and the value
// is untouched.
typedef struct mote_text_scan {
  size_t length;
  bool overflow;  // the number is beyond the type's range: the value is infinite, or the nearest integer
} mote_text_scan;

// What floating-point numbers may be.
typedef enum mote_text_kind {
  MOTE_TEXT_FINITE,  // [+-] digits [. digits] [e [+-] digits], at least one digit before the e
  MOTE_TEXT_ANY,     // also [+-] nan, inf, infinity, in any case
} mote_text_kind;

// Read a number from the first of the `size` characters on (no space is skipped), as much as belongs to it.
MOTE_API mote_text_scan mote_text_read_double(const char *text, size_t size, mote_text_kind kind,
                                              double *value);
MOTE_API mote_text_scan mote_text_read_float(const char *text, size_t size, mote_text_kind kind,
                                             float *value);
MOTE_API mote_text_scan mote_text_read_integer(const char *text, size_t size, long long *value);

// Room for any number printed here, with the final null.
#define MOTE_TEXT_NUMBER 32

// Print into `out` and end it with a null; return the length without it. Plain from 1e-4 to 1e16, else with
// an exponent: "0.1", "-2", "1e16", "1.5e-5", "nan", "-inf".
MOTE_API size_t mote_text_print_double(char out[MOTE_TEXT_NUMBER], double value);
MOTE_API size_t mote_text_print_float(char out[MOTE_TEXT_NUMBER], float value);
MOTE_API size_t mote_text_print_integer(char out[MOTE_TEXT_NUMBER], long long value);

// How many letters must be changed, put in, left out or swapped with their neighbour to make b of a; capital
// and small letters are the same. Words of more than MOTE_TEXT_WORD letters are SIZE_MAX apart.
#define MOTE_TEXT_WORD 64
MOTE_API size_t mote_text_distance(const char *a, const char *b);

// The first of the names nearest to `word`, null when none is near (a third of its letters, at least one).
MOTE_API const char *mote_text_closest(const char *word, const char *const *names, size_t count);

#ifdef __cplusplus
}
#endif
#endif
