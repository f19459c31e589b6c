// PLY files: the head, and sequential reading of the values, in text or binary of either byte order.
#ifndef MOTE_PLY_H
#define MOTE_PLY_H

#include "io/columns.h"
#include "io/raw.h"

typedef enum mote_ply_format { MOTE_PLY_ASCII, MOTE_PLY_LITTLE, MOTE_PLY_BIG } mote_ply_format;

typedef struct mote_ply_property {
  mote_word name;
  bool list;
  mote_raw count_type, type;
} mote_ply_property;

typedef struct mote_ply_element {
  mote_word name;
  uint64_t count;
  int first, properties;  // in the list of all
} mote_ply_element;

#define MOTE_PLY_ELEMENTS 16
#define MOTE_PLY_PROPERTIES 1024

typedef struct mote_ply {
  mote_scan scan;  // at the next value
  const mote_file_content *source;
  mote_ply_format format;
  int elements, properties;
  mote_ply_element element[MOTE_PLY_ELEMENTS];
  mote_ply_property property[MOTE_PLY_PROPERTIES];
  mote_stamp_lines lines;
} mote_ply;

mote_result mote_ply_open(const mote_file_content *source, mote_ply *ply, mote_error *error);

// Reads the next value, of this type in the file, as a number of a cloud's type.
mote_result mote_ply_take(mote_ply *ply, mote_raw raw, mote_type type, void *to, mote_error *error);
// A list's length, which must not be more than the file can hold.
mote_result mote_ply_take_length(mote_ply *ply, const mote_ply_property *property, uint64_t *length,
                                 mote_error *error);
// Skips a property, or all rows of an element.
mote_result mote_ply_skip_property(mote_ply *ply, const mote_ply_property *property, mote_error *error);
mote_result mote_ply_skip_element(mote_ply *ply, const mote_ply_element *element, mote_error *error);
// FORMAT if the file is too short for the element.
mote_result mote_ply_check_count(const mote_ply *ply, const mote_ply_element *element, mote_error *error);

// All rows of an element as a cloud; and the head and the vertices of a file, before its faces if `mesh` is
// not null.
mote_result mote_ply_read_vertices(mote_ply *ply, const mote_ply_element *element, mote_cloud *out,
                                   mote_error *error);
mote_result mote_ply_write_vertices(const mote_cloud *cloud, const mote_mesh *mesh, mote_file_out *out,
                                    mote_error *error);

#endif
