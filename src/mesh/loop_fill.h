// Triangles in the loops of marching cubes.
#ifndef MOTE_LOOP_FILL_H
#define MOTE_LOOP_FILL_H

#include "mesh/marching_table.h"

typedef struct mote_loop {
  uint32_t vertex[MOTE_CUBE_EDGES];
  uint8_t faces[MOTE_CUBE_EDGES];  // of the cube, that the vertex lies in, as bits
  unsigned length;
} mote_loop;

// The triangulation with the best worst triangle among those whose diagonals lie in no face and whose
// triangles do not cross; there is one (docs/theory/marching_cubes.md, "No crossings"). Returns the number of
// triangles, length - 2. position: 3 for each vertex of the mesh.
unsigned mote_loop_fill(const mote_loop *loop, const double *position, uint32_t *triangle);

// Triangles about `centre`. Returns their number, the length.
unsigned mote_loop_fan(const mote_loop *loop, uint32_t centre, uint32_t *triangle);

#endif
