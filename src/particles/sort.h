// Sorting of rows: a stable sort by (key, id), and the permutation of all fields of a block.
// An order is an array `from`: the k-th row in the new order is row from[k] of the old one.
// Radix sort by least significant digits; the result is unique, so it does not depend on threads.
#ifndef MOTE_SORT_H
#define MOTE_SORT_H

#include "base/arena.h"
#include "particles/store.h"

// Orders `count` (less than 2^32) rows by key, equal keys by id, equal ids (or id null) by row number.
mote_result mote_order_sort(const uint64_t *key, const uint64_t *id, size_t count, int threads,
                            mote_arena *scratch, uint32_t *from, mote_error *error);

// Whether each of 0 .. count-1 occurs once; true also if there is no memory for the test.
bool mote_order_is_permutation(const uint32_t *from, size_t count, mote_arena *scratch);

// Permutes the rows of the block, in all its fields, into the order `from`: a permutation of 0 .. count-1.
mote_result mote_store_permute(mote_store *store, size_t block, const uint32_t *from, mote_arena *scratch,
                               mote_error *error);

#endif
