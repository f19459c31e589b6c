// The moment matrix of a point, EG09 (24) and (28): its rank, its condition, and the solution of regular and
// singular systems (EG09 3.3 and 4).
#ifndef MOTE_MLS_MOMENTS_H
#define MOTE_MLS_MOMENTS_H

#include "approx/mls.h"
#include "num/dense.h"

typedef struct mote_mls_moments {
  int first, size;  // functions first .. size-1 of the basis are used; coefficients of the others are 0
  bool regular;     // solved by elimination, else by the generalised inverse
  mote_mls_fit fit;
  // Matrices of `full` rows, that of function `first` on top.
  int full;
  mote_dense_factor factor;
  double inverse[MOTE_MLS_BASIS * MOTE_MLS_BASIS];
} mote_mls_moments;

// Decomposes the moments m (both triangles; the rows from `first`, 0 or 1, on are read) of the basis of
// `order`. first 1 omits the constant function, for a given value that is not fitted.
void mote_mls_moments_make(mote_mls_moments *moments, const double *m, int dimensions, int order, int first,
                           mote_mls_rescue rescue, double tolerance);

// x: `columns` right-hand sides, one row per function of the full basis; becomes the coefficients.
void mote_mls_moments_solve(const mote_mls_moments *moments, int columns, double *x);

#endif
