// The stamp of a file as lines of text, for formats that have comments:
//   mote 0.1.0
//   scene 00c0ffee00c0ffee
//   time 0.25
//   step 120
//   spacing 0.02
//   volume_ratio 1.013
//   field velocity f32 3 m/s
#ifndef MOTE_STAMP_H
#define MOTE_STAMP_H

#include "io/cloud.h"

// Adds the lines, each with the prefix `before`.
void mote_stamp_print(mote_buffer *out, const char *before, const mote_stamp *stamp,
                      const mote_field_view *field, int fields);

// The scene's hash as 16 digits.
#define MOTE_STAMP_HASH 17
void mote_stamp_hash(uint64_t hash, char out[MOTE_STAMP_HASH]);

// A field as described by its stamp line.
typedef struct mote_stamp_field {
  mote_word name, unit;
  mote_type type;
  int components;
} mote_stamp_field;

typedef struct mote_stamp_lines {
  mote_stamp stamp;
  int fields;
  mote_stamp_field field[MOTE_CLOUD_FIELDS];
} mote_stamp_lines;

mote_stamp_lines mote_stamp_lines_make(void);
// Parses one line without its prefix; other lines are skipped. Refers to words of it.
void mote_stamp_take(mote_stamp_lines *lines, mote_word line);
// The line of a field; or null.
const mote_stamp_field *mote_stamp_find(const mote_stamp_lines *lines, const char *name);
// Sets the stamp of the cloud and units of its fields.
mote_result mote_stamp_apply(const mote_stamp_lines *lines, mote_cloud *cloud, const mote_env *env,
                             mote_error *error);

#endif
