// Tables in binary, row by row: fields of a cloud as columns of one record.
#ifndef MOTE_ROWS_H
#define MOTE_ROWS_H

#include "io/raw.h"

// An element of a row: a number of a field, converted to type `to`.
typedef struct mote_row_part {
  const uint8_t *from;  // its first value; null: the number 1
  size_t stride;
  mote_type type;
  mote_raw to;
} mote_row_part;

#define MOTE_ROW_PARTS 1024

typedef struct mote_rows {
  size_t parts;
  mote_row_part part[MOTE_ROW_PARTS];
} mote_rows;

// Adds all components of a field; ARGUMENT if a row becomes too long.
mote_result mote_rows_add(mote_rows *rows, const mote_field_view *field, mote_raw to, mote_error *error);

void mote_rows_write(const mote_rows *rows, size_t count, bool big, mote_file_out *out);

#endif
