// Errors of the watchdog (stage_check.c), and its energy balance. Functions that return a result fail with
// NUMERIC and a message.
#ifndef MOTE_WATCHDOG_H
#define MOTE_WATCHDOG_H

#include "matter/world_data.h"

// "what of particle ID: value"; a row that is none: without the particle.
mote_result mote_watchdog_fail(mote_world *world, const char *what, size_t row, double value,
                               mote_error *error);
// A position is NaN, or too far away.
mote_result mote_watchdog_positions(mote_world *world, mote_error *error);
// A force field, an emitter or a motion evaluates to NaN.
mote_result mote_watchdog_force(mote_world *world, const char *name, size_t row, mote_error *error);
mote_result mote_watchdog_emitter(mote_world *world, const char *name, mote_error *error);
mote_result mote_watchdog_motion(mote_world *world, const char *name, mote_error *error);

// Sums over rows of the fluid: kinetic energy, J; power of all forces but pressure, W; mass, kg.
enum { MOTE_BALANCE_KINETIC, MOTE_BALANCE_POWER, MOTE_BALANCE_MASS, MOTE_BALANCE_SUMS };
void mote_watchdog_balance(mote_world *world, size_t first, size_t count, double sum[MOTE_BALANCE_SUMS]);

// Adds the kinetic energy of the rows first .. first + count - 1, which an emitter added.
void mote_watchdog_gain(mote_world *world, size_t first, size_t count);

// Of the fluid, and of the bodies, which may give theirs to it; without a fluid 0.
double mote_watchdog_kinetic(mote_world *world);

#endif
