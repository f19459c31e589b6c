// Forces and impulses of commands on bodies (world->steering), and the masses that they act on.
#ifndef MOTE_BODY_FORCES_H
#define MOTE_BODY_FORCES_H

#include "matter/world_data.h"

// The body of that name, including fragments and flows; false: none.
bool mote_bodies_find_named(const mote_world *world, const char *name, uint32_t *id);
// The mass of a body, kg; of fragments and fluids the sum over particles.
double mote_bodies_mass(const mote_world *world, uint32_t id);

// Forces in a step. On rigid bodies: their velocities after world->dt. On fluid rows and on elastic rows:
// accelerations.
void mote_body_forces_rigid(mote_world *world);
void mote_body_forces_fluid(mote_world *world);
void mote_body_forces_elastic(const mote_world *world, double *acceleration);
void mote_body_forces_lattice(const mote_world *world, double *acceleration);

// Adds an impulse to rigid body k, at a point, or at its centre of mass (null).
void mote_rigid_strike(mote_world *world, size_t k, const double impulse[3], const double *at);

#endif
