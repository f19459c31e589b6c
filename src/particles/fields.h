// Tables of the state: one line per array, for every family of rows (particles, bodies,
// contacts, mesh vertices, world scalars). Memory, sorting, hashing, snapshots, comparison and
// output are loops over these tables. How to add a field: docs/fields.md.
#ifndef MOTE_FIELDS_H
#define MOTE_FIELDS_H

#include <mote/view.h>

#include "base/check.h"

// Snapshots and hashes use the memory layout of values.
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "little-endian machines only");

#define MOTE_FIELD_MAX 64       // fields of a table
#define MOTE_GROUP_MAX 16       // groups of a table
#define MOTE_COMPONENT_MAX 255  // values of a field per row
#define MOTE_NAME_SIZE 32       // bytes of a name with its final zero
#define MOTE_UNIT_SIZE 16

// Whether a field is state. Derived fields are computed anew from the others in every step.
typedef enum mote_kept {
  MOTE_KEPT_REQUIRED,  // saved; a snapshot without it is an error; new rows are NaN until written
  MOTE_KEPT_OPTIONAL,  // saved; `initial` in new rows and if a snapshot lacks it
  MOTE_KEPT_DERIVED,   // not saved
} mote_kept;

// A field is identified by its name and group: two groups that no block uses together may have fields of one
// name in two precisions (velocity: float in fluid rows, double in elastic ones).
typedef struct mote_field {
  const char *name;  // a-z 0-9 _
  mote_type type;
  int components;
  int group;  // 0: in every row; else only in rows of blocks that use the group
  mote_kept kept;
  double initial;
  const char *unit;    // SI; "1" for pure numbers
  const char *writer;  // the stage that writes it
  const char *text;    // description
} mote_field;

typedef struct mote_table {
  const char *name;  // of the family
  const mote_field *field;
  int fields;
  const char *const *group;  // names; group 0 is common to all rows
  int groups;
  int id;            // the u64 field with the permanent id of a row; -1: rows are identified by their number
  uint32_t version;  // of the meaning of its fields: a snapshot of another version is refused
} mote_table;

enum { MOTE_GROUP_ALL = 0 };

// A table is a macro that applies F to the lines of its fields; these make an enum and an array of it.
#define MOTE_FIELD_INDEX(symbol, ...) symbol,
#define MOTE_FIELD_ENTRY(symbol, name, type, components, group, kept, initial, unit, writer, text) \
  {name, MOTE_TYPE_##type, components, MOTE_GROUP_##group, MOTE_KEPT_##kept, initial, unit, writer, text},

// --- Particles ----------------------------------------------------------------------------------------

// Of the first two shells of cubic closest packing; the hexagonal lattice has 12
#define MOTE_LATTICE_SITES 18

// Blocks come in this order: fluid rows, a block for each material (sorted in every step), then elastic rows,
// a block for each body (their order is kept), then lattice rows, a block for each material of that model
// (sorted in every step). No row is of two of these.
#define MOTE_PARTICLE_GROUPS_OF(G)                                               \
  G(FLUID, "fluid")                                                              \
  G(FOLLOWED, "followed")             /* fluid rows whose density is followed */ \
  G(STEPPED, "stepped")               /* fluid rows with steps of their own */   \
  G(STEPPED_LAYERS, "stepped_layers") /* and densities that are followed */      \
  G(ELASTIC, "elastic")                                                          \
  G(RENEWED, "renewed")   /* elastic rows whose reference is renewed */          \
  G(BREAKING, "breaking") /* elastic rows of bodies that can break */            \
  G(LATTICE, "lattice")                                                          \
  G(DOCKING, "docking") /* lattice rows of materials that break */               \
  G(HEAT, "heat")       /* in worlds with heat all rows */
#define MOTE_GROUP_INDEX(symbol, name) MOTE_GROUP_##symbol,
enum { MOTE_PARTICLE_GROUPS_OF_ALL_ROWS, MOTE_PARTICLE_GROUPS_OF(MOTE_GROUP_INDEX) MOTE_PARTICLE_GROUPS };

// clang-format off
//  index                       name            type   group  kept           unit      written by   what
#define MOTE_PARTICLE_FIELDS(F) \
  F(MOTE_PARTICLE_ID,           "id",           U64, 1, ALL,   REQUIRED, 0, "1",      "store",     "names the particle for ever") \
  F(MOTE_PARTICLE_POSITION,     "position",     F64, 3, ALL,   REQUIRED, 0, "m",      "move, elastic", "where it is") \
  F(MOTE_PARTICLE_VELOCITY,     "velocity",     F32, 3, FLUID, REQUIRED, 0, "m/s",    "pressure",  "how fast it moves") \
  F(MOTE_PARTICLE_MASS,         "mass",         F32, 1, FLUID, REQUIRED, 0, "kg",     "emit",      "constant for life") \
  F(MOTE_PARTICLE_BODY,         "body",         U32, 1, ALL,   OPTIONAL, 0, "1",      "emit",      "1 + slot of its body (of the flow of an emitter, too); 0: none") \
  F(MOTE_PARTICLE_ACCELERATION, "acceleration_without_pressure", F32, 3, FLUID, DERIVED,  0, "m/s^2",  "forces",    "of all forces but pressure") \
  F(MOTE_PARTICLE_DENSITY,      "density",      F32, 1, FLUID, DERIVED,  0, "kg/m^3", "search",    "summed over neighbours, or followed") \
  F(MOTE_PARTICLE_PRESSURE,     "pressure",     F32, 1, FLUID, OPTIONAL, 0, "Pa",     "pressure",  "the next solve starts from it") \
  F(MOTE_PARTICLE_DIVERGENCE_PRESSURE, "divergence_pressure", F32, 1, FLUID, OPTIONAL, 0, "Pa", "divergence", "of the divergence-free solve, which starts from it") \
  F(MOTE_PARTICLE_ENTHALPY,     "enthalpy",     F64, 1, HEAT,  REQUIRED, 0, "J/kg",   "heat",      "of a kilogram, 0 at 0 K") \
  F(MOTE_PARTICLE_TEMPERATURE,  "temperature",  F32, 1, HEAT,  DERIVED,  0, "K",      "search, heat", "of the enthalpy") \
  F(MOTE_PARTICLE_LIQUID,       "liquid_fraction", F32, 1, HEAT, DERIVED, 0, "1",     "search, heat", "of the enthalpy, where there is latent heat; else of fluids 1, of solids 0") \
  F(MOTE_PARTICLE_WALL_DISTANCE, "wall_distance", F32, 1, FLUID, DERIVED, 0, "m",     "collide",   "how far it may go before it can meet a wall; 0: not known") \
  F(MOTE_PARTICLE_COMPRESSION,  "compression",  F32, 1, FOLLOWED, OPTIONAL, 0, "1",   "pressure",  "density over that at rest, less 1, where it is followed") \
  F(MOTE_PARTICLE_LEVEL,        "step_level",   U8,  1, STEPPED, OPTIONAL, 255, "1",  "pressure",  "of its step: the block's over 2^level; 128 more: to be woken; 255: none yet") \
  F(MOTE_PARTICLE_KICK,         "step_kick",    F32, 3, STEPPED, OPTIONAL, 0, "m/s^2", "pressure", "acceleration by all forces when they were last evaluated") \
  F(MOTE_PARTICLE_CROWDING,     "step_density", F32, 1, STEPPED, OPTIONAL, 1, "1",    "move",      "relative density, as summed then and compressed since") \
  F(MOTE_PARTICLE_RATE,         "step_rate",    F32, 1, STEPPED, OPTIONAL, 0, "1/s",  "pressure",  "of compression, then") \
  F(MOTE_PARTICLE_SURFACE,      "step_surface", U8,  1, STEPPED, OPTIONAL, 0, "1",    "pressure",  "whether it was at a free surface then") \
  F(MOTE_PARTICLE_SLOPE,        "step_slope",   F32, 3, STEPPED_LAYERS, OPTIONAL, 0, "1/m", "pressure", "gradient of compression, then") \
  F(MOTE_ELASTIC_VELOCITY,      "velocity",     F64, 3, ELASTIC, REQUIRED, 0, "m/s",  "elastic",    "how fast it moves") \
  F(MOTE_ELASTIC_MASS,          "mass",         F64, 1, ELASTIC, REQUIRED, 0, "kg",   "bodies",    "constant for life") \
  F(MOTE_ELASTIC_REST,          "rest",         F64, 3, ELASTIC, REQUIRED, 0, "m",    "bodies",    "where it was before anything deformed its body") \
  F(MOTE_ELASTIC_HOLD,          "hold",         U8,  1, ELASTIC, OPTIONAL, 0, "1",    "bodies",    "1 + number of the hold of its body that moves it; 0: none") \
  F(MOTE_ELASTIC_LOAD,          "load",         U64, 1, ELASTIC, OPTIONAL, 0, "1",    "bodies",    "bit k: load k of its body acts on it") \
  F(MOTE_ELASTIC_PLASTIC,       "plastic_strain", F64, 6, ELASTIC, OPTIONAL, 0, "1",  "elastic",    "1 - Fp^-1 since the reference: xx xy xz yy yz zz; 0 where nothing flows") \
  F(MOTE_ELASTIC_REFERENCE,     "reference",    F64, 3, RENEWED, REQUIRED, 0, "m",    "elastic",    "from where displacements are counted") \
  F(MOTE_ELASTIC_METRIC,        "metric",       F64, 6, RENEWED, OPTIONAL, 0, "1",    "elastic",    "H - 1: supports there are round in lengths |H x|") \
  F(MOTE_ELASTIC_FLOWED,        "flowed",       F64, 1, RENEWED, OPTIONAL, 0, "1",    "elastic",    "size of plastic_strain when the reference began") \
  F(MOTE_ELASTIC_EYE,           "eye",          F64, 3, BREAKING, REQUIRED, 0, "m",   "fracture",  "from where at rest it sees others past cracks") \
  F(MOTE_ELASTIC_FIRST,         "first_row",    U32, 1, BREAKING, OPTIONAL, 0, "1",   "fracture",  "1 + row of the particle of the first body that it is a part of; 0: its own row") \
  F(MOTE_ELASTIC_HALVINGS,      "halvings",     U8,  1, BREAKING, OPTIONAL, 0, "1",   "fracture",  "how often its spacing and support were halved") \
  F(MOTE_LATTICE_VELOCITY,      "velocity",     F64, 3, LATTICE, REQUIRED, 0, "m/s",  "lattice",   "how fast it moves") \
  F(MOTE_LATTICE_MASS,          "mass",         F64, 1, LATTICE, REQUIRED, 0, "kg",   "bodies",    "constant for life") \
  F(MOTE_LATTICE_OBJECT,        "object",       U32, 1, LATTICE, OPTIONAL, 0, "1",    "bodies",    "only rows of one object hold together: 1 + id of the body that it was made as") \
  F(MOTE_LATTICE_BASIS,         "lattice_frame", F64, 9, LATTICE, OPTIONAL, 0, "1",   "lattice",   "A of WIC06 (4): from the sites of the lattice to its neighbours; rows xx xy xz ..") \
  F(MOTE_LATTICE_NEIGHBOUR,     "site_neighbour", U32, MOTE_LATTICE_SITES, LATTICE, OPTIONAL, 0, "1", "lattice", "1 + id of the particle at each site; 0: none") \
  F(MOTE_LATTICE_FRACTION,      "solid_fraction", F32, 1, LATTICE, OPTIONAL, 1, "1",  "heat",      "stiffness over that of the solid: 1 solid, 0 liquid") \
  F(MOTE_LATTICE_ACCELERATION,  "lattice_acceleration", F32, 3, LATTICE, OPTIONAL, 0, "m/s^2", "lattice", "mean of the last steps, by all but gravity and fluids, which expect it again") \
  F(MOTE_LATTICE_REACH,         "reach",        F32, 1, LATTICE, OPTIONAL, 1, "1",    "bodies",    "distance of contact over D/2: 1, less where the surface of its body was nearer when it was made") \
  F(MOTE_LATTICE_HOLD,          "hold",         U8,  1, LATTICE, OPTIONAL, 0, "1",    "bodies",    "1 + number of the hold of its body that moves it; 0: none") \
  F(MOTE_LATTICE_DOCKING,       "docking_rate", F32, MOTE_LATTICE_SITES, DOCKING, OPTIONAL, 0, "1/s", "lattice", "at which a free site takes a particle, WIC06 4.2")
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

// The index of the first field called `name`; -1 when there is none.
int mote_table_find(const mote_table *table, const char *name);
// The index of the field called `name` that rows with these groups (bits) have; -1 when there is none.
int mote_table_find_in(const mote_table *table, const char *name, uint32_t groups);

// The index of the group called `name`; -1 when there is none.
int mote_table_find_group(const mote_table *table, const char *name);

// ARGUMENT, with the reason, when the table breaks a rule above.
mote_result mote_table_check(const mote_table *table, mote_error *error);

#endif
