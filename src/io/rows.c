// Tables in binary: see rows.h.
#include "io/rows.h"

#include <string.h>

mote_result mote_rows_add(mote_rows *rows, const mote_field_view *field, mote_raw to, mote_error *error) {
  size_t size = mote_type_size(field->type), components = (size_t)field->components;
  if (rows->parts + components > MOTE_ROW_PARTS)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "more than %d numbers per particle",
                        MOTE_ROW_PARTS);
  for (size_t c = 0; c < components; ++c)
    rows->part[rows->parts++] =
        (mote_row_part){(const uint8_t *)field->data + c * size, size * components, field->type, to};
  return MOTE_OK;
}

// Integers keep their low bits, other numbers their value.
static void turn(const mote_row_part *part, const uint8_t *from, uint8_t *to) {
  mote_type type = mote_raw_type(part->to);
  bool whole = part->type != MOTE_TYPE_F32 && part->type != MOTE_TYPE_F64;
  if (part->type == type || (whole && type != MOTE_TYPE_F32 && type != MOTE_TYPE_F64)) {
    uint8_t bits[8] = {0};
    memcpy(bits, from, mote_type_size(part->type));
    memcpy(to, bits, mote_raw_size(part->to));
  } else {
    mote_raw_store(type, mote_raw_value(part->type, from), to);
  }
}

static void fill_column(const mote_row_part *part, size_t begin, size_t count, bool big, uint8_t *to,
                        size_t row_size) {
  size_t size = mote_raw_size(part->to);
  for (size_t k = 0; k < count; ++k, to += row_size) {
    if (part->from == NULL)
      mote_raw_store(mote_raw_type(part->to), 1, to);
    else
      turn(part, part->from + (begin + k) * part->stride, to);
    if (big) mote_raw_swap(to, size, 1);
  }
}

void mote_rows_write(const mote_rows *rows, size_t count, bool big, mote_file_out *out) {
  uint8_t block[1 << 16];
  size_t row_size = 0;
  for (size_t p = 0; p < rows->parts; ++p) row_size += mote_raw_size(rows->part[p].to);
  if (row_size == 0) return;  // no columns
  size_t portion = sizeof block / row_size;
  for (size_t begin = 0; begin < count; begin += portion) {
    size_t now = count - begin < portion ? count - begin : portion, at = 0;
    for (size_t p = 0; p < rows->parts; ++p) {
      fill_column(&rows->part[p], begin, now, big, block + at, row_size);
      at += mote_raw_size(rows->part[p].to);
    }
    mote_file_out_write(out, block, now * row_size);
  }
}
