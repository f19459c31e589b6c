// The values of one array of a VTK XML file: as text, in base64 or raw, compressed by zlib or not.
#ifndef MOTE_VTK_DATA_H
#define MOTE_VTK_DATA_H

#include "io/cloud.h"
#include "io/raw.h"

// Encoding of the arrays of the file.
typedef struct mote_vtk_coding {
  const mote_file_content *source;
  bool big, wide, packed;  // byte order; 64-bit heads; compressed
  bool encoded;            // appended data in base64
  mote_word appended;      // from behind the _ on
} mote_vtk_coding;

typedef enum mote_vtk_place { MOTE_VTK_ASCII, MOTE_VTK_INLINE, MOTE_VTK_APPENDED } mote_vtk_place;

typedef struct mote_vtk_values {
  char name[128], unit[32];
  mote_raw raw;
  int components;
  mote_vtk_place place;
  mote_word text;
  uint64_t offset;
  mote_scan at;  // for messages
} mote_vtk_values;

// Decodes `rows` rows into `to`, as numbers of mote_raw_type(raw).
mote_result mote_vtk_decode(const mote_vtk_coding *coding, const mote_vtk_values *values, size_t rows,
                            void *to, mote_error *error);
// FORMAT if the file is too short for so many rows: call before allocating memory for them.
mote_result mote_vtk_check_size(const mote_vtk_coding *coding, const mote_vtk_values *values, uint64_t rows,
                                mote_error *error);

#endif
