// The triangles of a complex in cells of space: whether a new one would cross any. Triangles lie in the cell
// of their middle, of a level whose cells are as large as they.
#ifndef MOTE_SIMPLIFY_CELLS_H
#define MOTE_SIMPLIFY_CELLS_H

#include "fragments/simplify_complex.h"

#define MOTE_CELL_LEVELS 24

typedef struct mote_complex_box {
  double low[3], high[3];
} mote_complex_box;

typedef struct mote_complex_cells {
  double low[3], size;  // of level 0, m; twice that of each further one
  size_t held[MOTE_CELL_LEVELS];
  uint32_t *head, *next;  // of each hash value, and of each row; NONE
  uint64_t *key;          // of each row: its level and cell
  mote_complex_box *box;  // of each row
  uint32_t *near;         // what was found last
  size_t mask;
} mote_complex_cells;

// In memory of the arena, with all live rows.
mote_result mote_complex_cells_make(const mote_complex *complex, double size, mote_arena *arena,
                                    mote_complex_cells *out, mote_error *error);
void mote_complex_cells_enter(mote_complex_cells *cells, const mote_complex *complex, uint32_t row);
void mote_complex_cells_remove(mote_complex_cells *cells, uint32_t row);

// Lists in cells->near the triangles whose boxes touch a box and that have no corner at `but`; their number.
size_t mote_complex_cells_find(mote_complex_cells *cells, const mote_complex *complex,
                               const mote_complex_box *box, uint32_t but);
mote_complex_box mote_complex_box_of(const mote_complex *complex, const uint32_t point[3]);
// Whether the two triangles cross, by their points, or are folded onto each other at a common edge.
bool mote_complex_crosses(const mote_complex *complex, const uint32_t a[3], const uint32_t b[3]);

static inline bool mote_complex_boxes_overlap(const mote_complex_box *a, const mote_complex_box *b) {
  return a->low[0] <= b->high[0] && b->low[0] <= a->high[0] && a->low[1] <= b->high[1] &&
         b->low[1] <= a->high[1] && a->low[2] <= b->high[2] && b->low[2] <= a->high[2];
}

#endif
