// How the surface passes through a cube: for every pattern of signs at its corners, and every way to read its
// ambiguous faces, the loops in which it crosses the cube's faces. 656 cases in all;
// docs/theory/marching_cubes.md
//
// Corner k lies at (k & 1, k >> 1 & 1, k >> 2). Edge 4 a + p runs along axis a; the two bits of p are the
// place of its lower corner along the other axes, in ascending order. Face 2 a + s has normal -a or +a (s = 0
// or 1).
#ifndef MOTE_MARCHING_TABLE_H
#define MOTE_MARCHING_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MOTE_CUBE_EDGES 12
#define MOTE_CUBE_FACES 6
#define MOTE_CUBE_LOOPS 4  // the most there are
#define MOTE_CUBE_CASES 656

// The edges of the loops, one loop behind the other, counter-clockwise seen from outside.
typedef struct mote_cube_case {
  uint8_t edge[MOTE_CUBE_EDGES];
  uint8_t length[MOTE_CUBE_LOOPS];
  uint8_t loops, triangles;
  uint8_t centred;  // bit of the loop that needs a vertex inside the cube; one at most
} mote_cube_case;

typedef struct mote_marching_table {
  uint16_t first[256];     // by the pattern of signs (bit k: corner k is inside), the first of its cases
  uint8_t ambiguous[256];  // its ambiguous faces, bit by bit
  uint8_t corner[MOTE_CUBE_FACES][4];  // of each face, counter-clockwise seen from outside
  uint8_t lower[MOTE_CUBE_EDGES];      // corner of each edge
  uint8_t faces[MOTE_CUBE_EDGES];      // the two faces of each edge, as bits
  mote_cube_case cases[MOTE_CUBE_CASES];
} mote_marching_table;

// Takes less than a millisecond.
void mote_marching_table_fill(mote_marching_table *table);

// Whether the insides of two opposite corners of a face are one on it: the sign of the bilinear saddle. The
// products are exact, so that both cubes of the face come to the same.
static inline bool mote_face_joins(float inside0, float outside0, float inside1, float outside1) {
  return (double)inside0 * (double)inside1 > (double)outside0 * (double)outside1;
}

// The case of a cube with these values and this pattern.
static inline const mote_cube_case *mote_cube_case_of(const mote_marching_table *table, unsigned pattern,
                                                      const float value[8]) {
  unsigned index = table->first[pattern], bit = 1;
  for (unsigned f = 0, rest = table->ambiguous[pattern]; rest; ++f, rest >>= 1) {
    if (!(rest & 1)) continue;
    const uint8_t *c = table->corner[f];
    unsigned k = !(pattern >> c[0] & 1);  // where the first inside corner is
    if (mote_face_joins(value[c[k]], value[c[k + 1]], value[c[k + 2]], value[c[(k + 3) & 3]])) index += bit;
    bit <<= 1;
  }
  return table->cases + index;
}

#endif
