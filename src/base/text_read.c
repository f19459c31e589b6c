// Reading numbers: see text.h. The first 19 digits times a power of ten to 128 bits bound the number from
// both sides; where the bounds round differently, a number between two neighbours is compared with their
// midpoint in whole numbers. (The idea of Clinger 1990, with the bounds of Lemire 2021.)
#include <limits.h>
#include <mote/text.h>
#include <stdint.h>
#include <string.h>

#include "base/check.h"
#include "base/text_power.h"

// A binary format: bits of the mantissa with the leading one, exponent of the least bit of all.
typedef struct format {
  int bits, least;
  uint64_t infinity;
} format;

static const format double_format = {53, -1074, 0x7ff0000000000000u};
static const format float_format = {24, -149, 0x7f800000u};

// +- head 10^exponent, and a little more when digits that are not zero were left out of head.
typedef struct decimal {
  const char *digits;  // the mantissa's characters: digits and at most one point
  size_t size;
  uint64_t head;
  int head_digits;  // at most 19
  long long exponent;
  bool negative, more;
} decimal;

#define HEAD_DIGITS 19

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// The characters of a sign at the front.
static size_t scan_sign(const char *text, size_t size, bool *negative) {
  *negative = size > 0 && text[0] == '-';
  return size > 0 && (text[0] == '-' || text[0] == '+');
}

// Digits and a point; returns how many characters, 0 without a digit.
static size_t scan_mantissa(const char *text, size_t size, decimal *x) {
  bool point = false, any = false;
  size_t k = 0;
  for (; k < size; ++k) {
    if (text[k] == '.' && !point) {
      point = true;
    } else if (!is_digit(text[k])) {
      break;
    } else {
      any = true;
      uint64_t digit = (uint64_t)(text[k] - '0');
      if (x->head_digits == HEAD_DIGITS) {
        x->more |= digit != 0;
        x->exponent += !point;
      } else {
        x->head = 10 * x->head + digit;
        x->head_digits += x->head != 0;
        x->exponent -= point;
      }
    }
  }
  x->digits = text;
  x->size = k;
  return any ? k : 0;
}

// e, a sign, digits; returns how many characters, 0 without a digit.
static size_t scan_exponent(const char *text, size_t size, decimal *x) {
  const long long enough = 1000000000000000;  // so large or small that no mantissa makes up for it
  if (size == 0 || (text[0] != 'e' && text[0] != 'E')) return 0;
  bool negative;
  size_t k = 1 + scan_sign(text + 1, size - 1, &negative);
  if (k >= size || !is_digit(text[k])) return 0;
  long long value = 0;
  for (; k < size && is_digit(text[k]); ++k) {
    if (value < enough) value = 10 * value + (text[k] - '0');
  }
  x->exponent += negative ? -value : value;
  return k;
}

// Bits of the number nearest to value 2^exponent; subnormals and carries come out by themselves.
static uint64_t round_bits(mote_uint128 value, int exponent, const format *f) {
  uint64_t high = (uint64_t)(value >> 64);
  int top = high ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll((uint64_t)value);
  int unit = exponent + top - (f->bits - 1);
  if (unit < f->least) unit = f->least;
  int cut = unit - exponent;
  if (cut > 127) return 0;  // less than half of the least number: value is below 2^127
  mote_uint128 mantissa = value >> cut, rest = value - (mantissa << cut), half = (mote_uint128)1 << (cut - 1);
  mantissa += rest > half || (rest == half && (mantissa & 1));
  uint64_t bits = ((uint64_t)(unit - f->least) << (f->bits - 1)) + (uint64_t)mantissa;
  return bits < f->infinity ? bits : f->infinity;
}

// --- Whole numbers of any size the comparison may need: 771 digits, or a mantissa times 5^1100 -----------

#define BIG_LIMBS 112

typedef struct big {
  uint32_t limb[BIG_LIMBS];  // the lowest first
  int size;
} big;

static void big_multiply_add(big *x, uint32_t factor, uint32_t addend) {
  uint64_t carry = addend;
  for (int k = 0; k < x->size; ++k) {
    carry += (uint64_t)x->limb[k] * factor;
    x->limb[k] = (uint32_t)carry;
    carry >>= 32;
  }
  if (carry == 0) return;
  MOTE_ASSERT(x->size < BIG_LIMBS);
  x->limb[x->size++] = (uint32_t)carry;
}

static void big_multiply_power5(big *x, long long power) {
  for (; power >= 13; power -= 13) big_multiply_add(x, 1220703125, 0);
  for (; power > 0; --power) big_multiply_add(x, 5, 0);
}

static void big_shift(big *x, long long bits) {
  int limbs = (int)(bits / 32);
  big_multiply_add(x, (uint32_t)1 << bits % 32, 0);
  MOTE_ASSERT(x->size + limbs <= BIG_LIMBS);
  memmove(x->limb + limbs, x->limb, (size_t)x->size * sizeof *x->limb);
  memset(x->limb, 0, (size_t)limbs * sizeof *x->limb);
  x->size += limbs;
}

static int big_compare(const big *a, const big *b) {
  if (a->size != b->size) return a->size < b->size ? -1 : 1;
  for (int k = a->size - 1; k >= 0; --k) {
    if (a->limb[k] != b->limb[k]) return a->limb[k] < b->limb[k] ? -1 : 1;
  }
  return 0;
}

// All digits of x as a whole number; returns its exponent of ten. No midpoint of doubles has more than 767
// significant digits, so what follows the 770th counts as "and a little more".
static long long big_from_digits(big *number, const decimal *x) {
  int count = 0;
  bool more = false;
  number->size = 0;
  for (size_t k = 0; k < x->size; ++k) {
    if (x->digits[k] == '.') continue;
    uint32_t digit = (uint32_t)(x->digits[k] - '0');
    if (count == 770) {
      more |= digit != 0;
    } else {
      big_multiply_add(number, 10, digit);
      count += number->size > 0;
    }
  }
  if (more) big_multiply_add(number, 10, 1);
  return x->exponent + x->head_digits - count - more;
}

// The sign of x minus the midpoint between the positive number of these bits and the next.
static int compare_with_midpoint(const decimal *x, uint64_t bits, const format *f) {
  uint64_t one = (uint64_t)1 << (f->bits - 1), field = bits / one;
  uint64_t mantissa = field ? bits % one + one : bits;
  int unit = field ? (int)field - 1 + f->least : f->least;
  uint64_t middle = 2 * mantissa + 1;  // times 2^(unit - 1)
  big left, right = {.limb = {(uint32_t)middle, (uint32_t)(middle >> 32)}, .size = middle >> 32 ? 2 : 1};
  long long power = big_from_digits(&left, x);
  if (power > 0) big_multiply_power5(&left, power);
  if (power < 0) big_multiply_power5(&right, -power);
  long long shift = power - (unit - 1);
  if (shift > 0) big_shift(&left, shift);
  if (shift < 0) big_shift(&right, -shift);
  return big_compare(&left, &right);
}

// Bits of the number nearest to |x|.
static uint64_t nearest_bits(const decimal *x, const format *f) {
  if (x->head == 0 || x->exponent < -345) return 0;
  if (x->exponent > 309) return f->infinity;
  int power = (int)x->exponent, zeros = __builtin_clzll(x->head);
  mote_uint128 ten = mote_text_power(power);
  uint64_t head = x->head << zeros;
  mote_uint128 low = (mote_uint128)head * (uint64_t)ten;
  mote_uint128 high = (mote_uint128)head * (uint64_t)(ten >> 64) + (uint64_t)(low >> 64);
  // `from` and `to` hold 126 bits of the product's 192, so that adding to them cannot overflow.
  int exponent = mote_text_power_log2(power) - 127 + 66 - zeros;
  mote_uint128 from = high >> 2, to = from + 2;
  if (x->more) to += (mote_uint128)1 << (62 + zeros);
  bool cut = (high & 3) != 0 || (uint64_t)low != 0;
  if (!x->more && mote_text_power_is_exact(power)) from = to = from | cut;
  uint64_t below = round_bits(from, exponent, f), above = round_bits(to, exponent, f);
  if (below == above) return below;
  int sign = compare_with_midpoint(x, below, f);
  return below + (sign > 0 || (sign == 0 && below % 2 == 1));
}

// Whether the text begins with `word`, in any case.
static bool begins_with(const char *text, size_t size, const char *word) {
  for (size_t k = 0; word[k] != '\0'; ++k) {
    if (k >= size || (text[k] | 0x20) != word[k]) return false;
  }
  return true;
}

// The length of nan, inf or infinity and its bits; 0: none of them.
static size_t scan_special(const char *text, size_t size, const format *f, uint64_t *bits) {
  *bits = f->infinity;
  if (begins_with(text, size, "infinity")) return 8;
  if (begins_with(text, size, "inf")) return 3;
  *bits = f->infinity | (uint64_t)1 << (f->bits - 2);
  return begins_with(text, size, "nan") ? 3 : 0;
}

// Reads any format; *bits come without the sign.
static mote_text_scan read_floating(const char *text, size_t size, mote_text_kind kind, const format *f,
                                    bool *negative, uint64_t *bits) {
  size_t sign = scan_sign(text, size, negative);
  if (kind == MOTE_TEXT_ANY) {
    size_t special = scan_special(text + sign, size - sign, f, bits);
    if (special > 0) return (mote_text_scan){sign + special, false};
  }
  decimal x = {0};
  size_t mantissa = scan_mantissa(text + sign, size - sign, &x);
  if (mantissa == 0) return (mote_text_scan){0, false};
  size_t length = sign + mantissa;
  length += scan_exponent(text + length, size - length, &x);
  *bits = nearest_bits(&x, f);
  return (mote_text_scan){length, *bits == f->infinity};
}

mote_text_scan mote_text_read_double(const char *text, size_t size, mote_text_kind kind, double *value) {
  bool negative;
  uint64_t bits;
  mote_text_scan scan = read_floating(text, size, kind, &double_format, &negative, &bits);
  if (scan.length == 0) return scan;
  bits |= (uint64_t)negative << 63;
  memcpy(value, &bits, sizeof *value);
  return scan;
}

mote_text_scan mote_text_read_float(const char *text, size_t size, mote_text_kind kind, float *value) {
  bool negative;
  uint64_t bits;
  mote_text_scan scan = read_floating(text, size, kind, &float_format, &negative, &bits);
  if (scan.length == 0) return scan;
  uint32_t narrow = (uint32_t)bits | (uint32_t)negative << 31;
  memcpy(value, &narrow, sizeof *value);
  return scan;
}

mote_text_scan mote_text_read_integer(const char *text, size_t size, long long *value) {
  bool negative, overflow = false;
  size_t sign = scan_sign(text, size, &negative), k = sign;
  uint64_t number = 0, largest = (uint64_t)LLONG_MAX + negative;
  for (; k < size && is_digit(text[k]); ++k) {
    uint64_t digit = (uint64_t)(text[k] - '0');
    overflow |= number > (largest - digit) / 10;
    number = overflow ? largest : 10 * number + digit;
  }
  if (k == sign) return (mote_text_scan){0, false};
  *value = negative ? (long long)-number : (long long)number;
  return (mote_text_scan){k, overflow};
}
