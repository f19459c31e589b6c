// Fold control: the residual of a particle's linear fit, its misfit m = sum of w |u - fit|^2, has an energy
// where neighbours may pass each other: E = K V (s - s0)^2 / 2 for s > s0, s^2 = m / spread. Its force
// is that of springs of stiffness k' = K V / spread (1 - s0/s) to the fit. Theory: docs/theory/elastic.md
#ifndef MOTE_ELASTIC_FOLD_H
#define MOTE_ELASTIC_FOLD_H

#include "elastic/elastic_body.h"

// By s^2.
double mote_elastic_fold_stiffness(const mote_elastic *body, size_t i, double strain2);
// k' of a midpoint step between misfits of these squares of strains: the work of its force at the middle
// equals the change of energy.
double mote_elastic_fold_between(const mote_elastic *body, size_t i, double first, double last);
// k' of particle i in this motion.
double mote_elastic_fold_of(const mote_elastic *body, const mote_elastic_motion *motion, size_t i);
// By the stiffness at the last positions; in a midpoint step the energy whose derivative is the force with k'
// of the last Newton iterate.
double mote_elastic_fold_energy(const mote_elastic *body, const mote_elastic_motion *motion, size_t i);

// Adds the derivative of k' along the misfit to out = K direction: without it the tangent is too soft by the
// whole of K V where folds begin, and Newton steps oscillate. `position`: those of the last fit.
void mote_elastic_fold_apply(const mote_elastic *body, const double *position, const double *direction,
                             double *out);

#endif
