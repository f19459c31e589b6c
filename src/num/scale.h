// Exact scaling by powers of two, against overflow and underflow in squares and products.
#ifndef MOTE_SCALE_H
#define MOTE_SCALE_H

#include <stdint.h>
#include <string.h>

// The power of two at or below a positive x; 2^-1022 for smaller x and zero, so that its inverse, which is
// exact, is finite. Infinity and NaN give infinity.
static inline double mote_scale_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits &= (uint64_t)0x7ff << 52;
  if (bits == 0) bits = (uint64_t)1 << 52;
  memcpy(&x, &bits, sizeof x);
  return x;
}

#endif
