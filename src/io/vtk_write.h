// VTK's XML files, written: heads as text, arrays behind them ("appended").
#ifndef MOTE_VTK_WRITE_H
#define MOTE_VTK_WRITE_H

#include "io/io_base.h"

// One array of the file. Without data it is counted: `first`, first + 1, ...; or all are `first` where the
// type is U8.
typedef struct mote_vtk_array {
  const char *name, *unit;
  mote_type type;
  int components;
  size_t count;  // of rows
  const void *data;
  uint32_t first;
} mote_vtk_array;

#define MOTE_VTK_ARRAYS (MOTE_CLOUD_FIELDS + 4)

// A file on its way. Arrays are named in the head in the order in which they follow it.
typedef struct mote_vtk_writer {
  mote_file_out *out;
  mote_buffer head;
  bool encoded;  // in base64, for readers that cannot do without
  uint64_t offset;
  int arrays;
  mote_vtk_array array[MOTE_VTK_ARRAYS];
} mote_vtk_writer;

// Head up to the fields of the data set `kind` ("PolyData"); `attributes` are those of its element.
mote_vtk_writer mote_vtk_begin(mote_file_out *out, bool encoded, const char *kind, const char *attributes,
                               const mote_stamp *stamp);
void mote_vtk_text(mote_vtk_writer *writer, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Text as it stands between quotes or elements.
void mote_vtk_escape(mote_vtk_writer *writer, const char *text);
void mote_vtk_add(mote_vtk_writer *writer, mote_vtk_array array);
// All of the fields but the one called `without` (which may be null) as point data.
void mote_vtk_add_fields(mote_vtk_writer *writer, const mote_field_view *field, int fields,
                         const char *without);
// Ends the head, writes the arrays, frees what it held.
mote_result mote_vtk_end(mote_vtk_writer *writer, const char *kind, mote_error *error);

#endif
