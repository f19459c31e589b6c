// Whether an operation of cleaning would make triangles cross: those that it would make are held against all
// near them, found in cells of space.
#ifndef MOTE_CLEAN_CROSS_H
#define MOTE_CLEAN_CROSS_H

#include "mesh/edge_ops.h"

// A triangle in a cell of its hash value.
typedef struct mote_clean_entry {
  uint32_t triangle, next;  // next: 1 + an entry; 0: none
} mote_clean_entry;

typedef struct mote_clean_cells {
  double per_cell;  // 1 / edge of a cell
  uint32_t *head;   // of each hash value, 1 + an entry; 0: none
  size_t mask;      // number of hash values - 1
  mote_clean_entry *entry;
  size_t entries, capacity;  // entries of triangles that have changed stay, and are looked at in vain
  mote_arena *arena;
  uint32_t *stamp;  // of each triangle, the query in which it was met
  uint32_t query;
} mote_clean_cells;

// All triangles, in memory of the arena.
mote_result mote_clean_cells_make(const mote_half_edges *edges, const double *position, mote_arena *arena,
                                  mote_clean_cells *out, mote_error *error);
// `position` is changed and restored.
bool mote_clean_crosses(mote_clean_cells *cells, const mote_edge_op *op, const mote_half_edges *edges,
                        double *position);
// Enters the triangles about v anew, after an operation; false: out of memory.
bool mote_clean_cells_enter(mote_clean_cells *cells, const mote_half_edges *edges, const double *position,
                            uint32_t v);

#endif
