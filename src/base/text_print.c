// Printing numbers: see text.h. The shortest decimal in the interval that rounds to the number, by the
// method of Giulietti (2020), "The Schubfach way to render doubles".
#include <mote/text.h>
#include <stdint.h>
#include <string.h>

#include "base/text_power.h"

// digits 10^exponent
typedef struct decimal {
  uint64_t digits;
  int exponent;
} decimal;

// factor power / 2^128, cut off to an odd number where something is cut off.
static uint64_t scaled(mote_uint128 power, uint64_t factor) {
  mote_uint128 low = (mote_uint128)(uint64_t)power * factor;
  mote_uint128 high = (mote_uint128)(uint64_t)(power >> 64) * factor + (uint64_t)(low >> 64);
  return (uint64_t)(high >> 64) | ((uint64_t)high > 1);
}

// The shortest decimal that rounds to c 2^q, the nearest of them. Below a power of two (`narrow`) the next
// number is only half as far as above it.
static decimal shortest(uint64_t c, int q, bool narrow) {
  int k = (q * 1262611 - (narrow ? 524031 : 0)) >> 22;  // floor(log10(width of the interval))
  mote_uint128 power = mote_text_power(-k) + !mote_text_power_is_exact(-k);
  int shift = q + mote_text_power_log2(-k) + 1;
  bool odd = c & 1;  // the ends of the interval round to the even neighbours
  uint64_t from = scaled(power, (4 * c - (narrow ? 1 : 2)) << shift) + odd;
  uint64_t value = scaled(power, (4 * c) << shift);
  uint64_t to = scaled(power, (4 * c + 2) << shift) - odd;
  uint64_t one = value / 4, ten = value / 40;  // in units of 10^k and 10^(k+1)
  bool down = from <= 40 * ten, up = 40 * ten + 40 <= to;
  if (ten > 0 && down != up) return (decimal){ten + up, k + 1};
  down = from <= 4 * one, up = 4 * one + 4 <= to;
  if (down == up) up = value > 4 * one + 2 || (value == 4 * one + 2 && one % 2 == 1);
  return (decimal){one + up, k};
}

static int write_digits(char *out, uint64_t digits) {
  char reversed[20];
  int count = 0;
  do {
    reversed[count++] = (char)('0' + digits % 10);
    digits /= 10;
  } while (digits > 0);
  for (int k = 0; k < count; ++k) out[k] = reversed[count - 1 - k];
  return count;
}

static char *put(char *out, const char *from, int count) {
  memcpy(out, from, (size_t)count);
  return out + count;
}

static char *put_zeros(char *out, int count) {
  memset(out, '0', (size_t)count);
  return out + count;
}

static char *put_decimal(char *out, decimal x) {
  char digits[20];
  while (x.digits % 10 == 0) x.digits /= 10, ++x.exponent;
  int count = write_digits(digits, x.digits);
  int magnitude = x.exponent + count - 1;  // of the first digit
  if (magnitude < -4 || magnitude >= 16) {
    *out++ = digits[0];
    if (count > 1) *out++ = '.';
    out = put(out, digits + 1, count - 1);
    *out++ = 'e';
    if (magnitude < 0) *out++ = '-';
    return out + write_digits(out, (uint64_t)(magnitude < 0 ? -magnitude : magnitude));
  }
  if (magnitude < 0) {
    out = put_zeros(put(out, "0.", 2), -magnitude - 1);
    return put(out, digits, count);
  }
  if (x.exponent >= 0) return put_zeros(put(out, digits, count), x.exponent);
  out = put(out, digits, magnitude + 1);
  *out++ = '.';
  return put(out, digits + magnitude + 1, count - magnitude - 1);
}

// A number of `width` stored mantissa bits, its exponent field and the largest value of that.
static size_t print_floating(char *begin, bool negative, uint64_t mantissa, int field, int width, int last) {
  char *out = begin;
  if (negative && (field < last || mantissa == 0)) *out++ = '-';
  if (field == last) {
    out = put(out, mantissa ? "nan" : "inf", 3);
  } else if (field == 0 && mantissa == 0) {
    *out++ = '0';
  } else {
    uint64_t c = field ? mantissa | (uint64_t)1 << width : mantissa;
    int q = (field ? field : 1) - last / 2 - width;
    bool whole = q <= 0 && q >= -width && c % ((uint64_t)1 << -q) == 0;
    out = put_decimal(out, whole ? (decimal){c >> -q, 0} : shortest(c, q, mantissa == 0 && field > 1));
  }
  *out = '\0';
  return (size_t)(out - begin);
}

size_t mote_text_print_double(char out[MOTE_TEXT_NUMBER], double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return print_floating(out, bits >> 63, bits & 0xfffffffffffffu, (int)(bits >> 52 & 0x7ff), 52, 0x7ff);
}

size_t mote_text_print_float(char out[MOTE_TEXT_NUMBER], float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return print_floating(out, bits >> 31, bits & 0x7fffffu, (int)(bits >> 23 & 0xff), 23, 0xff);
}

size_t mote_text_print_integer(char out[MOTE_TEXT_NUMBER], long long value) {
  char *end = out;
  uint64_t size = value < 0 ? -(uint64_t)value : (uint64_t)value;
  if (value < 0) *end++ = '-';
  end += write_digits(end, size);
  *end = '\0';
  return (size_t)(end - out);
}
