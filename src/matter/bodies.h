// The table of all bodies. A body comes from a definition, is the flow of an emitter, or a fragment of
// another body; its id is never reused. A handle is the id with a generation, 1 + the step of its creation:
// when a failed frame is undone, bodies that were created in it no longer exist, and their handles are
// invalid.
#ifndef MOTE_BODIES_H
#define MOTE_BODIES_H

#include "matter/world_data.h"

static inline mote_store *mote_bodies(const mote_world *world) {
  return &world->now.store[MOTE_TABLE_BODIES];
}

static inline size_t mote_bodies_of(const mote_world *world, mote_kind kind) {
  return mote_bodies(world)->block[kind].count;
}

// Appends a body of that kind to its block; *id: its id. The caller sets the fields of the kind's group.
typedef struct mote_body_birth {
  mote_kind kind;
  mote_body_origin origin;
  uint32_t material, definition;
  uint32_t parent;  // 1 + id; 0: none
} mote_body_birth;
mote_result mote_bodies_add(mote_world *world, const mote_body_birth *birth, uint32_t *id, mote_error *error);

// Makes room in the block of a kind for a body that was there before, with this id. Of its row only the id is
// set.
mote_result mote_bodies_insert(mote_world *world, mote_kind kind, uint32_t id, size_t *row,
                               mote_error *error);

// Removes the body, which must have no particles.
void mote_bodies_end(mote_world *world, uint32_t id);

// Undoes the addition of the last body.
void mote_bodies_undo(mote_world *world, uint32_t id);

#ifdef MOTE_ASSERTS
// Invariants: ids ascend in each block; materials and definitions are there; parents are older.
void mote_bodies_check(const mote_world *world);
#else
static inline void mote_bodies_check(const mote_world *world) {
  (void)world;
}
#endif

// The row of the body in the block of a kind; SIZE_MAX: it is not there.
size_t mote_bodies_row(const mote_world *world, mote_kind kind, uint32_t id);

// Where a body is: its kind, and its row in the block of that. False: there is none.
typedef struct mote_body_place {
  mote_kind kind;
  size_t row;
} mote_body_place;
bool mote_bodies_find(const mote_world *world, uint32_t id, mote_body_place *out);
// The same of a handle, which must be of this generation.
bool mote_bodies_resolve(const mote_world *world, mote_body body, mote_body_place *out);
mote_body mote_bodies_handle(const mote_world *world, mote_body_place place);
uint32_t mote_bodies_id(const mote_world *world, mote_body_place place);
uint32_t mote_bodies_value(const mote_world *world, mote_body_place place, int field);  // of a u32 field

// The definition of the body that it is, or was part of; SIZE_MAX: it is the flow of an emitter.
size_t mote_bodies_definition(const mote_world *world, mote_body_place place);

// What it is called: by its definition; those of a parent also by their id, "stone.17".
void mote_bodies_name(const mote_world *world, mote_body_place place, char name[MOTE_BODY_NAME_SIZE]);

#endif
