// All that a world must remember to go on to the same bits: stores (docs/fields.md). What is not here
// is made of definitions, or anew in each step.
#ifndef MOTE_STATE_H
#define MOTE_STATE_H

#include <math.h>

#include "base/arena.h"
#include "particles/store.h"

enum { MOTE_GROUP_RENEWED = 1 };  // of elastic particles: where the reference is renewed
enum { MOTE_GROUP_TICKS = 1 };    // of the world's fields: where particles have steps of their own

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
  F(MOTE_WORLD_EVALUATED_ALL, "evaluated_all", U64, 1, TICKS, REQUIRED, 0, "1", "pressure", "had all been evaluated in every step")

//  One row for each emitter, in their order.
#define MOTE_NOZZLE_FIELDS(F) \
  F(MOTE_NOZZLE_ADVANCED, "advanced",      F64, 1, ALL, REQUIRED, 0, "m",    "emit",      "of the flow since the last layer") \
  F(MOTE_NOZZLE_EMITTED,  "emitted",       U64, 1, ALL, REQUIRED, 0, "1",    "emit",      "particles")

//  One row for each rigid body, in their order.
#define MOTE_RIGID_FIELDS(F) \
  F(MOTE_RIGID_POSITION,  "position",      F64, 3, ALL, REQUIRED, 0, "m",    "bodies",    "of its centre of mass, or of a point of its hinge") \
  F(MOTE_RIGID_ORIENTATION, "orientation", F64, 4, ALL, REQUIRED, 0, "1",    "bodies",    "a unit quaternion w, x, y, z; 1 at the beginning") \
  F(MOTE_RIGID_VELOCITY,  "velocity",      F64, 3, ALL, REQUIRED, 0, "m/s",  "bodies",    "there") \
  F(MOTE_RIGID_MOMENTUM,  "angular_momentum", F64, 3, ALL, REQUIRED, 0, "kg*m^2/s", "bodies", "about it")

//  What touched what in the last step, from which the next solve starts: numbers of solids, bodies first, then walls
//  and colliders.
#define MOTE_CONTACT_FIELDS(F) \
  F(MOTE_CONTACT_A,       "a",             U32, 1, ALL, REQUIRED, 0, "1",    "bodies",    "the body whose sample it is") \
  F(MOTE_CONTACT_B,       "b",             U32, 1, ALL, REQUIRED, 0, "1",    "bodies",    "the solid that it meets") \
  F(MOTE_CONTACT_SAMPLE,  "sample",        U32, 1, ALL, REQUIRED, 0, "1",    "bodies",    "its number") \
  F(MOTE_CONTACT_PRESS,   "press",         F64, 1, ALL, REQUIRED, 0, "N*s",  "bodies",    "impulse along the normal") \
  F(MOTE_CONTACT_DRAG,    "drag",          F64, 3, ALL, REQUIRED, 0, "N*s",  "bodies",    "impulse of friction")

//  Particles of elastic bodies: a block for each body, in the order of its filling. They are never sorted.
#define MOTE_SOLID_FIELDS(F) \
  F(MOTE_SOLID_ID,        "id",            U64, 1, ALL, REQUIRED, 0, "1",    "store",     "names the particle for ever") \
  F(MOTE_SOLID_POSITION,  "position",      F64, 3, ALL, REQUIRED, 0, "m",    "solids",    "where it is") \
  F(MOTE_SOLID_VELOCITY,  "velocity",      F64, 3, ALL, REQUIRED, 0, "m/s",  "solids",    "how fast it moves") \
  F(MOTE_SOLID_REST,      "rest",          F64, 3, ALL, REQUIRED, 0, "m",    "bodies",    "where it was when nothing had pulled at it") \
  F(MOTE_SOLID_MASS,      "mass",          F64, 1, ALL, REQUIRED, 0, "kg",   "bodies",    "constant for life") \
  F(MOTE_SOLID_BODY,      "body",          U32, 1, ALL, REQUIRED, 0, "1",    "bodies",    "1 + number of the body") \
  F(MOTE_SOLID_PLASTIC,   "plastic_strain", F64, 6, ALL, OPTIONAL, 0, "1",   "solids",    "1 - Fp^-1 since the reference: xx xy xz yy yz zz; 0 where nothing flows") \
  F(MOTE_SOLID_REFERENCE, "reference",     F64, 3, RENEWED, REQUIRED, 0, "m", "solids",   "from where displacements are counted") \
  F(MOTE_SOLID_METRIC,    "metric",        F64, 6, RENEWED, OPTIONAL, 0, "1", "solids",   "H - 1: supports there are round in lengths |H x|") \
  F(MOTE_SOLID_FLOWED,    "flowed",        F64, 1, RENEWED, OPTIONAL, 0, "1", "solids",   "size of plastic_strain when the reference began")

//  One row for each elastic body, in their order.
#define MOTE_SOFT_FIELDS(F) \
  F(MOTE_SOFT_STRETCH,    "stretch",       F64, 1, ALL, REQUIRED, 0, "1",    "solids",    "at most of any particle, when the last step ended: how short explicit steps are")

//  What friction remembers of elastic particles that touch, by ascending particle, ball and other.
#define MOTE_TOUCH_FIELDS(F) \
  F(MOTE_TOUCH_PARTICLE,  "particle",      U32, 1, ALL, REQUIRED, 0, "1",    "solids",    "its row among elastic particles") \
  F(MOTE_TOUCH_OTHER,     "other",         U32, 1, ALL, REQUIRED, 0, "1",    "solids",    "the row of the other, or the number of the solid") \
  F(MOTE_TOUCH_BALL,      "ball",          U8,  1, ALL, REQUIRED, 0, "1",    "solids",    "whether that is a particle") \
  F(MOTE_TOUCH_SLIP,      "slip",          F64, 3, ALL, REQUIRED, 0, "m",    "solids",    "how far the surface stuck to it is dragged along")
// clang-format on

enum { MOTE_WORLD_FIELDS(MOTE_FIELD_INDEX) MOTE_WORLD_FIELD_COUNT };
enum { MOTE_NOZZLE_FIELDS(MOTE_FIELD_INDEX) MOTE_NOZZLE_FIELD_COUNT };
enum { MOTE_RIGID_FIELDS(MOTE_FIELD_INDEX) MOTE_RIGID_FIELD_COUNT };
enum { MOTE_CONTACT_FIELDS(MOTE_FIELD_INDEX) MOTE_CONTACT_FIELD_COUNT };
enum { MOTE_SOLID_FIELDS(MOTE_FIELD_INDEX) MOTE_SOLID_FIELD_COUNT };
enum { MOTE_SOFT_FIELDS(MOTE_FIELD_INDEX) MOTE_SOFT_FIELD_COUNT };
enum { MOTE_TOUCH_FIELDS(MOTE_FIELD_INDEX) MOTE_TOUCH_FIELD_COUNT };

extern const mote_table mote_world_table, mote_nozzle_table, mote_rigid_table, mote_contact_table;
extern const mote_table mote_solid_table, mote_soft_table, mote_touch_table;

enum {
  MOTE_STATE_WORLD,
  MOTE_STATE_NOZZLES,
  MOTE_STATE_PARTICLES,
  MOTE_STATE_RIGID,
  MOTE_STATE_CONTACTS,
  MOTE_STATE_SOLIDS,
  MOTE_STATE_SOFT,
  MOTE_STATE_TOUCHES,
  MOTE_STATE_STORES,
  // Stores in snapshots and hash: of every world, of those with rigid bodies; with elastic ones all. No
  // number is twice another, so that the number of archives tells which.
  MOTE_STATE_BASIC = MOTE_STATE_RIGID,
  MOTE_STATE_JOINTED = MOTE_STATE_SOLIDS,
};

typedef struct mote_state {
  mote_store store[MOTE_STATE_STORES];
} mote_state;

// Without memory, and so without a world: only to be destroyed, or made.
mote_state mote_state_empty(const mote_env *env);

// At time 0, without emitters and particles; `groups` of the world's fields. On failure it is empty.
mote_result mote_state_make(const mote_env *env, uint32_t groups, mote_state *out, mote_error *error);
void mote_state_destroy(mote_state *state);

// On failure `to` may be a mixture; what was reserved before (a copy of the same sizes) cannot fail.
mote_result mote_state_copy(const mote_state *from, mote_state *to, mote_error *error);

mote_result mote_state_hash_all(const mote_state *state, mote_arena *scratch, uint64_t *hash,
                                mote_error *error);

// How many of its stores are saved and hashed: those of bodies only where there are such bodies.
int mote_state_stores(const mote_state *state);

// The one row of the world's fields.
static inline double *mote_state_f64(const mote_state *state, int field) {
  return mote_store_f64(&state->store[MOTE_STATE_WORLD], field);
}
static inline uint64_t *mote_state_u64(const mote_state *state, int field) {
  return mote_store_u64(&state->store[MOTE_STATE_WORLD], field);
}
static inline uint32_t *mote_state_tries(const mote_state *state) {
  return mote_store_u32(&state->store[MOTE_STATE_WORLD], MOTE_WORLD_TRIES);
}

#endif
