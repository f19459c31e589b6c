// Vertices of marching cubes that crowd about a node of the grid are moved apart along their edges: thin
// triangles come from them. docs/theory/marching_cubes.md, "Small angles"
#ifndef MOTE_GRAZE_H
#define MOTE_GRAZE_H

#include "mesh/marching_cubes.h"

typedef struct mote_graze {
  const mote_sparse_field *field;
  uint32_t (*below)[3];  // the block before each along x, y, z
} mote_graze;

// MEMORY: the scratch is out of it.
mote_result mote_graze_make(const mote_sparse_field *field, mote_arena *scratch, mote_graze *out,
                            mote_error *error);

// Where the vertex goes that is at t within MOTE_GRAZE_APART of an end of the edge along `axis` from a node.
double mote_graze_move(const mote_graze *graze, uint32_t block, const unsigned node[3], unsigned axis,
                       double t);

#endif
