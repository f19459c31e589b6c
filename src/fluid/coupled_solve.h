// Rigid bodies inside of a pressure solve (docs/theory/bodies.md, "Fluids"). They accelerate with every
// change of pressure as the fluid does: a body held fixed during the solve, with the impulse applied
// afterwards, would oscillate wherever its added mass exceeds its own.
#ifndef MOTE_COUPLED_SOLVE_H
#define MOTE_COUPLED_SOLVE_H

#include "fluid/coupled_body.h"

typedef struct mote_coupled_solve {
  bool any;             // there are bodies that move in this solve
  float *force;         // three of each row
  float *acceleration;  // three of each row
  float *rate;          // sum_j V_j a_b . grad W_bj of each row
  mote_flow *flow;      // w_b a_b of each row; one more, the dummy's
} mote_coupled_solve;

// `gives`: false where bodies stay fixed, as in a shift.
mote_result mote_coupled_solve_take(mote_coupled_solve *solve, mote_fluid *fluid, bool gives,
                                    mote_error *error);

// Adds an upper bound of the bodies' part of the matrix to the diagonal of each particle.
mote_result mote_coupled_solve_matrix(const mote_coupled_solve *solve, mote_fluid *fluid, float *matrix,
                                      mote_error *error);

// Computes accelerations of samples by the pressures, and applies their forces to the bodies for dt seconds;
// 0: bodies do not move yet.
void mote_coupled_solve_respond(const mote_coupled_solve *solve, mote_fluid *fluid,
                                const mote_pressures *pressures, double dt);

// Applies the forces of the last response for dt seconds.
void mote_coupled_solve_apply(const mote_coupled_solve *solve, mote_fluid *fluid, double dt);

// sum_i += factor sum_b w_b a_b . grad W_ib.
void mote_coupled_solve_add(const mote_coupled_solve *solve, const mote_fluid *fluid, float factor,
                            float *sum);

// Samples get the present velocities of the bodies (coupled_body.h).
void mote_coupled_solve_flow(const mote_coupled_solve *solve, mote_fluid *fluid);

#endif
