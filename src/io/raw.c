// Numbers of files: see raw.h.
#include "io/raw.h"

#include <mote/text.h>
#include <string.h>

static const struct {
  size_t size;
  mote_type type;
} raws[MOTE_RAW_COUNT] = {
    [MOTE_RAW_I8] = {1, MOTE_TYPE_I32},  [MOTE_RAW_U8] = {1, MOTE_TYPE_U8},
    [MOTE_RAW_I16] = {2, MOTE_TYPE_I32}, [MOTE_RAW_U16] = {2, MOTE_TYPE_U32},
    [MOTE_RAW_I32] = {4, MOTE_TYPE_I32}, [MOTE_RAW_U32] = {4, MOTE_TYPE_U32},
    [MOTE_RAW_I64] = {8, MOTE_TYPE_U64}, [MOTE_RAW_U64] = {8, MOTE_TYPE_U64},
    [MOTE_RAW_F32] = {4, MOTE_TYPE_F32}, [MOTE_RAW_F64] = {8, MOTE_TYPE_F64},
};

size_t mote_raw_size(mote_raw raw) {
  return raws[raw].size;
}

mote_type mote_raw_type(mote_raw raw) {
  return raws[raw].type;
}

mote_raw mote_raw_of(mote_type type) {
  static const mote_raw of[MOTE_TYPE_COUNT] = {
      [MOTE_TYPE_F32] = MOTE_RAW_F32, [MOTE_TYPE_F64] = MOTE_RAW_F64, [MOTE_TYPE_U8] = MOTE_RAW_U8,
      [MOTE_TYPE_U32] = MOTE_RAW_U32, [MOTE_TYPE_U64] = MOTE_RAW_U64, [MOTE_TYPE_I32] = MOTE_RAW_I32};
  return of[type];
}

static void reverse(uint8_t *bytes, size_t size) {
  for (size_t a = 0, b = size - 1; a < b; ++a, --b) {
    uint8_t kept = bytes[a];
    bytes[a] = bytes[b];
    bytes[b] = kept;
  }
}

void mote_raw_swap(void *numbers, size_t size, size_t count) {
  uint8_t *bytes = numbers;
  for (size_t k = 0; k < count; ++k) reverse(bytes + k * size, size);
}

static void take_one(mote_raw raw, bool big, const uint8_t *from, void *to) {
  uint8_t bytes[8];
  size_t size = raws[raw].size;
  memcpy(bytes, from, size);
  if (big) reverse(bytes, size);
  int32_t narrow = 0;
  if (raw == MOTE_RAW_I8) narrow = (int8_t)bytes[0];
  if (raw == MOTE_RAW_U16) narrow = bytes[0] | bytes[1] << 8;
  if (raw == MOTE_RAW_I16) narrow = (int16_t)(bytes[0] | bytes[1] << 8);
  if (raw == MOTE_RAW_I8 || raw == MOTE_RAW_U16 || raw == MOTE_RAW_I16)
    memcpy(to, &narrow, 4);
  else
    memcpy(to, bytes, size);
}

void mote_raw_take(mote_raw raw, bool big, const void *from, size_t stride, size_t count, void *to,
                   size_t to_stride) {
  const uint8_t *source = from;
  uint8_t *target = to;
  size_t size = raws[raw].size;
  if (!big && stride == size && to_stride == size && mote_type_size(raws[raw].type) == size) {
    if (count > 0) memcpy(to, from, count * size);
    return;
  }
  for (size_t k = 0; k < count; ++k) take_one(raw, big, source + k * stride, target + k * to_stride);
}

void mote_raw_store(mote_type type, double value, void *to) {
  double whole = value == value ? value : 0;
  uint8_t u8 = (uint8_t)(whole < 0 ? 0 : whole > 255 ? 255 : whole);
  uint32_t u32 = (uint32_t)(whole < 0 ? 0 : whole > 4294967295.0 ? 4294967295.0 : whole);
  int32_t i32 = (int32_t)(whole < -2147483648.0  ? -2147483648.0
                          : whole > 2147483647.0 ? 2147483647.0
                                                 : whole);
  uint64_t u64 = whole < 0 ? 0 : whole >= 18446744073709551616.0 ? UINT64_MAX : (uint64_t)whole;
  float f32 = (float)value;
  switch (type) {
    case MOTE_TYPE_F32: memcpy(to, &f32, sizeof f32); break;
    case MOTE_TYPE_F64: memcpy(to, &value, sizeof value); break;
    case MOTE_TYPE_U8: memcpy(to, &u8, sizeof u8); break;
    case MOTE_TYPE_U32: memcpy(to, &u32, sizeof u32); break;
    case MOTE_TYPE_U64: memcpy(to, &u64, sizeof u64); break;
    case MOTE_TYPE_I32: memcpy(to, &i32, sizeof i32); break;
    case MOTE_TYPE_COUNT: break;
  }
}

// Digits alone, exactly; 0 characters if the number is not only digits.
static size_t parse_u64(const char *text, size_t size, uint64_t *value) {
  uint64_t sum = 0;
  size_t k = 0;
  for (; k < size && text[k] >= '0' && text[k] <= '9'; ++k) {
    uint64_t digit = (uint64_t)(text[k] - '0');
    if (sum > (UINT64_MAX - digit) / 10) return 0;
    sum = 10 * sum + digit;
  }
  if (k < size && (text[k] == '.' || text[k] == 'e' || text[k] == 'E')) return 0;
  *value = sum;
  return k;
}

size_t mote_raw_parse(mote_type type, const char *text, size_t size, void *to) {
  if (type == MOTE_TYPE_F32) {  // not through double, which would round twice
    float value = 0;
    size_t length = mote_text_read_float(text, size, MOTE_TEXT_ANY, &value).length;
    if (length > 0) memcpy(to, &value, sizeof value);
    return length;
  }
  uint64_t exact;
  size_t digits = type == MOTE_TYPE_U64 ? parse_u64(text, size, &exact) : 0;
  if (digits > 0) {
    memcpy(to, &exact, sizeof exact);
    return digits;
  }
  double value = 0;
  size_t length = mote_text_read_double(text, size, MOTE_TEXT_ANY, &value).length;
  if (length > 0) mote_raw_store(type, value, to);
  return length;
}

size_t mote_raw_parse_as(mote_raw raw, const char *text, size_t size, void *to) {
  if (raw != MOTE_RAW_I64) return mote_raw_parse(mote_raw_type(raw), text, size, to);
  long long value = 0;
  size_t length = mote_text_read_integer(text, size, &value).length;
  uint64_t bits = (uint64_t)value;
  if (length > 0) memcpy(to, &bits, sizeof bits);
  return length;
}

double mote_raw_value(mote_type type, const void *from) {
  float f32;
  double f64;
  uint32_t u32;
  uint64_t u64;
  int32_t i32;
  switch (type) {
    case MOTE_TYPE_F32: memcpy(&f32, from, sizeof f32); return (double)f32;
    case MOTE_TYPE_F64: memcpy(&f64, from, sizeof f64); return f64;
    case MOTE_TYPE_U8: return *(const uint8_t *)from;
    case MOTE_TYPE_U32: memcpy(&u32, from, sizeof u32); return u32;
    case MOTE_TYPE_U64: memcpy(&u64, from, sizeof u64); return (double)u64;
    case MOTE_TYPE_I32: memcpy(&i32, from, sizeof i32); return i32;
    case MOTE_TYPE_COUNT: break;
  }
  return 0;
}

mote_type mote_raw_settle(uint64_t *value, size_t count) {
  size_t k = 0;
  while (k < count && value[k] <= INT64_MAX) ++k;
  if (k == count) return MOTE_TYPE_U64;
  for (k = 0; k < count; ++k) {
    double number = value[k] <= INT64_MAX ? (double)value[k] : -(double)(UINT64_MAX - value[k]) - 1;
    memcpy(&value[k], &number, sizeof number);
  }
  return MOTE_TYPE_F64;
}
