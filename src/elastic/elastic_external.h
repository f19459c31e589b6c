// External forces on elastic bodies that derive from an energy, as explicit and implicit steps use them:
// contact. They may add unknowns (rigid bodies in contact): vectors y of three numbers each and unit mass,
// stored behind the particle positions x. `ahead`: seconds since the start of the step.
#ifndef MOTE_ELASTIC_EXTERNAL_H
#define MOTE_ELASTIC_EXTERNAL_H

#include <stdbool.h>
#include <stddef.h>

typedef struct mote_elastic_external {
  void *user;
  size_t (*unknowns)(const void *user);  // number of vectors y; constant during a step
  bool (*possible)(const void *user);    // whether the force can act in this step at all
  void (*resting_rate)(const void *user, size_t k,
                       double rate[3]);  // rate of y_k at which its body does not move

  // --- Implicit steps ---
  // Starts a step; midpoint: x, y and `ahead` of the functions below are at its middle.
  void (*begin)(void *user, bool midpoint);
  bool (*acts)(const void *user, const double *x, const double *y, double ahead);
  double (*energy)(const void *user, const double *x, const double *y, double ahead);
  // Adds `sign` times the negative derivative of the energy: by x to force, by y to force_y.
  void (*forces)(const void *user, const double *x, const double *y, double ahead, double sign, double *force,
                 double *force_y);
  // Updates lagged quantities at x, y (friction: the normal forces).
  void (*update_lag)(void *user, const double *x, const double *y, double ahead);
  // Computes the second derivative at x, y, which must be positive semidefinite; then its product, added to
  // out and out_y, and its diagonal at y_k.
  void (*stiffness)(void *user, const double *x, const double *y, double ahead);
  void (*product)(const void *user, const double *dx, const double *dy, double *out, double *out_y);
  double (*diagonal)(const void *user, size_t k);
  // Ends a step of dt seconds; x, y are the solution, `ahead` seconds after the start of the step.
  void (*finish)(void *user, const double *x, const double *y, double ahead, double dt);

  // --- Explicit steps: time and y go on; forces at x are added, and act on y for dt seconds ---
  void (*drift)(void *user, double dt);
  void (*kick)(void *user, const double *x, double dt, double *force);
} mote_elastic_external;

#endif
