// An order of elimination that keeps the factor of a sparse symmetric matrix sparse.
#ifndef MOTE_ELIMINATION_ORDER_H
#define MOTE_ELIMINATION_ORDER_H

#include "base/arena.h"

// Neighbours of i, without i: near[first[i]] .. near[first[i + 1] - 1]. Edges are in both directions.
typedef struct mote_graph {
  uint32_t size;
  const size_t *first;
  uint32_t *near;
} mote_graph;

// order[k] is the k-th to be eliminated. The lists in `near` are lost.
mote_result mote_elimination_order(mote_graph graph, mote_arena *scratch, uint32_t *order, mote_error *error);

#endif
