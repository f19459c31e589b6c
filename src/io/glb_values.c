// Accessors, transformations of nodes and colours of GLB files: see glb.h.
#include <math.h>
#include <mote/numeric.h>
#include <string.h>

#include "io/glb.h"

mote_json mote_glb_item(const mote_buffer *list, uint64_t k) {
  if (k >= list->size / sizeof(mote_json)) return (mote_json){"", 0};
  return ((const mote_json *)(const void *)list->data)[k];
}

// --- Accessors --------------------------------------------------------------------------------------------

static bool find_type(mote_json accessor, mote_glb_values *out) {
  static const struct {
    const char *name;
    int components;
  } shapes[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}};
  static const struct {
    uint64_t code;
    mote_raw raw;
  } types[] = {{MOTE_GLB_BYTE, MOTE_RAW_I8}, {MOTE_GLB_U8, MOTE_RAW_U8},   {MOTE_GLB_I16, MOTE_RAW_I16},
               {MOTE_GLB_U16, MOTE_RAW_U16}, {MOTE_GLB_U32, MOTE_RAW_U32}, {MOTE_GLB_F32, MOTE_RAW_F32}};
  mote_json shape = mote_json_get(accessor, "type");
  uint64_t code = 0;
  bool known = false;
  (void)mote_json_count(mote_json_get(accessor, "componentType"), &code);
  out->components = 0;
  for (size_t k = 0; k < sizeof shapes / sizeof *shapes; ++k)
    if (mote_json_is(shape, shapes[k].name)) out->components = shapes[k].components;
  for (size_t k = 0; k < sizeof types / sizeof *types; ++k)
    if (types[k].code == code) out->raw = types[k].raw, known = true;
  mote_json normalized = mote_json_get(accessor, "normalized");
  out->normalized = normalized.size == 4 && memcmp(normalized.text, "true", 4) == 0;
  return known && out->components > 0;
}

static uint64_t count_or(mote_json value, uint64_t otherwise) {
  uint64_t count = otherwise;
  return mote_json_count(value, &count) ? count : otherwise;
}

mote_result mote_glb_open(const mote_glb *glb, mote_json index, mote_glb_values *out, mote_error *error) {
  uint64_t number = UINT64_MAX, view_number = UINT64_MAX;
  const char *path = glb->maker->source->path;
  (void)mote_json_count(index, &number);
  mote_json accessor = mote_glb_item(&glb->accessor, number);
  (void)mote_json_count(mote_json_get(accessor, "bufferView"), &view_number);
  mote_json view = mote_glb_item(&glb->view, view_number);
  long long reported = number == UINT64_MAX ? -1 : (long long)number;
  if (accessor.size == 0)
    return mote_io_fail(error, MOTE_ERROR_FORMAT, path, "there is no accessor %lld", reported);
  if (mote_json_get(accessor, "sparse").size > 0 || view.size == 0 ||
      count_or(mote_json_get(view, "buffer"), 1) != 0)
    return mote_io_fail(error, MOTE_ERROR_FORMAT, path,
                        "accessor %lld is sparse, or not in the file's own buffer: not read", reported);
  if (!find_type(accessor, out))
    return mote_io_fail(error, MOTE_ERROR_FORMAT, path, "accessor %lld is of a type that is not read",
                        reported);
  uint64_t element = (uint64_t)out->components * mote_raw_size(out->raw);
  uint64_t count = count_or(mote_json_get(accessor, "count"), 0);
  uint64_t begin = count_or(mote_json_get(view, "byteOffset"), 0),
           length = count_or(mote_json_get(view, "byteLength"), 0);
  uint64_t inside = count_or(mote_json_get(accessor, "byteOffset"), 0);
  uint64_t stride = count_or(mote_json_get(view, "byteStride"), element);
  bool fits = begin <= glb->bin.size && length <= glb->bin.size - begin && inside <= length && count >= 1 &&
              stride > 0 && stride >= element && length - inside >= element &&
              (count - 1) <= (length - inside - element) / stride;
  if (!fits)
    return mote_io_fail(error, MOTE_ERROR_FORMAT, path, "accessor %lld goes beyond its buffer, or is empty",
                        reported);
  out->data = (const uint8_t *)glb->bin.text + begin + inside;
  out->stride = (size_t)stride;
  out->count = (size_t)count;
  return MOTE_OK;
}

double mote_glb_value(const mote_glb_values *values, size_t row, int component) {
  uint64_t number = 0;
  const uint8_t *from = values->data + row * values->stride + (size_t)component * mote_raw_size(values->raw);
  mote_raw_take(values->raw, false, from, 8, 1, &number, 8);
  double value = mote_raw_value(mote_raw_type(values->raw), &number);
  if (!values->normalized || values->raw == MOTE_RAW_F32) return value;
  double most = values->raw == MOTE_RAW_U8    ? 255
                : values->raw == MOTE_RAW_U16 ? 65535
                : values->raw == MOTE_RAW_I8  ? 127
                : values->raw == MOTE_RAW_I16 ? 32767
                                              : 4294967295.0;
  return fmax(value / most, -1);
}

// --- Transformations
// -----------------------------------------------------------------------------------------------

static void take_numbers(mote_json list, double *out, size_t count) {
  mote_json none = {"", 0}, value;
  size_t k = 0;
  for (size_t at = 0; k < count && mote_json_next(list, &at, &none, &value); ++k)
    out[k] = mote_json_number(value, out[k]);
}

// Translation, rotation (a quaternion x y z w) and scale, or a matrix column by column.
static mote_glb_place own_place(mote_json node) {
  double t[3] = {0, 0, 0}, q[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1};
  double column[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  mote_glb_place place;
  take_numbers(mote_json_get(node, "translation"), t, 3);
  take_numbers(mote_json_get(node, "rotation"), q, 4);
  take_numbers(mote_json_get(node, "scale"), s, 3);
  mote_json matrix = mote_json_get(node, "matrix");
  take_numbers(matrix, column, 16);
  double x = q[0], y = q[1], z = q[2], w = q[3];
  double r[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),
                 2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
                 2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y)};
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b)
      place.m[4 * a + b] = matrix.size > 0 ? column[4 * b + a] : r[3 * a + b] * s[b];
    place.m[4 * a + 3] = matrix.size > 0 ? column[12 + a] : t[a];
  }
  return place;
}

mote_glb_place mote_glb_place_of(mote_json node, const mote_glb_place *parent) {
  mote_glb_place own = own_place(node), place;
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 4; ++b) {
      const double *p = parent->m + 4 * a;
      place.m[4 * a + b] = p[0] * own.m[b] + p[1] * own.m[4 + b] + p[2] * own.m[8 + b] + (b == 3 ? p[3] : 0);
    }
  return place;
}

void mote_glb_point(const mote_glb_place *place, const double x[3], double out[3]) {
  for (int a = 0; a < 3; ++a) {
    const double *m = place->m + 4 * a;
    out[a] = m[0] * x[0] + m[1] * x[1] + m[2] * x[2] + m[3];
  }
}

static void cofactors(const mote_glb_place *place, double c[9]) {
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) {
      int a1 = (a + 1) % 3, a2 = (a + 2) % 3, b1 = (b + 1) % 3, b2 = (b + 2) % 3;
      c[3 * a + b] =
          place->m[4 * a1 + b1] * place->m[4 * a2 + b2] - place->m[4 * a1 + b2] * place->m[4 * a2 + b1];
    }
}

double mote_glb_determinant(const mote_glb_place *place) {
  double c[9];
  cofactors(place, c);
  return place->m[0] * c[0] + place->m[1] * c[1] + place->m[2] * c[2];
}

void mote_glb_normal(const mote_glb_place *place, const double n[3], double out[3]) {
  double c[9], length = 0, turned = mote_glb_determinant(place) < 0 ? -1 : 1;
  bool same = true;  // without rotation the bits do not change
  cofactors(place, c);
  for (int k = 0; k < 9; ++k) same = same && place->m[k + k / 3] == (k % 4 == 0 ? 1 : 0);
  for (int a = 0; a < 3; ++a) {
    out[a] = turned * (c[3 * a] * n[0] + c[3 * a + 1] * n[1] + c[3 * a + 2] * n[2]);
    length += out[a] * out[a];
  }
  length = sqrt(length);
  for (int a = 0; a < 3; ++a) out[a] = length > 0 && !same ? out[a] / length : n[a];
}

// --- Colours: IEC 61966-2-1 -------------------------------------------------------------------------------

double mote_glb_linear(double srgb) {
  double c = fmin(fmax(srgb, 0), 1);
  return c <= 0.04045 ? c / 12.92 : mote_pow((c + 0.055) / 1.055, 2.4);
}

double mote_glb_srgb(double linear) {
  double c = fmin(fmax(linear, 0), 1);
  return c <= 0.0031308 ? 12.92 * c : 1.055 * mote_pow(c, 1 / 2.4) - 0.055;
}
