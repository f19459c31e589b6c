// Rigid bodies inside of a pressure solve (docs/theory/bodies.md, "Fluids"). They give way to every change of
// pressure as the fluid does: a body that stood still for the solve and took its impulse afterwards would be
// thrown back and forth wherever the fluid that it takes along is heavier than it is.
#ifndef MOTE_COUPLED_SOLVE_H
#define MOTE_COUPLED_SOLVE_H

#include "fluid/coupled_body.h"

typedef struct mote_wet_solve {
  bool any;             // there are bodies that give way
  float *force;         // three of each row
  float *acceleration;  // three of each row
  float *rate;          // sum_j V_j a_b . grad W_bj of each row
  mote_flow *flow;      // w_b a_b of each row; one more, the dummy's
} mote_wet_solve;

// `gives`: false where bodies do not, as in a shift.
mote_result mote_wet_solve_take(mote_wet_solve *solve, mote_fluid *fluid, bool gives, mote_error *error);

// Adds to the diagonal of each particle what bodies do: at least their part's largest row.
mote_result mote_wet_solve_matrix(const mote_wet_solve *solve, mote_fluid *fluid, float *matrix,
                                  mote_error *error);

// Accelerations of samples by the pushes. Nothing is given yet.
void mote_wet_solve_respond(const mote_wet_solve *solve, mote_fluid *fluid, const mote_pressures *pressures);

// Gives the forces of the last response for dt seconds.
void mote_wet_solve_give(const mote_wet_solve *solve, mote_fluid *fluid, double dt);

// sum_i += factor sum_b w_b a_b . grad W_ib.
void mote_wet_solve_add(const mote_wet_solve *solve, const mote_fluid *fluid, float factor, float *sum);

// Samples get the velocities that the bodies have now (coupled_body.h).
void mote_wet_solve_flow(const mote_wet_solve *solve, mote_fluid *fluid);

#endif
