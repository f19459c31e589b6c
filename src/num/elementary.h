// Shared by the elementary functions: bits of doubles, scaling by powers of two, the one NaN.
// Only + - * / sqrt, integers and bit casts are used, so results have the same bits everywhere.
// Methods and measured errors: docs/theory/elementary.md.
#ifndef MOTE_ELEMENTARY_H
#define MOTE_ELEMENTARY_H

#include <stdint.h>
#include <string.h>

// x + MOTE_ROUNDER - MOTE_ROUNDER is the integer nearest to x for |x| < 2^51; the low bits of the first sum
// hold it, too.
#define MOTE_ROUNDER 0x1.8p52

// The unevaluated sum hi + lo, |lo| at most a few ulp of hi.
typedef struct mote_double2 {
  double hi, lo;
} mote_double2;

static inline uint64_t mote_double_bits(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline double mote_double_from_bits(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

// 2^k for -1022 <= k <= 1023.
static inline double mote_double_power2(int k) {
  return mote_double_from_bits((uint64_t)(k + 1023) << 52);
}

// The NaN of all these functions. Sign and payload of computed NaNs differ between processors.
static inline double mote_double_nan(void) {
  return mote_double_from_bits(0x7ff8000000000000u);
}

static inline double mote_double_infinity(void) {
  return mote_double_from_bits(0x7ff0000000000000u);
}

static inline double mote_double_abs(double x) {
  return mote_double_from_bits(mote_double_bits(x) & 0x7fffffffffffffffu);
}

// |x| with the sign bit of `sign`.
static inline double mote_double_with_sign(double x, double sign) {
  return mote_double_from_bits((mote_double_bits(x) & 0x7fffffffffffffffu) |
                               (mote_double_bits(sign) & 0x8000000000000000u));
}

// a + b exactly, for |a| >= |b| or a = 0 (Dekker 1971).
static inline mote_double2 mote_double2_add(double a, double b) {
  double sum = a + b;
  return (mote_double2){sum, (a - sum) + b};
}

// The leading 26 bits of x: products of two such numbers are exact.
static inline double mote_double_head(double x) {
  return mote_double_from_bits(mote_double_bits(x) & 0xfffffffff8000000u);
}

#endif
