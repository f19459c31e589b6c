// The parts of a sparse Cholesky factor, for solvers that use it in other forms.
#ifndef MOTE_SPARSE_CHOLESKY_H
#define MOTE_SPARSE_CHOLESKY_H

#include "num/supernodes.h"

// Supernodes and the blocks of L; null blocks without a valid factor.
const mote_supernodes *mote_cholesky_supernodes(const mote_cholesky *factor);
const double *mote_cholesky_blocks(const mote_cholesky *factor);

#endif
