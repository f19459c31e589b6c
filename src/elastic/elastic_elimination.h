// Elimination order of the particles of a large body: in parts along its longest axis, each ordered towards
// its neighbouring part, and last the particles that couple the parts. The parts can be eliminated in
// parallel, and the incomplete factor is as good as with one sequential order. Theory: docs/theory/elastic.md
#ifndef MOTE_ELASTIC_ELIMINATION_H
#define MOTE_ELASTIC_ELIMINATION_H

#include "elastic/elastic_body.h"
#include "num/incomplete.h"

// The matrix has one unknown per particle. Memory is the arena's.
mote_result mote_elastic_elimination_order(const mote_elastic *body, const mote_sparse *matrix,
                                           mote_arena *memory, mote_elimination *out, mote_error *error);

#endif
