// Fold control: what the linear fit of a particle leaves over, its misfit m = sum of w |u - fit|^2, costs
// energy where neighbours may pass each other: E = K V (s - s0)^2 / 2 for s > s0, s^2 = m / spread. Its force
// is that of springs of stiffness k' = K V / spread (1 - s0/s) to the fit. Theory: docs/theory/elastic.md
#ifndef MOTE_ELASTIC_FOLD_H
#define MOTE_ELASTIC_FOLD_H

#include "elastic/elastic_body.h"

// By s^2.
double mote_elastic_fold_stiffness(const mote_elastic *body, size_t i, double strain2);
// k' of a midpoint step between misfits of these squares of strains: its force at the middle does the work of
// the energy.
double mote_elastic_fold_between(const mote_elastic *body, size_t i, double first, double last);
// k' of particle i in this motion.
double mote_elastic_fold_of(const mote_elastic *body, const mote_elastic_motion *motion, size_t i);
// By the stiffness of the last positions; of a midpoint step that with which k' of the last Newton iterate
// makes its force.
double mote_elastic_fold_energy(const mote_elastic *body, const mote_elastic_motion *motion, size_t i);

// Adds to out = K direction what k' changes along the misfit: without it a tangent is too soft by the whole
// of K V where folds begin, and Newton's steps jump to and fro. `position`: those of the last fit.
void mote_elastic_fold_apply(const mote_elastic *body, const double *position, const double *direction,
                             double *out);

#endif
