// Forces on elastic bodies from outside that follow from an energy, as explicit and implicit steps use them: contact.
// They may bring unknowns of their own (rigid bodies that are touched): vectors y of three numbers each and of mass 1,
// behind the positions x of the particles. `ahead`: seconds after the beginning of the step.
#ifndef MOTE_ELASTIC_EXTERNAL_H
#define MOTE_ELASTIC_EXTERNAL_H

#include <stdbool.h>
#include <stddef.h>

typedef struct mote_elastic_external {
  void *user;
  size_t (*unknowns)(const void *user);                              // vectors y; constant during a step
  bool (*possible)(const void *user);                                // whether it can act in this step at all
  void (*resting_rate)(const void *user, size_t k, double rate[3]);  // of y_k, at which it stays where it is

  // --- Implicit steps ---
  bool (*acts)(const void *user, const double *x, const double *y, double ahead);
  double (*energy)(const void *user, const double *x, const double *y, double ahead);
  // Adds `sign` times the negative derivative of the energy: by x to force, by y to force_y.
  void (*forces)(const void *user, const double *x, const double *y, double ahead, double sign, double *force,
                 double *force_y);
  // Takes over at x, y what the energy depends on with a lag (friction: the normal forces).
  void (*update_lag)(void *user, const double *x, const double *y, double ahead);
  // Finds the second derivative at x, y, which must not be negative; then its product, added to out and out_y, and
  // its diagonal at y_k.
  void (*stiffness)(void *user, const double *x, const double *y, double ahead);
  void (*product)(const void *user, const double *dx, const double *dy, double *out, double *out_y);
  double (*diagonal)(const void *user, size_t k);
  // The step of dt seconds is over; x, y are those of the solve, `ahead` seconds after its beginning.
  void (*finish)(void *user, const double *x, const double *y, double ahead, double dt);

  // --- Explicit steps: time and y go on; forces at x are added, and act on y for dt seconds ---
  void (*drift)(void *user, double dt);
  void (*kick)(void *user, const double *x, double dt, double *force);
} mote_elastic_external;

#endif
