// External forces on elastic bodies that derive from an energy, as explicit and implicit steps use them:
// contact. They may add unknowns (rigid bodies in contact): vectors y of three numbers each and unit mass,
// stored behind the particle positions x. `ahead`: seconds since the start of the step.
#ifndef MOTE_ELASTIC_EXTERNAL_H
#define MOTE_ELASTIC_EXTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What a step of implicit bodies tells about itself.
typedef struct mote_elastic_external_step {
  bool midpoint;
  double step;             // s: M/step^2 is the inertia of the unknowns
  const double *diagonal;  // N/m, per particle: of inertia and stiffness at rest
  const double *goal;      // positions without any force
} mote_elastic_external_step;

// Contact with something that does not follow: its stiffness at a particle, as the preconditioner sees it.
typedef struct mote_elastic_tie {
  size_t particle;
  double normal[3], along, across;  // N/m, along the normal and across it
} mote_elastic_tie;

// A kick of an explicit step, dt seconds: velocities v change by the forces and the acceleration.
typedef struct mote_elastic_kick {
  const double *x, *v;         // of all particles
  const double *acceleration;  // or null
  const uint8_t *held;         // or null
  double dt;
  double *force;  // of the bodies; those of contact are added
} mote_elastic_kick;

typedef struct mote_elastic_external {
  void *user;
  size_t (*unknowns)(const void *user);  // number of vectors y; constant during a step
  bool (*possible)(const void *user);    // whether the force can act in this step at all
  // Rates of y_k at which its body does not move, and at which it moves as before the step.
  void (*resting_rate)(const void *user, size_t k, double rate[3]);
  void (*former_rate)(const void *user, size_t k, double rate[3]);

  // --- Implicit steps ---
  // Starts a step; midpoint: x, y and `ahead` of the functions below are at its middle.
  void (*begin)(void *user, const mote_elastic_external_step *step);
  bool (*acts)(const void *user, const double *x, const double *y, double ahead);
  double (*energy)(const void *user, const double *x, const double *y, double ahead);
  // Adds `sign` times the negative derivative of the energy: by x to force, by y to force_y.
  void (*forces)(void *user, const double *x, const double *y, double ahead, double sign, double *force,
                 double *force_y);
  // Computes the second derivative at x, y, which must be positive semidefinite; then its product, added to
  // out and out_y, and a solve with about its part of y, inertia included.
  void (*stiffness)(void *user, const double *x, const double *y, double ahead);
  const mote_elastic_tie *(*ties)(const void *user, size_t *count);  // of it, by ascending particle
  void (*product)(void *user, const double *dx, const double *dy, double *out, double *out_y);
  void (*precondition)(void *user, const double *in_y, double *out_y);
  double (*largest)(const void *user, const double *dy);  // m: displacement of a point where forces act on y
  double (*tolerance)(const void *user);  // m: how far conditions may be from being met; 0: there are none
  // Where the force is that of conditions with multipliers: after the minimum for given multipliers, their
  // values at x, y. Returns the largest change of a gap that this asks for, over what is tolerated; 0: no
  // conditions.
  double (*update_multipliers)(void *user, const double *x, const double *y, double ahead, int update);
  // Ends a step of dt seconds; y is of the solution, `ahead` seconds after the start of the step.
  void (*finish)(void *user, const double *y, double ahead, double dt);

  // --- Explicit steps: time and y go on; forces are added, and act on y ---
  void (*drift)(void *user, double dt);
  void (*kick)(void *user, const mote_elastic_kick *kick);
} mote_elastic_external;

#endif
