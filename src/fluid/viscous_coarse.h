// The coarse level of implicit viscosity: the fluid in each cell of a coarse grid moves as a rigid body,
// (Z y)_i = V_I + w_I x (x_i - X_I). The matrix A of viscous_solve.c becomes Z^T A Z, small enough for a
// factor in every step: docs/theory/fluids.md, "Implicit viscosity". The pair form, which resists rotation,
// has V alone, and the same scalar matrix for all axes.
#ifndef MOTE_VISCOUS_COARSE_H
#define MOTE_VISCOUS_COARSE_H

#include <mote/numeric.h>

#include "pairs/fixed_positions.h"
#include "search/cells.h"

// A = m + dt (L + B).
typedef struct mote_viscous_matrix {
  const mote_fluid *fluid;
  bool central;        // L has each pair's x x^T times its coefficient, or, in the pair form, 1 times it
  float *coefficient;  // of each pair, in the order of the lanes
  float *own;          // m + dt B of each particle
} mote_viscous_matrix;

typedef struct mote_viscous_coarse {
  const mote_viscous_matrix *matrix;  // null: there is no coarse level
  mote_cells cells;
  int modes, columns;                         // unknowns of a cell, and right-hand sides
  uint32_t *cell;                             // of each particle
  double *centre;                             // X of each cell, three
  double *coarse_residual, *coarse_velocity;  // Z^T r and y, column by column
  mote_cholesky *factor;
} mote_viscous_coarse;

// Not for periodic domains, which allow no rigid rotation.
mote_result mote_viscous_coarse_make(mote_viscous_coarse *coarse, const mote_viscous_matrix *matrix,
                                     mote_error *error);
void mote_viscous_coarse_end(mote_viscous_coarse *coarse);

// y = (Z^T A Z)^-1 Z^T r; returns r . Z y, or 0 without a level.
double mote_viscous_coarse_solve(mote_viscous_coarse *coarse, const float *r);
// (Z y)_i.
void mote_viscous_coarse_velocity(const mote_viscous_coarse *coarse, size_t i, double out[3]);

#endif
