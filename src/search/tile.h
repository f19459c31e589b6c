// A tile: up to 512 candidates for the neighbours of one cell, tested in lanes of four floats. Each target
// keeps one bit for each candidate.
//
// Lengths are radii of the largest search, from the target cell's corner. A target tests the sign of
// |x_j|^2 + (|x_i|^2 - r^2 - error) - 2 x_i . x_j: not negative means that j is not near, below -2 error that
// it is, and values between need a test in double (docs/theory/search.md).
#ifndef MOTE_TILE_H
#define MOTE_TILE_H

#include "search/walk.h"

#define MOTE_TILE 512
#define MOTE_TILE_BLOCK 128  // candidates that share one mote_tile_bits
#define MOTE_TILE_PADDED (MOTE_TILE + 16)

// Candidate c of a block is bit c / 16 of byte c % 16.
typedef struct mote_tile_bits {
  uint64_t word[2];
} mote_tile_bits;

typedef struct mote_tile {
  size_t run, next;      // where the next tile begins
  size_t count, blocks;  // candidates, blocks of them
  size_t own_begin, own_end,
      own_at;  // sorted points that contain the targets themselves, and their offset in the tile
  float x[MOTE_TILE_PADDED], y[MOTE_TILE_PADDED], z[MOTE_TILE_PADDED], square[MOTE_TILE_PADDED];
  uint32_t point[MOTE_TILE_PADDED];  // the sorted number of each, or its index
  const float *reach2;               // r_j^2 of all sorted points, if the candidates' radii matter
  float reaching[MOTE_TILE_PADDED];  // |x_j|^2 - r_j^2, then
} mote_tile;

typedef struct mote_tile_target {
  float x, y, z, square;  // -2 x_i, and |x_i|^2 - r_i^2 - error
} mote_tile_target;

// The square of a radius, in radii of the largest search.
static inline float mote_tile_reach2(double radius, double largest) {
  float r = (float)(radius / largest);
  return r * r;
}

// Sorted targets begin .. end - 1 of the walk's cell. radius holds one for each of their indices; null: all
// have that of the largest search, or none.
void mote_tile_targets(const mote_walk *walk, size_t begin, size_t end, const double *radius, bool none,
                       mote_tile_target *target);

static inline void mote_tile_start(mote_tile *tile, const float *reach2) {
  tile->run = tile->next = 0;
  tile->reach2 = reach2;
}

// Fills the tile with the walk's next candidates: their fixed positions and sorted numbers, or only their
// indices. False without any.
bool mote_tile_fill_fixed_positions(mote_tile *tile, const mote_walk *walk);
bool mote_tile_fill_indices(mote_tile *tile, const mote_walk *walk);

// Bits of the candidates that may be near two targets, block by block for each; `square` is that of the tile,
// or `reaching`. `unsure` marks those that may also not be near, because squares of distances have errors up
// to `error`. Bit m of the result is set if target m has such.
int mote_tile_test(const mote_tile *tile, const float *square, const mote_tile_target target[2], float error,
                   mote_tile_bits *near[2], mote_tile_bits *unsure[2]);

// The candidate of the lowest bit of a word (0 or 1) within its block.
static inline size_t mote_tile_candidate(int word, uint64_t bits) {
  size_t bit = (size_t)__builtin_ctzll(bits);
  return (bit >> 3) + ((bit & 7) << 4) + 8 * (size_t)word;
}

// Clears the bit of the candidate that is sorted point k, where k is one of the targets.
static inline void mote_tile_clear_own(const mote_tile *tile, size_t k, mote_tile_bits *bits) {
  if (k < tile->own_begin || k >= tile->own_end) return;
  size_t at = tile->own_at + (k - tile->own_begin);
  bits[at / MOTE_TILE_BLOCK].word[at / 8 % 2] &= ~(UINT64_C(1) << (at % 8 * 8 + at / 16 % 8));
}

// The same bits in order: candidate c is bit c % 64 of word c / 64.
mote_tile_bits mote_tile_bits_ordered(mote_tile_bits bits);

#endif
