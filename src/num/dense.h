// The two halves of mote_dense_solve_spd, for right-hand sides that follow from earlier solutions.
#ifndef MOTE_DENSE_H
#define MOTE_DENSE_H

#include <mote/numeric.h>

// A = L D L^T.
typedef struct mote_dense_factor {
  double u[MOTE_DENSE_MAX][MOTE_DENSE_MAX];  // D L^T in the upper triangle
  double inverse[MOTE_DENSE_MAX];            // 1/D
} mote_dense_factor;

// Returns false when the n x n matrix a is not positive definite in floating point.
bool mote_dense_eliminate(int n, const double *a, mote_dense_factor *factor);

// Solves a x = b for `columns` right-hand sides; b and x are n x columns and may be the same.
void mote_dense_substitute(int n, const mote_dense_factor *factor, int columns, const double *b, double *x);

#endif
