// Numbers of files: ten types, two byte orders, any stride; and their conversion to a cloud's types.
#ifndef MOTE_RAW_H
#define MOTE_RAW_H

#include "io/io_base.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "little-endian machines only");

typedef enum mote_raw {
  MOTE_RAW_I8,
  MOTE_RAW_U8,
  MOTE_RAW_I16,
  MOTE_RAW_U16,
  MOTE_RAW_I32,
  MOTE_RAW_U32,
  MOTE_RAW_I64,
  MOTE_RAW_U64,
  MOTE_RAW_F32,
  MOTE_RAW_F64,
  MOTE_RAW_COUNT
} mote_raw;

size_t mote_raw_size(mote_raw raw);
// The cloud's type that holds it: I8 and I16 as I32, U16 as U32, I64 as U64 (mote_raw_settle).
mote_type mote_raw_type(mote_raw raw);
// The same bits in a file.
mote_raw mote_raw_of(mote_type type);

// Converts `count` numbers, `stride` bytes apart in a file, to a cloud's array, `to_stride` bytes apart.
void mote_raw_take(mote_raw raw, bool big, const void *from, size_t stride, size_t count, void *to,
                   size_t to_stride);

// Converts one number from text or from a double to this type: integers to the nearest representable one.
// Text: returns the number of characters used, 0 if no number begins there.
size_t mote_raw_parse(mote_type type, const char *text, size_t size, void *to);
// The same for a number that has type `raw` in binary files: I64 as its bits (mote_raw_settle).
size_t mote_raw_parse_as(mote_raw raw, const char *text, size_t size, void *to);
void mote_raw_store(mote_type type, double value, void *to);
double mote_raw_value(mote_type type, const void *from);

// Converts an array of signed 64-bit numbers, stored as U64, to F64 if one is negative.
mote_type mote_raw_settle(uint64_t *value, size_t count);

// Swaps the bytes of `count` numbers.
void mote_raw_swap(void *numbers, size_t size, size_t count);

#endif
