// A scalar field on the nodes of a cubic grid, in blocks of 8 x 8 x 8 nodes, where it is wanted: near the
// surface. Positive inside. Block b holds the nodes 8 at[b] .. 8 at[b] + 7 along each axis, x fastest; a cell
// belongs to the block of its lowest node, and its other nodes may lie in the blocks above. A cell with a
// node in an absent block has one sign at those that are there: nothing crosses it.
#ifndef MOTE_SPARSE_FIELD_H
#define MOTE_SPARSE_FIELD_H

#include <stddef.h>
#include <stdint.h>

#define MOTE_BLOCK_SIDE 8
#define MOTE_BLOCK_NODES 512
#define MOTE_BLOCK_ABSENT UINT32_MAX

typedef struct mote_sparse_field {
  double origin[3];  // of node (0, 0, 0)
  double cell;       // m
  size_t blocks;
  const int32_t *at;           // 3 per block, sorted by (z, y, x)
  const uint32_t (*above)[8];  // the block at at[b] + (k & 1, k >> 1 & 1, k >> 2), or MOTE_BLOCK_ABSENT
  float *value;                // MOTE_BLOCK_NODES per block; finite
} mote_sparse_field;

#endif
