// Tables of fields as text, written.
#ifndef MOTE_CSV_TABLE_H
#define MOTE_CSV_TABLE_H

#include <mote/text.h>

#include "io/columns.h"

#define MOTE_CSV_COLUMNS 1024

// Names, then `count` rows of all fields, separated by commas; `before` (may be null) adds the beginning
// of each row. There are no comments: spreadsheets and pandas would read them as rows.
typedef void mote_csv_before_fn(mote_buffer *out, const void *user, size_t row);
mote_result mote_csv_table(const mote_field_view *field, int fields, size_t count, mote_csv_before_fn *before,
                           const void *user, mote_buffer *head, mote_file_out *out, mote_error *error);

#endif
