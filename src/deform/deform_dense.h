// Cholesky factors of dense symmetric matrices of some hundred rows, in tiles of 4 x 4.
#ifndef MOTE_DEFORM_DENSE_H
#define MOTE_DEFORM_DENSE_H

#include <stdbool.h>
#include <stddef.h>

// Rows of the lower triangle, `stride` apart; `stride` is a multiple of 4 and at least n + 4 - n % 4, and
// there are as many rows: what is beyond n is filled. Becomes L, with the inverse of its diagonal on the
// diagonal. Returns false where the matrix is not positive definite.
bool mote_deform_dense_factorise(size_t n, size_t stride, double *a);
// Solves L L^T x = b in place; x has room for n + 4.
void mote_deform_dense_substitute(size_t n, size_t stride, const double *a, double *x);

#endif
