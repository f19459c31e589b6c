// Two views of the one table: for people (mote_scene_keys) and for the binding (mote_scene_rows).
#include "language/scene_table.h"

#include <string.h>

// --- For people -------------------------------------------------------------------------------------------

#define ANY ""
#define ABOVE(low) "> " #low
#define FROM(low) ">= " #low
#define BETWEEN(low, high) #low " to " #high

#define UNIT_NONE ""
#define UNIT_LENGTH "m"
#define UNIT_TIME "s"
#define UNIT_SPEED "m/s"
#define UNIT_ACCELERATION "m/s2"
#define UNIT_ANGLE "rad"
#define UNIT_TURNING "rad/s"
#define UNIT_DENSITY "kg/m3"
#define UNIT_VISCOSITY "Pa s"
#define UNIT_TENSION "N/m"
#define UNIT_FORCE "N"
#define UNIT_PRESSURE "Pa"
#define UNIT_RATE "Hz"

#define TYPE_VERSION(detail) "integer"
#define TYPE_TEXT(detail) "text"
#define TYPE_NUMBER(detail) "number"
#define TYPE_INTEGER(detail) "integer"
#define TYPE_COUNT(detail) "integer"
#define TYPE_SEED(detail) "integer"
#define TYPE_SWITCH(detail) "true or false"
#define TYPE_VECTOR(detail) "vector"
#define TYPE_PAIR(detail) "2 numbers"
#define TYPE_PIXELS(detail) "2 integers"
#define TYPE_VALUE(detail) "number or formula in " detail
#define TYPE_VALUE3(detail) "vector of numbers or formulas in " detail
#define TYPE_CHOICE(detail) "one of " detail
#define TYPE_KERNEL(detail) "one of " detail
#define TYPE_SIDES(detail) "one or two of " detail
#define TYPE_GRAVITY(detail) "vector or number"
#define TYPE_COLOUR(detail) "colour"
#define TYPE_PRESET(detail) "name of a preset"
#define TYPE_MATERIAL(detail) "name of a material"
#define TYPE_TEXTS(detail) "list of texts"
#define TYPE_MAP(detail) "mapping: " detail
#define TYPE_OPTION(detail) "true, false or mapping: " detail
#define TYPE_NAMED(detail) "names, each with a mapping: " detail
#define TYPE_LIST(detail) "list of mappings: " detail
#define TYPE_SHAPE(detail) "mapping: " detail
#define TYPE_PARTS(detail) "list of mappings: " detail

#define KEY(section, name, type, dimension, range, initial, flags, detail, where, text) \
  {section, name, TYPE_##type(detail), UNIT_##dimension, range, initial, text},

static const mote_scene_key keys[] = {
#include "language/scene_table.inc"
};
enum { KEYS = sizeof keys / sizeof *keys };

#undef KEY
#undef ANY
#undef ABOVE
#undef FROM
#undef BETWEEN

// --- For the binding --------------------------------------------------------------------------------------

#define ANY \
  { -MOTE_KEY_HUGE, MOTE_KEY_HUGE, false }
#define ABOVE(low) \
  { low, MOTE_KEY_HUGE, true }
#define FROM(low) \
  { low, MOTE_KEY_HUGE, false }
#define BETWEEN(low, high) \
  { low, high, false }

#define NOTHING 0
#define REQUIRED MOTE_KEY_REQUIRED
#define LOOKS MOTE_KEY_LOOKS
#define INFINITE MOTE_KEY_INFINITE
#define AUTO MOTE_KEY_AUTO

#define AT(type, member) offsetof(type, member), 0
#define LISTED(type, member, count) offsetof(type, member), offsetof(type, count)
#define IN_SHAPE 0, 0
#define NOWHERE 0, 0

#define KEY(section, name, type, dimension, range, initial, flags, detail, where, text) \
  {MOTE_KEY_##type, MOTE_DIMENSION_##dimension, range, flags, detail, where},

static const mote_key_row rows[] = {
#include "language/scene_table.inc"
};

const mote_scene_key *mote_scene_keys(size_t *count) {
  *count = KEYS;
  return keys;
}

const mote_key_row *mote_scene_rows(void) {
  return rows;
}

size_t mote_scene_section(const char *section, size_t *count) {
  size_t first = 0, end;
  while (first < KEYS && strcmp(keys[first].section, section) != 0) ++first;
  for (end = first; end < KEYS && strcmp(keys[end].section, section) == 0;) ++end;
  *count = end - first;
  return first;
}

size_t mote_scene_find_key(const char *section, const char *name) {
  size_t count, first = mote_scene_section(section, &count);
  for (size_t k = first; k < first + count; ++k)
    if (strcmp(keys[k].name, name) == 0) return k;
  return SIZE_MAX;
}

mote_shape_kind mote_scene_shape_kind(const char *name) {
  static const char *const names[MOTE_SHAPE_KINDS] = {
      [MOTE_SHAPE_BOX] = "box",
      [MOTE_SHAPE_SPHERE] = "sphere",
      [MOTE_SHAPE_ELLIPSOID] = "ellipsoid",
      [MOTE_SHAPE_CYLINDER] = "cylinder",
      [MOTE_SHAPE_CAPSULE] = "capsule",
      [MOTE_SHAPE_TORUS] = "torus",
      [MOTE_SHAPE_HALF_SPACE] = "half_space",
      [MOTE_SHAPE_MESH] = "mesh",
      [MOTE_SHAPE_FIGURE] = "figure",
      [MOTE_SHAPE_UNION] = "union",
      [MOTE_SHAPE_DIFFERENCE] = "difference",
      [MOTE_SHAPE_INTERSECTION] = "intersection",
  };
  for (int k = MOTE_SHAPE_NONE + 1; k < MOTE_SHAPE_KINDS; ++k)
    if (strcmp(names[k], name) == 0) return (mote_shape_kind)k;
  return MOTE_SHAPE_NONE;
}
