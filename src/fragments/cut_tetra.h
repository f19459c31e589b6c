// The tetrahedra of a body-centred cubic grid. Coordinates are in half edges: nodes are the sites whose three
// coordinates are all even or all odd. Every node owns the edges to the three nodes two half edges up an axis
// and to the four at (+-1, +-1, +1). Every even node owns twelve tetrahedra, four around each of its long
// edges. Theory: docs/theory/fragments.md
#ifndef MOTE_CUT_TETRA_H
#define MOTE_CUT_TETRA_H

#include <stdint.h>

#define MOTE_TETRAS 12      // of an even node
#define MOTE_TETRA_EDGES 6  // 01 02 03 12 13 23
#define MOTE_NODE_EDGES 7   // that a node owns
#define MOTE_EDGE_RING 6    // tetrahedra about an edge: 4 or 6

typedef struct mote_tetra_at {
  int8_t offset[3];  // of its even node
  uint8_t tetra;
} mote_tetra_at;

typedef struct mote_tetra_table {
  int8_t direction[MOTE_NODE_EDGES][3];
  int8_t corner[MOTE_TETRAS][4][3];  // from the even node; positively oriented; corners 0 and 1 are even
  uint8_t owner[MOTE_TETRAS][MOTE_TETRA_EDGES];            // corner that owns the edge
  uint8_t type[MOTE_TETRAS][MOTE_TETRA_EDGES];             // direction of the edge from its owner
  uint8_t position[MOTE_TETRAS][MOTE_TETRA_EDGES];         // of the tetrahedron in the edge's ring
  mote_tetra_at beyond[MOTE_TETRAS][4];                    // the one across the face opposite to a corner
  uint8_t ring_size[2][MOTE_NODE_EDGES];                   // by the parity of the owner
  mote_tetra_at ring[2][MOTE_NODE_EDGES][MOTE_EDGE_RING];  // neighbours share a face; offset from the owner
} mote_tetra_table;

// Corners of the edges, and the edge of two corners.
extern const uint8_t mote_tetra_ends[MOTE_TETRA_EDGES][2];
extern const uint8_t mote_tetra_edge[4][4];
// Corners of the face opposite to each corner, counter-clockwise seen from outside.
extern const uint8_t mote_tetra_face[4][3];

void mote_tetra_table_fill(mote_tetra_table *table);

#endif
