// Views: read access to arrays of the library, with name, unit and type.
#ifndef MOTE_VIEW_H
#define MOTE_VIEW_H

#include <mote/base.h>

#ifdef __cplusplus
extern "C" {
#endif

// Type of a value. The numbers are part of the snapshot format.
typedef enum mote_type {
  MOTE_TYPE_F32,
  MOTE_TYPE_F64,
  MOTE_TYPE_U8,
  MOTE_TYPE_U32,
  MOTE_TYPE_U64,
  MOTE_TYPE_I32,
  MOTE_TYPE_COUNT
} mote_type;

// Bytes of one value.
MOTE_API size_t mote_type_size(mote_type type);
// "f32"
MOTE_API const char *mote_type_name(mote_type type);

// One array: `count` rows of `components` values each, contiguous. All zero: no such array.
typedef struct mote_field_view {
  const char *name, *unit;
  mote_type type;
  int components;
  size_t count;
  void *data;
} mote_field_view;

#ifdef __cplusplus
}
#endif
#endif
