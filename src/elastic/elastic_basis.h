// Basis functions of the fit at a neighbour: y, and at order 2 also y_k y_l and y_k^2/sqrt(2), with y = X_ij
// in units of the body. The factor 1/sqrt(2) makes the fit invariant under rotation of the axes. The linear
// functions are odd, the quadratic ones even.
#ifndef MOTE_ELASTIC_BASIS_H
#define MOTE_ELASTIC_BASIS_H

#include "elastic/elastic_body.h"

#define MOTE_ROOT_HALF 0.70710678118654752440  // exact

static inline int mote_elastic_terms(int dimensions, int order) {
  return order == 1 ? dimensions : dimensions * (dimensions + 3) / 2;
}

static inline void mote_elastic_basis(int dimensions, int order, double inverse_unit, const double rest[3],
                                      double *p) {
  for (int k = 0; k < dimensions; ++k) p[k] = inverse_unit * rest[k];
  if (order == 1) return;
  int n = dimensions;
  for (int k = 0; k < dimensions; ++k) {
    p[n++] = MOTE_ROOT_HALF * (p[k] * p[k]);
    for (int l = k + 1; l < dimensions; ++l) p[n++] = p[k] * p[l];
  }
}

#endif
