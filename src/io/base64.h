// Base64 as VTK files have it: streams of groups of four letters, one after the other.
#ifndef MOTE_BASE64_H
#define MOTE_BASE64_H

#include "io/io_base.h"

// The four letters of 1 to 3 bytes, with = where bytes lack.
void mote_base64_group(const uint8_t *bytes, size_t count, char out[4]);

// Bytes to letters, as they come.
typedef struct mote_base64_writer {
  mote_file_out *out;
  uint8_t left[3];  // bytes that do not yet make a group
  size_t lefts;
} mote_base64_writer;

void mote_base64_write(mote_base64_writer *writer, const void *bytes, size_t size);
// Ends the stream, with = where bytes lack.
void mote_base64_end(mote_base64_writer *writer);

// Letters to bytes, as they are asked for. Spaces are passed over, and so is the end of one stream when
// another follows.
typedef struct mote_base64_reader {
  const char *text;
  size_t size, at;
  uint8_t left[3];
  int lefts;
} mote_base64_reader;

// Number of decoded bytes, at most `size`.
size_t mote_base64_read(mote_base64_reader *reader, void *bytes, size_t size);

#endif
