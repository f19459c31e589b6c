// Positions only, in the formats of splashsurf: XYZ of three little-endian floats for each
// particle, JSON as a list of lists of three numbers.
#include "io/cloud.h"
#include "io/json.h"
#include "io/raw.h"

#define PARTICLE_BYTES 12  // of a particle

// Text has no control characters except white space; floats soon contain some.
static bool is_text(const mote_file_content *source) {
  for (size_t k = 0; k < source->size; ++k) {
    uint8_t c = source->data[k];
    if (c < ' ' && !(c >= '\t' && c <= '\r')) return false;
  }
  return true;
}

mote_result mote_xyz_read(const mote_file_content *source, mote_cloud *out, mote_error *error) {
  if (is_text(source)) return mote_csv_read(source, out, error);
  if (source->size % PARTICLE_BYTES != 0)
    return mote_io_fail(error, MOTE_ERROR_FORMAT, source->path,
                        "neither text nor three floats for each particle: %zu bytes", source->size);
  out->count = source->size / PARTICLE_BYTES;
  MOTE_IO_TRY(mote_cloud_add(out, source, (mote_word){"position", 8}, MOTE_TYPE_F32, 3, error));
  mote_raw_take(MOTE_RAW_F32, false, source->data, 4, 3 * out->count, out->field[0].data, 4);
  return MOTE_OK;
}

static bool take_point(mote_json point, double x[3]) {
  size_t at = 0, count = 0;
  mote_json key, value;
  for (; mote_json_next(point, &at, &key, &value); ++count) {
    if (count == 3) return false;
    x[count] = mote_json_number(value, 0.0 / 0.0);
    if (x[count] != x[count]) return false;
  }
  return count == 3;
}

mote_result mote_json_read_cloud(const mote_file_content *source, mote_cloud *out, mote_error *error) {
  mote_json list, key, point;
  mote_word text = {(const char *)source->data, source->size};
  MOTE_IO_TRY(mote_json_check(text, source->path, &list, error));
  if (list.size == 0 || list.text[0] != '[')
    return mote_io_fail(error, MOTE_ERROR_FORMAT, source->path, "not a list of points [[x, y, z], ...]");
  for (size_t at = 0; mote_json_next(list, &at, &key, &point);) ++out->count;
  MOTE_IO_TRY(mote_cloud_add(out, source, (mote_word){"position", 8}, MOTE_TYPE_F64, 3, error));
  double *x = out->field[0].data;
  for (size_t at = 0, i = 0; mote_json_next(list, &at, &key, &point); ++i)
    if (point.text[0] != '[' || !take_point(point, x + 3 * i))
      return mote_io_fail(error, MOTE_ERROR_FORMAT, source->path, "point %zu is not three numbers", i + 1);
  return MOTE_OK;
}
