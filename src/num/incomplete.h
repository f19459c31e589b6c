// Incomplete Cholesky factors: L L^T is the matrix wherever the matrix has entries, and L has no others
// (Meijerink & van der Vorst 1977). A preconditioner for short range; three right-hand sides at once,
// in floats. The distribution of blocks over threads has no effect on results.
#ifndef MOTE_INCOMPLETE_H
#define MOTE_INCOMPLETE_H

#include <mote/numeric.h>

#include "base/arena.h"

// Unknowns in the order in which they are eliminated, cut into blocks: none of the first `apart` blocks is
// coupled to another of them, and none of the others, which come after them, to another of those.
typedef struct mote_elimination {
  const uint32_t *order;
  const size_t *start;  // blocks + 1 offsets in the order
  size_t blocks, apart;
} mote_elimination;

typedef struct mote_incomplete mote_incomplete;

// Keeps nothing of its arguments.
mote_result mote_incomplete_create(const mote_sparse *matrix, const mote_elimination *elimination,
                                   const mote_env *env, mote_incomplete **out, mote_error *error);
// The same pattern with other values.
mote_result mote_incomplete_update(mote_incomplete *factor, const double *value, mote_error *error);
// in and out: three numbers per unknown; may be the same.
void mote_incomplete_solve(mote_incomplete *factor, const double *in, double *out);
void mote_incomplete_destroy(mote_incomplete *factor);

#endif
