// Forces and impulses of commands on bodies (world->steering), and the masses that they act on.
#ifndef MOTE_BODY_FORCES_H
#define MOTE_BODY_FORCES_H

#include "matter/kind.h"

// The body of that name, including fragments and flows; false: none.
bool mote_bodies_find_named(const mote_world *world, const char *name, uint32_t *id);
// The mass of a body, kg; of fragments and fluids the sum over particles.
double mote_bodies_mass(const mote_world *world, uint32_t id);

// Forces in a step: on bodies that have velocities of their own, after world->dt; on the particles of a kind,
// as accelerations, three each, in one of the two arrays (the other is null).
void mote_body_forces_strike(mote_world *world);
void mote_body_forces_accelerate(const mote_world *world, mote_kind kind, float *f32, double *f64);

// Gives a body an impulse, N s, at a point, or (null) to all of it.
void mote_body_strike(mote_world *world, mote_body_place place, const double impulse[3], const double *at);

#endif
