// Solves with a sparse Cholesky factor in floats: for preconditioners, which need a few digits and are bound
// by reading the factor. Independent subtrees of the elimination tree are solved in parallel; the number of
// threads has no effect on results.
#ifndef MOTE_CHOLESKY_LANES_H
#define MOTE_CHOLESKY_LANES_H

#include <mote/numeric.h>

#include "base/arena.h"

typedef struct mote_cholesky_lanes mote_cholesky_lanes;

// Of a valid factor, whose pattern must outlive it.
mote_result mote_cholesky_lanes_create(const mote_cholesky *factor, const mote_env *env,
                                       mote_cholesky_lanes **out, mote_error *error);
// After an update of the factor.
void mote_cholesky_lanes_update(mote_cholesky_lanes *lanes, const mote_cholesky *factor);
// in and out may be the same.
void mote_cholesky_lanes_solve(mote_cholesky_lanes *lanes, const double *in, double *out);
void mote_cholesky_lanes_destroy(mote_cholesky_lanes *lanes);

#endif
