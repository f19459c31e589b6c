// Makes a sparse field of a kernel field: blocks close to points near the surface are evaluated, then
// wherever a sign might change between a block and an absent neighbour, that one too, until there is none.
// docs/theory/surfaces.md
#ifndef MOTE_FIELD_BLOCKS_H
#define MOTE_FIELD_BLOCKS_H

#include "surface/block_map.h"
#include "surface/kernel_field.h"

// Where a block's nodes that face each of its 27 directions (x + 3 y + 9 z, each 0 to 2; 13: all nodes) are
// inside, and where outside: a bit for each direction.
typedef struct mote_block_signs {
  uint32_t inside, outside;
} mote_block_signs;
mote_block_signs mote_block_signs_of(const float value[MOTE_BLOCK_NODES]);

typedef struct mote_field_blocks {
  mote_env env;
  mote_block_map map;
  mote_block_map absent;   // of one round: the neighbours of its blocks that are not in the map
  mote_kernel_list *list;  // one per worker
  size_t lists;
  int32_t *range;  // of blocks that each bin touches: first and last, 6 each
  int32_t *at;
  uint32_t (*above)[8];
  float *value;
  mote_block_signs *signs;
  uint32_t *wanted;  // of each block of a round, its absent neighbours, a bit each; of those, 1: wanted
  size_t range_capacity, at_capacity, above_capacity, value_capacity, signs_capacity, wanted_capacity;
} mote_field_blocks;

mote_field_blocks mote_field_blocks_make(const mote_env *env);
void mote_field_blocks_free(mote_field_blocks *blocks);
size_t mote_field_blocks_bytes(const mote_field_blocks *blocks);

typedef struct mote_field_opts {
  double cell;          // m
  const uint8_t *near;  // 1: near the surface; null: all points
  double close;         // how far from its centre a surface may be, in parts of a kernel
  size_t most_nodes;
  bool ring;  // all neighbours of blocks with a surface, for smoothing
} mote_field_opts;

// The view is valid until the next call. ARGUMENT with key "cell": more than most_nodes are wanted.
mote_result mote_field_blocks_evaluate(mote_field_blocks *blocks, const mote_kernel_field *field,
                                       const mote_field_opts *opts, mote_sparse_field *out,
                                       mote_error *error);

#endif
