// The symmetric eigenvalue problem by plane rotations: slow and hard to break.
#ifndef MOTE_JACOBI_H
#define MOTE_JACOBI_H

// On return the diagonal of the finite symmetric n x n matrix a (both triangles are read) holds its
// eigenvalues in no order, and row k of v the unit eigenvector of a[k][k]. Entries of a should be near 1
// (num/scale.h).
void mote_jacobi(int n, double *a, double *v);

#endif
