// The keys of the scene language, one row each: where the value stands in a definition, of what type, unit,
// range and default it is, and a sentence about it. Made from src/scene/def_table.inc, as are the defaults,
// the checks, the definition hash, the reader of scene files and docs/scene.md.
#ifndef MOTE_KEYS_H
#define MOTE_KEYS_H

#include <mote/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum mote_dimension {
  MOTE_DIMENSION_NONE,
  MOTE_DIMENSION_LENGTH,
  MOTE_DIMENSION_TIME,
  MOTE_DIMENSION_SPEED,
  MOTE_DIMENSION_ACCELERATION,
  MOTE_DIMENSION_ANGLE,
  MOTE_DIMENSION_TURNING,
  MOTE_DIMENSION_DENSITY,
  MOTE_DIMENSION_VISCOSITY,
  MOTE_DIMENSION_TENSION,
  MOTE_DIMENSION_PRESSURE,
  MOTE_DIMENSION_RATE,
  MOTE_DIMENSION_FORCE,
  MOTE_DIMENSION_MOMENT,
  MOTE_DIMENSION_TEMPERATURE,
  MOTE_DIMENSION_CONDUCTIVITY,
  MOTE_DIMENSION_HEAT_CAPACITY,
  MOTE_DIMENSION_LATENT_HEAT,
  MOTE_DIMENSION_HEAT_TRANSFER,
  MOTE_DIMENSION_HEATING,
  MOTE_DIMENSION_TEMPERATURE_SLOPE,
  MOTE_DIMENSIONS
} mote_dimension;

// The kind of a value, and its C type in the definition.
typedef enum mote_key_kind {
  MOTE_KEY_VERSION,   // not stored
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
  MOTE_KEY_VALUE3,    // mote_value3; detail: variables
  MOTE_KEY_CHOICE,    // an enum; detail: its names, in order
  MOTE_KEY_KERNEL,    // mote_kernel_kind; detail: names
  MOTE_KEY_QUALITY,   // mote_quality, which sets other members of the mote_solver_def; detail: names
  MOTE_KEY_SIDES,     // mote_side[2]; detail: names
  MOTE_KEY_GRAVITY,   // double[3]
  MOTE_KEY_COLOUR,    // double[3]
  MOTE_KEY_PRESET,    // the whole mote_material_def
  MOTE_KEY_MATERIAL,  // const char *
  MOTE_KEY_TEXTS,     // const char *const * and size_t; detail: allowed texts, "" for any
  MOTE_KEY_MAP,       // a nested definition; detail: its section
  MOTE_KEY_OPTION,    // the same, or true or false, stored in the first member of its struct
  MOTE_KEY_NAMED,     // array and size_t; detail: the section of each element
  MOTE_KEY_LIST,      // the same, without names
  MOTE_KEY_SHAPE,     // mote_shape_def
  MOTE_KEY_PARTS,     // parts of a mote_shape_entry
} mote_key_kind;

enum {
  MOTE_KEY_SHOWN_ONLY = 1,  // affects only what is shown
  MOTE_KEY_INFINITE = 2,    // inf is allowed
  MOTE_KEY_AUTO = 4,        // "auto" is allowed and stored as NaN
  MOTE_KEY_UNHASHED = 8,    // a limit without influence on results: not in the definition hash
  MOTE_KEY_BESIDE = 16,     // stands beside the definition: neither checked nor hashed with it
  MOTE_KEY_SPACINGS = 32,   // a length in spacings; command lines take it in m, too ("2 cm")
  MOTE_KEY_RUNNING = 64,    // may change while a world runs (mote/steer.h)
};

// Numbers beyond this are refused, unless the range of the key includes them.
#define MOTE_KEY_HUGE 1e12

typedef struct mote_scene_key {
  const char *section;  // the mapping it stands in: "scene", "material", "body", "shape", "box", ...
  const char *name;
  const char *type;     // as text: "number", "vector", "one of cubic, hexagonal, relaxed", ...
  const char *unit;     // SI; "" where there is none
  const char *range;    // as text: "", "> 0", "0 to 1", ...
  const char *value;    // default of the definition, in the scene language; "none": NaN or null
  const char *initial;  // default as documented: `value`, "required" or "of the preset"
  const char *text;     // a sentence
  mote_key_kind kind;
  mote_dimension dimension;
  double low, high;
  bool above, below;  // low, high themselves are excluded
  bool required;      // in scene files
  int flags;
  const char *detail;    // by kind
  size_t offset, count;  // of the value in the definition; `count`: of a list's length
  size_t size;           // of the member; 0: it has none
} mote_scene_key;

// All keys, in the order of docs/scene.md.
MOTE_API const mote_scene_key *mote_scene_keys(size_t *count);
// The first key of a section, and how many it has.
MOTE_API const mote_scene_key *mote_scene_section(const char *section, size_t *count);
// Null when there is none.
MOTE_API const mote_scene_key *mote_scene_key_find(const char *section, const char *name);

// Whether the number is in the range of the key; NaN never is.
MOTE_API bool mote_scene_key_allows(const mote_scene_key *key, double value);
// The enum value of a name of CHOICE, KERNEL or SIDES; -1 when there is none.
MOTE_API int mote_scene_key_choice(const mote_scene_key *key, const char *name);

// A key that has an effect only with certain values of another key of its mapping: names of a choice, "true"
// or "false" of a switch, "auto" or "set" of a number.
typedef struct mote_key_condition {
  const char *section, *name, *other, *values;
} mote_key_condition;
MOTE_API const mote_key_condition *mote_scene_key_conditions(size_t *count);
// The condition by which the key has no effect in the definition of its section; null: it has one.
MOTE_API const mote_key_condition *mote_scene_key_unused(const char *section, const char *name,
                                                         const void *def);

// A body as scene files have it.
typedef struct mote_body_entry {
  mote_body_def def;
  mote_copies_def copies;
} mote_body_entry;

// Units of length of mesh files, as scenes name them.
#define MOTE_MESH_UNITS "m, cm, mm, km, inch, foot"

// A shape as scene files have it.
typedef struct mote_shape_entry {
  mote_shape_def def;
  double size[3];  // of a box
  double height;   // of a figure
  // Of a mesh: its file, the index of its unit in MOTE_MESH_UNITS, the factor of its numbers
  const char *file, *hash;
  int unit;
  double mesh_scale;
} mote_shape_entry;

// Size of the struct that a section describes, and its defaults. Shapes ("shape", "box", ...) have theirs
// from mote_shape_def_default, materials a density, colour and the like from presets only.
MOTE_API size_t mote_scene_section_size(const char *section);
MOTE_API void mote_scene_section_default(const char *section, void *out);

#ifdef __cplusplus
}
#endif
#endif
