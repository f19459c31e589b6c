// The table of the scene language (scene_table.inc) as the binding sees it.
#ifndef MOTE_SCENE_TABLE_H
#define MOTE_SCENE_TABLE_H

#include <mote/io.h>

#include "language/scene_units.h"

typedef enum mote_key_type {
  MOTE_KEY_VERSION,   // nothing is kept
  MOTE_KEY_TEXT,      // const char *
  MOTE_KEY_NUMBER,    // double
  MOTE_KEY_INTEGER,   // int
  MOTE_KEY_COUNT,     // size_t; inf: SIZE_MAX
  MOTE_KEY_SEED,      // uint64_t
  MOTE_KEY_SWITCH,    // bool
  MOTE_KEY_VECTOR,    // double[3]; two numbers in 2D leave the third
  MOTE_KEY_PAIR,      // double[2]
  MOTE_KEY_PIXELS,    // int[2]
  MOTE_KEY_VALUE,     // mote_value; detail: variables
  MOTE_KEY_VALUE3,    // mote_value3
  MOTE_KEY_CHOICE,    // an enum; detail: its names, in order
  MOTE_KEY_KERNEL,    // mote_kernel_kind; detail: names
  MOTE_KEY_SIDES,     // mote_side[2]; detail: names
  MOTE_KEY_GRAVITY,   // double[3]
  MOTE_KEY_COLOUR,    // double[3]
  MOTE_KEY_PRESET,    // the whole mote_material_def
  MOTE_KEY_MATERIAL,  // const char *
  MOTE_KEY_TEXTS,     // const char *const * and size_t; detail: what is allowed
  MOTE_KEY_MAP,       // a mapping; detail: its section
  MOTE_KEY_OPTION,    // the same, or true or false, which is the first member of its struct
  MOTE_KEY_NAMED,     // array and size_t; detail: the section of each
  MOTE_KEY_LIST,      // the same
  MOTE_KEY_SHAPE,     // mote_shape_def
  MOTE_KEY_PARTS,     // parts of a mote_shape_values
} mote_key_type;

enum {
  MOTE_KEY_REQUIRED = 1,
  MOTE_KEY_LOOKS = 2,     // decides nothing but what is shown
  MOTE_KEY_INFINITE = 4,  // inf is a value
  MOTE_KEY_AUTO = 8,      // "auto" is: NaN
};

// Beyond this, numbers are mistakes.
#define MOTE_KEY_HUGE 1e12

typedef struct mote_key_range {
  double low, high;
  bool above;  // low itself is not in it
} mote_key_range;

typedef struct mote_key_row {
  mote_key_type type;
  mote_dimension dimension;
  mote_key_range range;
  int flags;
  const char *detail;
  size_t offset, count;  // in the definition; `count`: of a list's length
} mote_key_row;

// What a body's keys are bound to.
typedef struct mote_bound_body {
  mote_body_def def;
  mote_copies_def copies;
} mote_bound_body;

// What a shape's keys are bound to.
typedef struct mote_shape_values {
  mote_shape_def def;
  double size[3];  // of a box
  double height;   // of a figure
  const char *file, *hash;
} mote_shape_values;

// Rows of the same number as the keys of mote_scene_keys.
const mote_key_row *mote_scene_rows(void);

// The number of a section's first key, and how many it has.
size_t mote_scene_section(const char *section, size_t *count);
// The number of a key; SIZE_MAX when there is none.
size_t mote_scene_find_key(const char *section, const char *name);

// The kind of shape that a key of the section "shape" stands for; none for those beside the kind.
mote_shape_kind mote_scene_shape_kind(const char *name);

#endif
