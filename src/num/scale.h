// Exact scaling by powers of two, against overflow and underflow in squares and products.
#ifndef MOTE_SCALE_H
#define MOTE_SCALE_H

#include <stdint.h>
#include <string.h>

// Unlike fmax a single instruction everywhere; b if a is NaN.
static inline double mote_larger(double a, double b) {
  return a > b ? a : b;
}

// A power of two by which to divide so that something of size x comes to lie in [1, 4): 2^-1022 for smaller x
// and zero, 2^1022 for larger x, infinity and NaN. *inverse is exactly one over it.
static inline double mote_scale_of(double x, double *inverse) {
  const uint64_t one = (uint64_t)1 << 52;
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits &= 0x7ff * one;
  bits = bits < one ? one : bits > 2045 * one ? 2045 * one : bits;
  memcpy(&x, &bits, sizeof x);
  bits = 2046 * one - bits;
  memcpy(inverse, &bits, sizeof bits);
  return x;
}

#endif
