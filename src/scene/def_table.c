// The table of keys: see mote/keys.h and def_table.inc.
#include "scene/def_table.h"

#include <math.h>
#include <mote/edits.h>
#include <stddef.h>
#include <string.h>

#include "base/check.h"

#define RANGE_ANY "", -MOTE_KEY_HUGE, MOTE_KEY_HUGE, false, false
#define RANGE_ABOVE(low) "> " #low, low, MOTE_KEY_HUGE, true, false
#define RANGE_FROM(low) ">= " #low, low, MOTE_KEY_HUGE, false, false
#define RANGE_BETWEEN(low, high) #low " to " #high, low, high, false, false
#define RANGE_ABOVE_TO(low, high) "> " #low " and <= " #high, low, high, true, false
#define RANGE_INSIDE(low, high) "> " #low " and < " #high, low, high, true, true

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
#define UNIT_MOMENT "N m"
#define UNIT_PRESSURE "Pa"
#define UNIT_TEMPERATURE "K"
#define UNIT_CONDUCTIVITY "W/(m K)"
#define UNIT_HEAT_CAPACITY "J/(kg K)"
#define UNIT_LATENT_HEAT "J/kg"
#define UNIT_HEAT_TRANSFER "W/(m2 K)"
#define UNIT_HEATING "W/m3"
#define UNIT_TEMPERATURE_SLOPE "1/K"
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
#define TYPE_QUALITY(detail) "one of " detail
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

// The value, the documented text, and whether scene files must give it.
#define IS(value) value, value, false
#define NEEDED(value) value, "required", true
#define BY_PRESET(value) value, "of the preset", false

#define NO_FLAGS 0
#define SHOWN_ONLY MOTE_KEY_SHOWN_ONLY
#define RUNNING MOTE_KEY_RUNNING
#define INFINITE MOTE_KEY_INFINITE
#define AUTO MOTE_KEY_AUTO
#define UNHASHED MOTE_KEY_UNHASHED
#define BESIDE MOTE_KEY_BESIDE
#define SPACINGS MOTE_KEY_SPACINGS

#define AT(type, member) offsetof(type, member), 0, sizeof((type *)0)->member
#define LISTED(type, member, count) offsetof(type, member), offsetof(type, count), sizeof((type *)0)->member
#define IN_SHAPE 0, 0, 0
#define NO_MEMBER 0, 0, 0

// Macros of several values are taken apart by a second macro, which sees them one by one.
#define KEY(section, name, kind, dimension, range, initial, flags, detail, where, text)                    \
  ROW(section, name, TYPE_##kind(detail), UNIT_##dimension, RANGE_##range, initial, text, MOTE_KEY_##kind, \
      MOTE_DIMENSION_##dimension, flags, detail, where)
#define ROW(...) MEMBERS(__VA_ARGS__)
#define MEMBERS(in, key, shown, si, limits, least, most, over, under, start, documented, must, sentence, of, \
                measure, bits, more, from, length, bytes)                                                    \
  {.section = in,                                                                                            \
   .name = key,                                                                                              \
   .type = shown,                                                                                            \
   .unit = si,                                                                                               \
   .range = limits,                                                                                          \
   .low = least,                                                                                             \
   .high = most,                                                                                             \
   .above = over,                                                                                            \
   .below = under,                                                                                           \
   .value = start,                                                                                           \
   .initial = documented,                                                                                    \
   .required = must,                                                                                         \
   .text = sentence,                                                                                         \
   .kind = of,                                                                                               \
   .dimension = measure,                                                                                     \
   .flags = bits,                                                                                            \
   .detail = more,                                                                                           \
   .offset = from,                                                                                           \
   .count = length,                                                                                          \
   .size = bytes},

static const mote_scene_key keys[] = {
#include "scene/def_table.inc"
};
enum { KEYS = sizeof keys / sizeof *keys };

// --- Sections ---------------------------------------------------------------------------------------------

static const struct {
  const char *name;
  size_t size;
} sections[] = {
    {"scene", sizeof(mote_scene)},
    {"domain", sizeof(mote_world_def)},
    {"air", sizeof(mote_air_def)},
    {"track", sizeof(mote_world_track_def)},
    {"properties", sizeof(mote_track_properties)},
    {"waves", sizeof(mote_track_waves)},
    {"material", sizeof(mote_material_def)},
    {"body", sizeof(mote_body_entry)},
    {"hold", sizeof(mote_hold_def)},
    {"load", sizeof(mote_load_def)},
    {"crack", sizeof(mote_crack_def)},
    {"corner", sizeof(mote_corner_def)},
    {"copies", sizeof(mote_copies_def)},
    {"hinge", sizeof(mote_hinge_def)},
    {"collider", sizeof(mote_collider_def)},
    {"motion", sizeof(mote_motion_def)},
    {"key", sizeof(mote_key)},
    {"emitter", sizeof(mote_emitter_def)},
    {"drain", sizeof(mote_drain_def)},
    {"force", sizeof(mote_force_def)},
    {"probe", sizeof(mote_probe_def)},
    {"lamp", sizeof(mote_lamp_def)},
    {"outputs", sizeof(mote_outputs_def)},
    {"surface", sizeof(mote_surface_output_def)},
    {"camera", sizeof(mote_camera_def)},
    {"solver", sizeof(mote_solver_def)},
    {"edits", sizeof(mote_edits)},
    {"weights", sizeof(mote_deform_weights)},
    {"solve", sizeof(mote_deform_solve_opts)},
    {"handle", sizeof(mote_handle_def)},
    {"turn", sizeof(mote_turn_def)},
    {"animation", sizeof(mote_animation)},
    {"motion_weights", sizeof(mote_deform_motion_weights)},
    {"keyframe", sizeof(mote_keyframe_def)},
    {"obstacle", sizeof(mote_obstacle_def)},
};

size_t mote_scene_section_size(const char *section) {
  for (size_t k = 0; k < sizeof sections / sizeof *sections; ++k)
    if (strcmp(sections[k].name, section) == 0) return sections[k].size;
  return sizeof(mote_shape_entry);
}

const mote_scene_key *mote_scene_keys(size_t *count) {
  *count = KEYS;
  return keys;
}

const mote_scene_key *mote_scene_section(const char *section, size_t *count) {
  size_t first = 0, end;
  while (first < KEYS && strcmp(keys[first].section, section) != 0) ++first;
  for (end = first; end < KEYS && strcmp(keys[end].section, section) == 0;) ++end;
  *count = end - first;
  return *count > 0 ? &keys[first] : NULL;
}

const mote_scene_key *mote_scene_key_find(const char *section, const char *name) {
  size_t count;
  const mote_scene_key *key = mote_scene_section(section, &count);
  for (size_t k = 0; k < count; ++k)
    if (strcmp(key[k].name, name) == 0) return &key[k];
  return NULL;
}

// --- Values -----------------------------------------------------------------------------------------------

bool mote_scene_key_allows(const mote_scene_key *key, double value) {
  if (isnan(value)) return false;
  if (isinf(value)) return (key->flags & MOTE_KEY_INFINITE) != 0;
  return (key->above ? value > key->low : value >= key->low) &&
         (key->below ? value < key->high : value <= key->high);
}

// The kernels of fluids, in the order of their names in the table.
static const mote_kernel_kind kernels[] = {MOTE_KERNEL_CUBIC_SPLINE, MOTE_KERNEL_WENDLAND_C2,
                                           MOTE_KERNEL_DESBRUN};

int mote_scene_key_choice(const mote_scene_key *key, const char *name) {
  size_t length = strlen(name);
  int k = 0;
  for (const char *at = key->detail; at != NULL; ++k) {
    if (strcspn(at, ",") == length && strncmp(at, name, length) == 0) {
      MOTE_ASSERT(key->kind != MOTE_KEY_KERNEL || k < (int)(sizeof kernels / sizeof kernels[0]));
      return key->kind == MOTE_KEY_KERNEL ? (int)kernels[k] : k;
    }
    at = strstr(at, ", ");
    if (at != NULL) at += 2;
  }
  return -1;
}

bool mote_scene_key_has_choice(const mote_scene_key *key, int value) {
  int names = 1;
  for (const char *at = strstr(key->detail, ", "); at != NULL; at = strstr(at + 2, ", ")) ++names;
  if (key->kind != MOTE_KEY_KERNEL) return value >= 0 && value < names;
  for (int k = 0; k < names; ++k)
    if ((int)kernels[k] == value) return true;
  return false;
}
