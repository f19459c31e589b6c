// Fast marching on nodes of a sparse cubic grid: |grad T| = 1/speed from seeds,
// each node after all nearer ones. Sethian, "A fast marching level set method for monotonically advancing
// fronts" (1996); second order after Sethian, "Fast marching methods" (1999). docs/theory/fast_marching.md
#ifndef MOTE_FAST_MARCH_H
#define MOTE_FAST_MARCH_H

#include <mote/geom.h>

#define MOTE_MARCH_NONE UINT32_MAX

// The state of a node.
enum {
  MOTE_MARCH_DONE = 1,      // its value is final: written by mote_march_run
  MOTE_MARCH_SEED = 2,      // its value is given and does not change
  MOTE_MARCH_WALL = 4,      // impassable
  MOTE_MARCH_NEGATIVE = 8,  // on the other side of the zero set; values are distances on both sides
};

// Nodes in blocks of 8 x 8 x 8, x fastest: near nodes lie together in memory, which a front that jumps about
// needs. Node i is node i % 512 of block i / 512.
#define MOTE_MARCH_SIDE 8
#define MOTE_MARCH_BLOCK 512

typedef struct mote_march {
  size_t blocks;
  const uint32_t (*beside)[6];  // the block at -x, +x, -y, +y, -z, +z, or MOTE_MARCH_NONE
  double cell;
  const double *speed;  // null: 1
  int order;            // 1, 2
  double farthest;
  uint8_t *state;
  double *value;
} mote_march;

// Makes seeds of the nodes next to which the field `value` changes its sign: `value` becomes the distance to
// the zero set there, state gets SEED, and NEGATIVE everywhere. Nodes that are walls have no value.
mote_result mote_march_seed(mote_march *march, const mote_env *env, mote_error *error);

// From the seeds: value and DONE of all nodes that can be reached; infinite elsewhere.
mote_result mote_march_run(mote_march *march, const mote_env *env, mote_error *error);

// The node beside node i, k as in `beside`.
static inline uint32_t mote_march_next(const mote_march *march, uint32_t i, int k) {
  uint32_t one = 1u << 3 * (k >> 1), last = 7 * one;
  if (k & 1 ? (i & last) != last : (i & last) != 0) return k & 1 ? i + one : i - one;
  uint32_t block = march->beside[i / MOTE_MARCH_BLOCK][k];
  if (block == MOTE_MARCH_NONE) return MOTE_MARCH_NONE;
  return block * MOTE_MARCH_BLOCK + ((i % MOTE_MARCH_BLOCK) ^ last);
}

#endif
