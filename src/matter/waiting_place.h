// What is in the place of a body that waits and is to come (waiting.h).
#ifndef MOTE_WAITING_PLACE_H
#define MOTE_WAITING_PLACE_H

#include "matter/waiting.h"

// Fails where points of it would lie in a wall, a collider or a body without particles, or particles of a
// solid in its shape.
mote_result mote_waiting_check_clear(mote_world *world, const mote_body_item *item, const double move[3],
                                     mote_error *error);

// Particles of other liquids that it displaces: *gone, in scratch, one flag for each; null: none.
mote_result mote_waiting_find_liquid(mote_world *world, const mote_body_item *item, const double move[3],
                                     uint8_t **gone, mote_error *error);

#endif
