// The dense work of a sparse factorisation: eliminate the first columns of a symmetric block.
#ifndef MOTE_FRONTAL_BLOCK_H
#define MOTE_FRONTAL_BLOCK_H

#include <stddef.h>

// A symmetric matrix of `rows` unknowns, lower triangle, by columns; entries above the diagonal are lost.
typedef struct mote_frontal_block {
  size_t rows, columns;  // columns: those to be eliminated
  double *panel;         // rows x columns
  double *update;        // the rest: (rows - columns) squared
  double *packed;        // scratch, mote_frontal_block_scratch(rows) doubles
  int threads;
} mote_frontal_block;

size_t mote_frontal_block_scratch(size_t rows);

// The panel becomes columns of L, the update the Schur complement. Returns the number of eliminated columns:
// fewer than all when the pivot of the next is not above least[column] or not finite.
size_t mote_frontal_block_eliminate(const mote_frontal_block *frontal, const double *least);

#endif
