// VTK's XML files, written: arrays stand inline, in base64. (Appended raw bytes would be a quarter smaller,
// but ParaView built with a newer expat, as in Debian 12, stumbles over them.)
#ifndef MOTE_VTK_WRITE_H
#define MOTE_VTK_WRITE_H

#include "io/io_base.h"

// One array of the file. Without data it is counted: `first`, first + step, ...
typedef struct mote_vtk_array {
  const char *name, *unit;
  mote_type type;
  int components;
  size_t count;  // of rows
  const void *data;
  uint32_t first, step;
} mote_vtk_array;

// Head and field data of a data set `kind` ("PolyData"); `attributes` are those of its element.
void mote_vtk_begin(mote_file_out *out, const char *kind, const char *attributes, const mote_stamp *stamp);
// Short texts, unescaped.
void mote_vtk_text(mote_file_out *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
void mote_vtk_add(mote_file_out *out, mote_vtk_array array);
void mote_vtk_add_field(mote_file_out *out, const mote_field_view *field);
// All of the fields but the one called `without` (which may be null) as point data.
void mote_vtk_add_fields(mote_file_out *out, const mote_field_view *field, int fields, const char *without);
// Ends the piece, the data set and the file.
void mote_vtk_end(mote_file_out *out, const char *kind);

#endif
