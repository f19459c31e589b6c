// Contributions of one pair (i, j) to the operators of smoothed particle hydrodynamics: pure functions of the
// pair's masses, densities and kernel. EG09 (9)-(19), with the signs and Laplacians corrected as in
// docs/theory/approximation.md.
//
// Every operator is a sum over j of (difference (f_j - f_i) + target f_i) times a kernel derivative: the
// forms differ in the two weights only, and those with target = 0 are exactly zero on constants.
#ifndef MOTE_SPH_PAIR_H
#define MOTE_SPH_PAIR_H

#include "approx/kernel.h"

typedef struct mote_pair_weight {
  double difference, target;
} mote_pair_weight;

// To be multiplied by grad_i W_ij.
static inline mote_pair_weight mote_gradient_weight(mote_gradient_form form, double Vj, double rho_i,
                                                    double rho_j) {
  switch (form) {
    case MOTE_GRADIENT_PLAIN: return (mote_pair_weight){Vj, Vj};
    case MOTE_GRADIENT_DENSITY: return (mote_pair_weight){Vj * (rho_j / rho_i), 0.0};
    case MOTE_GRADIENT_SYMMETRIC: {
      double a = Vj * (rho_i / rho_j);
      return (mote_pair_weight){a, a + Vj * (rho_j / rho_i)};
    }
    case MOTE_GRADIENT_MEAN: return (mote_pair_weight){Vj, 2.0 * Vj};
    case MOTE_GRADIENT_DIFFERENCE:
    case MOTE_GRADIENT_CORRECTED:  // before its correction
    case MOTE_GRADIENT_FORMS: break;
  }
  return (mote_pair_weight){Vj, 0.0};
}

// eps: keeps near pairs finite. The usual 0.01 h^2 loses 1 % (docs/coefficients.md); this is a hundredth of
// it, with h = R/2.
static inline double mote_pair_softening(const mote_pair_kernel *kernel) {
  return 1e-4 * (0.25 * kernel->radius * kernel->radius);
}

// Complete for PLAIN, DIFFERENCE and PAIR; for CENTRAL to be multiplied by the dyad x_ij x_ij^T. Where the
// kernel has a peak, coincident samples add nothing to DIFFERENCE.
static inline mote_pair_weight mote_laplacian_weight(mote_laplacian_form form, const mote_pair_kernel *kernel,
                                                     double Vj, double r) {
  if (form == MOTE_LAPLACIAN_PLAIN || form == MOTE_LAPLACIAN_DIFFERENCE) {
    double a = Vj * mote_pair_laplacian(kernel, r);
    if (form == MOTE_LAPLACIAN_PLAIN) return (mote_pair_weight){a, a};
    return (mote_pair_weight){isfinite(a) ? a : 0.0, 0.0};
  }
  double a = -2.0 * Vj * mote_pair_gradient_factor(kernel, r) / (r * r + mote_pair_softening(kernel));
  return (mote_pair_weight){form == MOTE_LAPLACIAN_PAIR ? a * (r * r) : a * (kernel->dimensions + 2), 0.0};
}

#endif
