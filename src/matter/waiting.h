// Bodies that wait (mote_body_def.waits). They are made with their world, so that their ids and those of
// their particles are theirs whenever they come, and taken out of it at once; their rows are kept. The
// command add_body returns them to the world, displaced, and again after each removal.
#ifndef MOTE_WAITING_H
#define MOTE_WAITING_H

#include "matter/bodies.h"

typedef struct mote_waiting {
  mote_kind kind;
  size_t number;    // of its item in the list of the kind
  uint32_t groups;  // of fields of its particles
  size_t particles;
  char *row, *rows;  // of the table of bodies, and of its particles: field by field
  size_t row_size, rows_size;
  double *point;  // of it, where it was defined: its particles, or a packing of its shape
  size_t points;  // 0: of a fixed body, which may reach into others
} mote_waiting;

// Takes the body that was made last out of the world, and keeps it.
mote_result mote_waiting_keep(mote_world *world, mote_body_place place, mote_error *error);
static inline void mote_waiting_free(mote_waiting *waiting, const mote_env *env) {
  if (waiting == NULL) return;
  mote_free(env, waiting->row, waiting->row_size, 1);
  mote_free(env, waiting->rows, waiting->rows_size, 1);
  mote_free(env, waiting->point, 3 * waiting->points, sizeof *waiting->point);
  mote_free(env, waiting, 1, sizeof *waiting);
}

// Whether the body of the definition is there, or a part of it.
bool mote_waiting_is_there(const mote_world *world, size_t definition);

// Fails with the key "move" where a body that waits would lie in a solid, wall or collider, or solids in it.
mote_result mote_waiting_check(mote_world *world, size_t definition, const double move[3], mote_error *error);
// Returns it to the world, displaced, in place of the liquid that is there. velocity: of all of it; null:
// that of its definition.
mote_result mote_waiting_return(mote_world *world, size_t definition, const double move[3],
                                const double *velocity, mote_error *error);

#endif
