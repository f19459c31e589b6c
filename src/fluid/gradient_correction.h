// Kernel-gradient correction (Bonet & Lok 1999): the matrix L_i = (sum_j V_j (x_j - x_i) grad W_ij^T)^-1 that
// makes the gradient L_i sum_j V_j (f_j - f_i) grad W_ij exact on linear fields for any neighbours.
#ifndef MOTE_GRADIENT_CORRECTION_H
#define MOTE_GRADIENT_CORRECTION_H

#include "fluid/shifting.h"
#include "rows/moments_row.h"

// L of all particles, in scratch memory, of neighbours in the fluid and, if `walls`, of samples. The
// identity where the moment matrix is near singular.
mote_result mote_gradient_fix_take(const mote_fluid *fluid, bool walls, mote_gradient_fix **out,
                                   mote_error *error);

// Whether pressure gradients are corrected: inside the fluid if the user says so; beside walls where
// densities are followed, since wall pressures are then extrapolated from the fluid and would add energy in
// the other forms. Corrected gradients do not separate particles: without shifting they clump.
static inline bool mote_gradient_fix_wanted(const mote_fluid *fluid) {
  const mote_solver_def *s = &fluid->solver;
  return s->gradient_correction || (fluid->compression != NULL && mote_shifting_strength(fluid) > 0.0);
}

// sum_b V_b (x_b - x_i) grad W_ib^T over the samples near each particle, in scratch memory; null where there
// are no samples.
mote_result mote_wall_moments_take(const mote_fluid *fluid, mote_gradient_fix **out, mote_error *error);

#endif
