// Which blocks of a sparse grid there are: a hash table from a block's place to its number.
#ifndef MOTE_BLOCK_MAP_H
#define MOTE_BLOCK_MAP_H

#include "base/memory.h"
#include "mesh/sparse_field.h"

#define MOTE_BLOCK_FARTHEST (1 << 20)  // places are less than this in size along each axis

typedef struct mote_block_map {
  mote_env env;
  size_t count;
  uint64_t *key;  // of block 0 .. count - 1, in the order of adding
  size_t key_capacity;
  uint32_t *slot;  // numbers; MOTE_BLOCK_ABSENT: free
  size_t slots;    // a power of two, or 0
  size_t slot_capacity;
} mote_block_map;

// Keys sort by (z, y, x).
static inline uint64_t mote_block_key(int32_t x, int32_t y, int32_t z) {
  return (uint64_t)(z + MOTE_BLOCK_FARTHEST) << 42 | (uint64_t)(y + MOTE_BLOCK_FARTHEST) << 21 |
         (uint64_t)(x + MOTE_BLOCK_FARTHEST);
}

static inline void mote_block_place(uint64_t key, int32_t at[3]) {
  const uint64_t mask = (UINT64_C(1) << 21) - 1;
  at[0] = (int32_t)(key & mask) - MOTE_BLOCK_FARTHEST;
  at[1] = (int32_t)(key >> 21 & mask) - MOTE_BLOCK_FARTHEST;
  at[2] = (int32_t)(key >> 42) - MOTE_BLOCK_FARTHEST;
}

void mote_block_map_free(mote_block_map *map);
size_t mote_block_map_bytes(const mote_block_map *map);
void mote_block_map_clear(mote_block_map *map);
// The number of a block, or MOTE_BLOCK_ABSENT.
uint32_t mote_block_map_find(const mote_block_map *map, uint64_t key);
// Adds a block where it is not there yet.
mote_result mote_block_map_add(mote_block_map *map, uint64_t key, mote_error *error);
// Numbers the blocks anew, by their keys.
mote_result mote_block_map_sort(mote_block_map *map, mote_error *error);

#endif
