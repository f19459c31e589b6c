// Carrying out commands (mote/steer.h): what each kind checks against the world, and what it changes at once.
// Lasting effects are in matter/steering.h.
#ifndef MOTE_ORDER_H
#define MOTE_ORDER_H

#include <mote/steer.h>

#include "matter/bodies.h"

// A command with what it names, once that is found.
typedef struct mote_order {
  const mote_command *command;
  size_t place;  // of its collider or emitter
  uint32_t body;
  mote_body_place at;  // of the body
  double speed;        // m/s, that it can bring about: set by the check
  uint32_t *row;       // of its particles; in scratch memory
} mote_order;

// Kinds that have more to check than their numbers, and those that change the state. Checks change nothing
// but the order; nothing fails after them but for want of memory, and then it changes nothing either.
mote_result mote_order_check_gravity(mote_world *world, mote_order *order, mote_error *error);
mote_result mote_order_check_velocity(mote_world *world, mote_order *order, mote_error *error);
mote_result mote_order_check_pose(mote_world *world, mote_order *order, mote_error *error);
mote_result mote_order_check_force(mote_world *world, mote_order *order, mote_error *error);
mote_result mote_order_check_impulse(mote_world *world, mote_order *order, mote_error *error);
mote_result mote_order_impulse(mote_world *world, const mote_order *order, mote_error *error);
// order_field.c
mote_result mote_order_check_field(mote_world *world, mote_order *order, mote_error *error);
mote_result mote_order_field(mote_world *world, const mote_order *order, mote_error *error);
// order_remove.c
mote_result mote_order_check_removal(mote_world *world, mote_order *order, mote_error *error);
mote_result mote_order_remove_body(mote_world *world, const mote_order *order, mote_error *error);
mote_result mote_order_remove_collider(mote_world *world, const mote_order *order, mote_error *error);

#endif
