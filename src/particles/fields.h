// What state there is: one line per array, for every family of things that has state (particles now;
// links, bodies, vertices, world scalars alike). Memory, sorting, hashing, snapshots, comparison and
// output are loops over these tables. How to add a field: docs/fields.md.
#ifndef MOTE_FIELDS_H
#define MOTE_FIELDS_H

#include <mote/view.h>

#include "base/check.h"

// Snapshots and hashes take values as they lie in memory.
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "little-endian machines only");

#define MOTE_FIELD_MAX 64       // fields of a table
#define MOTE_GROUP_MAX 16       // groups of a table
#define MOTE_COMPONENT_MAX 255  // values of a field per row
#define MOTE_NAME_SIZE 32       // bytes of a name with its final zero
#define MOTE_UNIT_SIZE 16

// Whether a field is state. Derived fields are computed anew from the others in every step.
typedef enum mote_kept {
  MOTE_KEPT_REQUIRED,  // saved; a snapshot without it is an error; new rows are NaN until written
  MOTE_KEPT_OPTIONAL,  // saved; where a snapshot lacks it, and in new rows, it is `initial`
  MOTE_KEPT_DERIVED,   // not saved
} mote_kept;

typedef struct mote_field {
  const char *name;  // a-z 0-9 _
  mote_type type;
  int components;
  int group;  // 0: every row has it; else only rows of blocks that use the group
  mote_kept kept;
  double initial;
  const char *unit;    // SI; "1" for pure numbers
  const char *writer;  // the stage that writes it
  const char *text;    // what it is
} mote_field;

typedef struct mote_table {
  const char *name;  // of the family
  const mote_field *field;
  int fields;
  const char *const *group;  // names; group 0 is common to all rows
  int groups;
  int id;  // the u64 field that names a row for ever; -1: rows are known by their place
} mote_table;

enum { MOTE_GROUP_ALL = 0 };

// A table is a macro that applies F to the lines of its fields; these make an enum and an array of it.
#define MOTE_FIELD_INDEX(symbol, ...) symbol,
#define MOTE_FIELD_ENTRY(symbol, name, type, components, group, kept, initial, unit, writer, text) \
  {name, MOTE_TYPE_##type, components, MOTE_GROUP_##group, MOTE_KEPT_##kept, initial, unit, writer, text},

// --- Particles ----------------------------------------------------------------------------------------

enum {
  MOTE_GROUP_FLUID = 1,
  MOTE_GROUP_FOLLOWED,
  MOTE_GROUP_STEPPED,         // steps of their own
  MOTE_GROUP_STEPPED_LAYERS,  // and densities that are followed
  MOTE_PARTICLE_GROUPS
};

// clang-format off
//  index                       name            type   group  kept           unit      written by   what
#define MOTE_PARTICLE_FIELDS(F) \
  F(MOTE_PARTICLE_ID,           "id",           U64, 1, ALL,   REQUIRED, 0, "1",      "store",     "names the particle for ever") \
  F(MOTE_PARTICLE_POSITION,     "position",     F64, 3, ALL,   REQUIRED, 0, "m",      "integrate", "where it is") \
  F(MOTE_PARTICLE_VELOCITY,     "velocity",     F32, 3, ALL,   REQUIRED, 0, "m/s",    "integrate", "how fast it moves") \
  F(MOTE_PARTICLE_MASS,         "mass",         F32, 1, ALL,   REQUIRED, 0, "kg",     "emit",      "constant for life") \
  F(MOTE_PARTICLE_BODY,         "body",         U32, 1, ALL,   OPTIONAL, 0, "1",      "emit",      "what made it: 1 + number of the body, then of the emitter") \
  F(MOTE_PARTICLE_ACCELERATION, "acceleration", F32, 3, ALL,   DERIVED,  0, "m/s^2",  "forces",    "of all forces but pressure") \
  F(MOTE_PARTICLE_DENSITY,      "density",      F32, 1, FLUID, DERIVED,  0, "kg/m^3", "density",   "summed over neighbours, or followed") \
  F(MOTE_PARTICLE_PRESSURE,     "pressure",     F32, 1, FLUID, OPTIONAL, 0, "Pa",     "pressure",  "the next solve starts from it") \
  F(MOTE_PARTICLE_DIVERGENCE_PRESSURE, "divergence_pressure", F32, 1, FLUID, OPTIONAL, 0, "Pa", "pressure", "of the divergence-free solve, which starts from it") \
  F(MOTE_PARTICLE_ROOM,         "room",         F32, 1, ALL,   DERIVED,  0, "m",      "collide",   "how far it may go before it can meet a wall; 0: not known") \
  F(MOTE_PARTICLE_COMPRESSION,  "compression",  F32, 1, FOLLOWED, OPTIONAL, 0, "1",   "pressure",  "density over that at rest, less 1, where it is followed") \
  F(MOTE_PARTICLE_LEVEL,        "step_level",   U8,  1, STEPPED, OPTIONAL, 255, "1",  "pressure",  "of its step: the block's over 2^level; 128 more: to be woken; 255: none yet") \
  F(MOTE_PARTICLE_KICK,         "step_kick",    F32, 3, STEPPED, OPTIONAL, 0, "m/s^2", "pressure", "acceleration by all forces when they were last evaluated") \
  F(MOTE_PARTICLE_CROWDING,     "step_density", F32, 1, STEPPED, OPTIONAL, 1, "1",    "move",      "relative density, as summed then and compressed since") \
  F(MOTE_PARTICLE_RATE,         "step_rate",    F32, 1, STEPPED, OPTIONAL, 0, "1/s",  "pressure",  "of compression, then") \
  F(MOTE_PARTICLE_SURFACE,      "step_surface", U8,  1, STEPPED, OPTIONAL, 0, "1",    "pressure",  "whether it was at a free surface then") \
  F(MOTE_PARTICLE_SLOPE,        "step_slope",   F32, 3, STEPPED_LAYERS, OPTIONAL, 0, "1/m", "pressure", "gradient of compression, then")
// clang-format on

enum { MOTE_PARTICLE_FIELDS(MOTE_FIELD_INDEX) MOTE_PARTICLE_FIELD_COUNT };

extern const mote_table mote_particle_table;

// --- Looking things up --------------------------------------------------------------------------------

bool mote_type_is_float(mote_type type);

// Bytes of one row of the field.
size_t mote_field_size(const mote_field *field);

static inline bool mote_field_saved(const mote_field *field) {
  return field->kept != MOTE_KEPT_DERIVED;
}

// The index of the field called `name`; -1 when there is none.
int mote_table_find(const mote_table *table, const char *name);

// The index of the group called `name`; -1 when there is none.
int mote_table_find_group(const mote_table *table, const char *name);

// ARGUMENT, with the reason, when the table breaks a rule above.
mote_result mote_table_check(const mote_table *table, mote_error *error);

#endif
