// Base64 of VTK files: streams of groups of four letters, one after the other.
#ifndef MOTE_BASE64_H
#define MOTE_BASE64_H

#include "io/io_base.h"

// The four letters of 1 to 3 bytes, with = where bytes lack.
void mote_base64_group(const uint8_t *bytes, size_t count, char out[4]);

// Encodes bytes incrementally.
typedef struct mote_base64_writer {
  mote_file_out *out;
  uint8_t left[3];  // bytes of an incomplete group
  size_t lefts;
} mote_base64_writer;

void mote_base64_write(mote_base64_writer *writer, const void *bytes, size_t size);
// Ends the stream, with = where bytes lack.
void mote_base64_end(mote_base64_writer *writer);

// Decodes letters incrementally. Skips spaces, and the end of a stream if another follows.
typedef struct mote_base64_reader {
  const char *text;
  size_t size, at;
  uint8_t left[3];
  int lefts;
} mote_base64_reader;

// Number of decoded bytes, at most `size`.
size_t mote_base64_read(mote_base64_reader *reader, void *bytes, size_t size);

#endif
