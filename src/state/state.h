// The data that a world needs to continue bit-identically: tables of any name and length (docs/fields.md).
// All other data are built from definitions, or in each step. The tables below are those of every world;
// others (tracked meshes) are registered when their owner is added.
#ifndef MOTE_STATE_H
#define MOTE_STATE_H

#include <math.h>
#include <mote/world.h>

#include "base/arena.h"
#include "particles/store.h"

// Of the world's fields: with individual time steps; with heat.
enum { MOTE_GROUP_TICKS = 1, MOTE_GROUP_PHASES };
enum { MOTE_GROUP_RIGID = 1, MOTE_GROUP_DEFORMING };  // of bodies, by their kind

// clang-format off
//  index                 name             type   group kept          unit    written by   what
#define MOTE_WORLD_FIELDS(F) \
  F(MOTE_WORLD_TIME,      "time",          F64, 1, ALL, REQUIRED, 0, "s",    "time step", "now") \
  F(MOTE_WORLD_STEP,      "step",          U64, 1, ALL, REQUIRED, 0, "1",    "time step", "steps since the beginning") \
  F(MOTE_WORLD_LENGTH,    "step_length",   F64, 1, ALL, REQUIRED, 0, "s",    "time step", "of the last step") \
  F(MOTE_WORLD_FACTOR,    "step_factor",   F64, 1, ALL, REQUIRED, 1, "1",    "watchdog",  "steps are so much shorter than stability asks for") \
  F(MOTE_WORLD_TRIES,     "tries",         U32, 1, ALL, REQUIRED, 0, "1",    "watchdog",  "how often this frame has gone back") \
  F(MOTE_WORLD_UNTIL,     "frame_end",     F64, 1, ALL, REQUIRED, (double)NAN, "s",  "step",      "until when this frame's steps go; NaN before the first") \
  F(MOTE_WORLD_ENERGY,    "frame_energy",  F64, 1, ALL, REQUIRED, 0, "J",    "watchdog",  "kinetic, at the frame's beginning") \
  F(MOTE_WORLD_WORK,      "frame_work",    F64, 1, ALL, REQUIRED, 0, "J",    "watchdog",  "done on the particles since then, and brought by new ones") \
  F(MOTE_WORLD_EMITTED,   "emitted",       U64, 1, ALL, REQUIRED, 0, "1",    "emit",      "particles from emitters") \
  F(MOTE_WORLD_DRAINED,   "drained",       U64, 1, ALL, REQUIRED, 0, "1",    "leave",     "particles into drains") \
  F(MOTE_WORLD_LEFT,      "left",          U64, 1, ALL, REQUIRED, 0, "1",    "leave",     "particles over open sides") \
  F(MOTE_WORLD_BLOCK_BEGIN, "block_begin", F64, 1, TICKS, REQUIRED, 0, "s",  "pressure",  "when all particles were last together") \
  F(MOTE_WORLD_BLOCK_END, "block_end",     F64, 1, TICKS, REQUIRED, 0, "s",  "pressure",  "when they will be again") \
  F(MOTE_WORLD_BLOCK_AT,  "block_at",      U64, 1, TICKS, REQUIRED, 0, "1",  "step",      "how much of it is over, of 2^20; 0: all") \
  F(MOTE_WORLD_EVALUATED, "evaluated",     U64, 1, TICKS, REQUIRED, 0, "1",  "pressure",  "forces on particles since the beginning") \
  F(MOTE_WORLD_EVALUATED_ALL, "evaluated_all", U64, 1, TICKS, REQUIRED, 0, "1", "pressure", "had all been evaluated in every step") \
  F(MOTE_WORLD_MELTED,    "melted",        U64, 1, PHASES, REQUIRED, 0, "1", "phase",     "particles that became liquid") \
  F(MOTE_WORLD_FROZEN,    "frozen",        U64, 1, PHASES, REQUIRED, 0, "1", "phase",     "particles that became solid") \
  F(MOTE_WORLD_OBJECTS,   "objects",       U64, 1, PHASES, REQUIRED, 0, "1", "phase",     "objects that began by freezing")

//  One row for each emitter, in their order.
#define MOTE_NOZZLE_FIELDS(F) \
  F(MOTE_NOZZLE_ADVANCED, "advanced",      F64, 1, ALL, REQUIRED, 0, "m",    "emit",      "of the flow since the last layer") \
  F(MOTE_NOZZLE_EMITTED,  "emitted",       U64, 1, ALL, REQUIRED, 0, "1",    "emit",      "particles")

//  Bodies, a block for each mote_kind, in the order of their birth. Ids are never used again: particles have
//  1 + id of their body.
#define MOTE_BODY_FIELDS(F) \
  F(MOTE_BODY_ID,         "id",            U64, 1, ALL, REQUIRED, 0, "1",    "store",     "names the body for ever") \
  F(MOTE_BODY_MATERIAL,   "material",      U32, 1, ALL, REQUIRED, 0, "1",    "bodies",    "number of its material") \
  F(MOTE_BODY_ORIGIN,     "origin",        U8,  1, ALL, REQUIRED, 0, "1",    "bodies",    "mote_body_origin: a definition of a body, of an emitter, or a parent") \
  F(MOTE_BODY_DEFINITION, "definition",    U32, 1, ALL, REQUIRED, 0, "1",    "bodies",    "number of that definition, or of that of its first ancestor") \
  F(MOTE_BODY_PARENT,     "parent",        U32, 1, ALL, REQUIRED, 0, "1",    "bodies",    "1 + id of the body that it was part of; 0: none") \
  F(MOTE_BODY_FLAGS,      "flags",         U32, 1, ALL, REQUIRED, 0, "1",    "bodies",    "bits of mote_body_flag") \
  F(MOTE_BODY_FIRST_STEP, "first_step",    U64, 1, ALL, REQUIRED, 0, "1",    "bodies",    "steps of the world when it was born") \
  F(MOTE_RIGID_POSITION,  "position",      F64, 3, RIGID, REQUIRED, 0, "m",  "bodies",    "of its centre of mass, or of a point of its hinge") \
  F(MOTE_RIGID_ORIENTATION, "orientation", F64, 4, RIGID, REQUIRED, 0, "1",  "bodies",    "a unit quaternion w, x, y, z; 1 at the beginning") \
  F(MOTE_RIGID_VELOCITY,  "velocity",      F64, 3, RIGID, REQUIRED, 0, "m/s", "bodies",   "there") \
  F(MOTE_RIGID_MOMENTUM,  "angular_momentum", F64, 3, RIGID, REQUIRED, 0, "kg*m^2/s", "bodies", "about it") \
  F(MOTE_DEFORMING_STRETCH, "stretch",     F64, 1, DEFORMING, REQUIRED, 0, "1", "elastic", "at most of any particle, when the last step ended: how short explicit steps are")

//  What touched what in the last step, from which the next solve starts. Solids are named by mote_obstacle_name.
#define MOTE_CONTACT_FIELDS(F) \
  F(MOTE_CONTACT_A,       "a",             U32, 1, ALL, REQUIRED, 0, "1",    "bodies",    "the body whose sample it is") \
  F(MOTE_CONTACT_B,       "b",             U32, 1, ALL, REQUIRED, 0, "1",    "bodies",    "the solid that it meets") \
  F(MOTE_CONTACT_SAMPLE,  "sample",        U32, 1, ALL, REQUIRED, 0, "1",    "bodies",    "number of the sample") \
  F(MOTE_CONTACT_NORMAL_IMPULSE, "normal_impulse", F64, 1, ALL, REQUIRED, 0, "N*s", "bodies", "impulse along the normal") \
  F(MOTE_CONTACT_FRICTION_IMPULSE, "friction_impulse", F64, 3, ALL, REQUIRED, 0, "N*s", "bodies", "impulse of friction")

//  What friction remembers of elastic particles in contact, by ascending row of the particle, kind and other.
#define MOTE_FRICTION_FIELDS(F) \
  F(MOTE_FRICTION_PARTICLE, "particle",    U64, 1, ALL, REQUIRED, 0, "1",    "elastic",    "id of the elastic particle") \
  F(MOTE_FRICTION_OTHER,  "other",         U64, 1, ALL, REQUIRED, 0, "1",    "elastic",    "id of the other particle, or name of the solid") \
  F(MOTE_FRICTION_IS_PARTICLE, "other_is_particle", U8, 1, ALL, REQUIRED, 0, "1", "elastic", "whether the other is a particle") \
  F(MOTE_FRICTION_SLIP,   "slip",          F64, 3, ALL, REQUIRED, 0, "m",    "elastic",    "how far the surface that sticks to it is dragged along") \
  F(MOTE_FRICTION_FORCE,  "normal_force",  F64, 1, ALL, OPTIONAL, 0, "N", "elastic",    "of a condition; else 0")
// clang-format on

enum { MOTE_WORLD_FIELDS(MOTE_FIELD_INDEX) MOTE_WORLD_FIELD_COUNT };
enum { MOTE_NOZZLE_FIELDS(MOTE_FIELD_INDEX) MOTE_NOZZLE_FIELD_COUNT };
enum { MOTE_BODY_FIELDS(MOTE_FIELD_INDEX) MOTE_BODY_FIELD_COUNT };
enum { MOTE_CONTACT_FIELDS(MOTE_FIELD_INDEX) MOTE_CONTACT_FIELD_COUNT };
enum { MOTE_FRICTION_FIELDS(MOTE_FIELD_INDEX) MOTE_FRICTION_FIELD_COUNT };

extern const mote_table mote_world_table, mote_nozzle_table, mote_body_table, mote_contact_table,
    mote_friction_table;

// Tables of every world; registered ones follow.
enum {
  MOTE_TABLE_WORLD,
  MOTE_TABLE_NOZZLES,
  MOTE_TABLE_PARTICLES,
  MOTE_TABLE_BODIES,
  MOTE_TABLE_CONTACTS,
  MOTE_TABLE_FRICTION,
  MOTE_TABLES
};

typedef enum mote_body_origin {
  MOTE_ORIGIN_BODY,
  MOTE_ORIGIN_EMITTER,
  MOTE_ORIGIN_PARENT,
  MOTE_ORIGINS
} mote_body_origin;

typedef enum mote_body_flag { MOTE_BODY_BROKEN = 1 } mote_body_flag;  // it has, or had, children

typedef struct mote_state {
  mote_env env;
  mote_store *store;  // one for each table
  size_t tables, capacity;
} mote_state;

// Without memory, and so without a world: only to be destroyed, or made.
mote_state mote_state_empty(const mote_env *env);

// At time 0, without emitters, particles and bodies; `groups` of the world's fields. On failure it is empty.
mote_result mote_state_make(const mote_env *env, uint32_t groups, mote_state *out, mote_error *error);
void mote_state_destroy(mote_state *state);

// Adds a table, which outlives the state, with one empty block, and returns its index. ARGUMENT: the name is
// in use.
mote_result mote_state_register(mote_state *state, const mote_table *table, size_t *index, mote_error *error);

// The index of the table called `name`; SIZE_MAX: none.
size_t mote_state_find(const mote_state *state, const char *name);

// Makes `to` a copy; tables that it does not have are registered. On failure `to` may be inconsistent; a copy
// to a state with the same sizes cannot fail.
mote_result mote_state_copy(const mote_state *from, mote_state *to, mote_error *error);

// Tables without rows are not hashed.
mote_result mote_state_hash_all(const mote_state *state, mote_arena *scratch, uint64_t *hash,
                                mote_error *error);

// The one row of the world's fields.
static inline double *mote_state_f64(const mote_state *state, int field) {
  return mote_store_f64(&state->store[MOTE_TABLE_WORLD], field);
}
static inline uint64_t *mote_state_u64(const mote_state *state, int field) {
  return mote_store_u64(&state->store[MOTE_TABLE_WORLD], field);
}
#define MOTE_STEP_TRIES 3  // of a frame, with steps half as long each time
static inline uint32_t *mote_state_tries(const mote_state *state) {
  return mote_store_u32(&state->store[MOTE_TABLE_WORLD], MOTE_WORLD_TRIES);
}

#endif
