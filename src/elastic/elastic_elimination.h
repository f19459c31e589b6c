// The order in which the particles of a large body are eliminated: in parts along its longest axis, each
// towards its neighbour, and last those that couple parts. Parts can then be done side by side, and an
// incomplete factor is as good as one from end to end. Theory: docs/theory/solids.md
#ifndef MOTE_ELASTIC_ELIMINATION_H
#define MOTE_ELASTIC_ELIMINATION_H

#include "elastic/elastic_body.h"
#include "num/incomplete.h"

// The matrix is of one unknown a particle. Memory is the arena's.
mote_result mote_elastic_order(const mote_elastic *body, const mote_sparse *matrix, mote_arena *memory,
                               mote_elimination *out, mote_error *error);

#endif
