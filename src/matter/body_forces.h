// Forces and impulses of commands on bodies (world->steering), and the masses that they act on.
#ifndef MOTE_BODY_FORCES_H
#define MOTE_BODY_FORCES_H

#include "matter/kind.h"

// The body of that name, including fragments and flows; false: none.
bool mote_bodies_find_named(const mote_world *world, const char *name, uint32_t *id);
// The mass of a body, kg; of fragments and fluids the sum over particles.
double mote_bodies_mass(const mote_world *world, uint32_t id);

// Whether any acts: forces, or a hand.
bool mote_body_forces_act(const mote_world *world);
// What a command names: a body, or "cube.*", the body cube with all its pieces; false: there is none. And its
// bodies, the next from *cursor (0: the first) on; false: no more.
bool mote_bodies_address(const mote_world *world, const char *name, mote_addressed *out);
bool mote_bodies_next(const mote_world *world, const mote_addressed *of, size_t *cursor,
                      mote_body_place *out);
// The sum of their masses, kg.
double mote_bodies_mass_of(const mote_world *world, const mote_addressed *of);

// Forces in a step: on bodies that have velocities of their own, after world->dt; on the particles of a kind,
// as accelerations, three each, in one of the two arrays (the other is null).
void mote_body_forces_strike(mote_world *world);
void mote_body_forces_accelerate(const mote_world *world, mote_kind kind, float *f32, double *f64);

// Gives them an impulse, N s, at a point, or (null) to all of them.
void mote_body_strike(mote_world *world, const mote_addressed *of, const double impulse[3], const double *at);

#endif
