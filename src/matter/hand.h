// The hand (command `pull`, mote/steer.h): what it holds, as state, in two tables that a world gets with its
// first pull and that have no rows while nothing is held; and its forces in a step. Where it pulls is in
// world->steering.hand. Theory: docs/steering.md, "A hand"
#ifndef MOTE_HAND_H
#define MOTE_HAND_H

#include <mote/steer.h>

#include "matter/kind.h"
#include "state/snapshot_head.h"

// clang-format off
//  index              name        type  group kept          unit   written by  what
#define MOTE_HAND_FIELDS(F) \
  F(MOTE_HAND_HOLDS,   "holds",    U32, 1, ALL, REQUIRED, 0, "1", "commands", "mote_hold_kind") \
  F(MOTE_HAND_BODY,    "body",     U32, 1, ALL, REQUIRED, 0, "1", "commands", "1 + id of the body; 0: liquid") \
  F(MOTE_HAND_POINT,   "point",    F64, 3, ALL, REQUIRED, 0, "m", "commands", "of a rigid body, where it was defined")

#define MOTE_HAND_PARTICLE_FIELDS(F) \
  F(MOTE_HAND_PARTICLE, "particle", U64, 1, ALL, REQUIRED, 0, "1", "commands", "id, ascending")
// clang-format on

enum { MOTE_HAND_FIELDS(MOTE_FIELD_INDEX) MOTE_HAND_FIELD_COUNT };
enum { MOTE_HAND_PARTICLE_FIELDS(MOTE_FIELD_INDEX) MOTE_HAND_PARTICLE_FIELD_COUNT };

extern const mote_table mote_hand_table, mote_hand_particle_table;

// What a hand would hold.
typedef struct mote_hand_grip {
  mote_hold_kind holds;
  mote_body_place place;  // of the body, rigid or of particles
  double distance;        // from the point
} mote_hand_grip;

// What is nearest to the point within the radius and can move; at equal distances rigid bodies come first,
// then solid particles, then the lower row.
mote_hand_grip mote_hand_seek(const mote_world *world, const double at[3], double radius);
// Takes hold of that at world->steering.hand; registers the tables if they are missing.
mote_result mote_hand_take(mote_world *world, const mote_hand_grip *grip, mote_error *error);
void mote_hand_let_go(mote_world *world);

// A step begins: the hand loses what is not there any more, or not of that body and kind.
void mote_hand_begin_step(mote_world *world);
// Its forces in a step, as mote_body_forces_strike and mote_body_forces_accelerate. Of liquids `velocity` is
// that before all accelerations.
void mote_hand_strike(mote_world *world);
void mote_hand_accelerate(const mote_world *world, mote_kind kind, float *f32, double *f64);
// What and where it holds; false: nothing.
bool mote_hand_read(const mote_world *world, mote_hand_state *out);

// Snapshots: registers the tables if one lists them; whether those of a loaded state are valid.
mote_result mote_hand_expect(const mote_snapshot_head *head, mote_state *state, mote_error *error);
bool mote_hand_possible(const mote_state *state);

#endif
