// Columns of tables (CSV, PLY): names of a field's components, and grouping of columns to fields.
// position: x y z; normal: nx ny nz; colour: red green blue alpha; else velocity_x velocity_y velocity_z, or
// stress_0 ... if there are not 2 or 3.
#ifndef MOTE_COLUMNS_H
#define MOTE_COLUMNS_H

#include "io/stamp.h"

#define MOTE_COLUMN_NAME 144
void mote_column_name(const mote_field_view *field, int component, char out[MOTE_COLUMN_NAME]);

typedef struct mote_table_column {
  mote_word name;
  mote_type type;
  // Address of its first value in the cloud, and the stride; set by mote_columns_make.
  uint8_t *to;
  size_t stride;
} mote_table_column;

// Makes fields of columns, with cloud->count rows. Adjacent columns of one type
// with names as above form one field; vx vy vz are the velocity, nx ny nz the normal. If `lines` has a field
// of that name and size, its type is used.
mote_result mote_columns_make(mote_table_column *column, size_t columns, const mote_stamp_lines *lines,
                              const mote_file_content *source, mote_cloud *cloud, mote_error *error);

#endif
