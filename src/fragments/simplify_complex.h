// The meshes of all pieces as one complex: both sides of a wall are one triangle, and vertices of several
// pieces at one place are one point, so that what changes a wall changes both sides of it. Internal to
// fragment_simplify.c. Theory: docs/theory/fragments.md, "Simplified"
#ifndef MOTE_SIMPLIFY_COMPLEX_H
#define MOTE_SIMPLIFY_COMPLEX_H

#include "base/arena.h"
#include "fragments/cut_mesh.h"

#define MOTE_SIDE_OUTSIDE UINT32_MAX      // of an outer triangle
#define MOTE_SIDE_APART (UINT32_MAX - 1)  // of a wall whose other side does not lie on it

// Triangles are rows of the cut mesh. Of the two rows of a wall that of the lower fragment stands for both;
// the other one is not live.
typedef struct mote_complex {
  mote_cut_mesh *cut;
  uint32_t *point;   // of each vertex: the first vertex at its place
  uint32_t *corner;  // 3 of each row: points
  uint32_t *back;    // of each row: the row of the wall's other side; NONE
  uint8_t *live;     // of each row
  uint32_t *first;   // of each point: corner 3 row + k that is there, also of rows that are no more; NONE
  uint32_t *next;    // of each corner: the next one at its point; NONE
} mote_complex;

// Of each vertex, the first vertex at its place.
mote_result mote_complex_weld(const mote_mesh *mesh, mote_arena *arena, uint32_t *point, mote_error *error);

// In memory of the arena.
mote_result mote_complex_make(mote_cut_mesh *cut, mote_arena *arena, mote_complex *out, mote_error *error);

// Removes the rows that are no more from the cut mesh, and vertices without triangles.
mote_result mote_complex_finish(mote_complex *complex, mote_arena *arena, mote_error *error);

// The fragment behind a live row, or what else is there.
static inline uint32_t mote_complex_behind(const mote_complex *c, uint32_t row) {
  if (c->back[row] != MOTE_CUT_NONE) return c->cut->fragment[c->back[row]];
  return c->cut->wall[row] ? MOTE_SIDE_APART : MOTE_SIDE_OUTSIDE;
}

static inline const double *mote_complex_place(const mote_complex *c, uint32_t point) {
  return c->cut->mesh.vertex + 3 * (size_t)point;
}

#endif
