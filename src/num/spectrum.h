// The symmetric eigenvalue problem for small matrices of any spectrum.
#ifndef MOTE_SPECTRUM_H
#define MOTE_SPECTRUM_H

#include <mote/numeric.h>

// Eigenvalues, in no order, of the finite symmetric n x n matrix a, whose upper triangle is read and lost;
// row k of `vectors` is the unit eigenvector of values[k]. n <= MOTE_DENSE_MAX; the largest entry of a
// should lie near 1 (num/scale.h).
void mote_spectrum(int n, double *a, double *values, double *vectors);

#endif
