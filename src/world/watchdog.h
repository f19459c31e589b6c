// A run that goes wrong says so. After each step positions and velocities must be numbers, no particle faster
// than the limit, and the kinetic energy within what can be there (docs/theory/world.md, "The watchdog"). The
// mote_watchdog_* functions below say what is wrong, and return NUMERIC.
#ifndef MOTE_WATCHDOG_H
#define MOTE_WATCHDOG_H

#include "world/world_data.h"

// Some position is not a number, or beyond all reach.
mote_result mote_watchdog_positions(mote_world *world, mote_error *error);
// A force field, an emitter or a motion gives something that is no number.
mote_result mote_watchdog_force(mote_world *world, const char *name, size_t row, mote_error *error);
mote_result mote_watchdog_emitter(mote_world *world, const char *name, mote_error *error);
mote_result mote_watchdog_motion(mote_world *world, const char *name, mote_error *error);

// The kinetic energy of the rows first .. first + count - 1 was brought in by an emitter.
void mote_watchdog_gain(mote_world *world, size_t first, size_t count);

double mote_watchdog_kinetic(mote_world *world);

#endif
