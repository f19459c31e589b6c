// Names of what bodies meet in the tables of contacts and friction, where they last over steps.
#ifndef MOTE_CONTACT_NAMES_H
#define MOTE_CONTACT_NAMES_H

#include "matter/bodies.h"

// Solids that bodies meet, named for ever: a rigid body by its id; walls and colliders, which come behind the
// rigid bodies in a scene of contacts, from MOTE_FIXED_OBSTACLE_FIRST on. The number of one that is gone:
// UINT32_MAX.
#define MOTE_FIXED_OBSTACLE_FIRST UINT32_C(0x80000000)
uint32_t mote_obstacle_name(const mote_world *world, uint32_t number);
uint32_t mote_obstacle_number(const mote_world *world, uint32_t name);

// Drops contacts and friction of solids and particles that are gone.
mote_result mote_contacts_drop_gone(mote_world *world, mote_error *error);

#endif
