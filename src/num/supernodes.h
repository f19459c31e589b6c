// The pattern of a sparse Cholesky factor, without values: groups of columns of L with the same rows.
#ifndef MOTE_SUPERNODES_H
#define MOTE_SUPERNODES_H

#include <mote/numeric.h>

#include "base/arena.h"

// Columns of L are numbered in order of elimination; a supernode is a run of them stored as one dense block
// of rows(s) x columns(s), by columns: its own columns are the first rows, then the rows below, ascending.
// Children precede parents, and subtrees are contiguous.
typedef struct mote_supernodes {
  size_t count;
  uint32_t *order;     // unknown that is the k-th eliminated
  uint32_t *position;  // its inverse
  uint32_t *start;     // first column of s; start[count] is the number of unknowns
  uint32_t *parent;    // supernode of the first row below; UINT32_MAX at a root
  size_t *row_first;   // rows of s: row[row_first[s]] .. row[row_first[s + 1] - 1]
  uint32_t *row;
  size_t *value_first;  // block of s in the values of L
  size_t entries;       // of L, without the zeros in the blocks
} mote_supernodes;

// For a checked pattern. Arrays of *out live in `keep`.
mote_result mote_supernodes_find(const mote_sparse *a, mote_arena *keep, mote_arena *scratch,
                                 mote_supernodes *out, mote_error *error);

static inline size_t mote_supernode_columns(const mote_supernodes *t, size_t s) {
  return t->start[s + 1] - t->start[s];
}

static inline size_t mote_supernode_rows(const mote_supernodes *t, size_t s) {
  return t->row_first[s + 1] - t->row_first[s];
}

#endif
