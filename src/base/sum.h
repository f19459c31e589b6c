// Sums whose bits depend on the set of their terms only: not on the order, and not on how they are cut.
//
// Every term is rounded to a multiple of a unit that follows from the largest term, and the multiples are
// added exactly (Demmel & Nguyen 2015; docs/theory/sums.md). With N terms of at most m in magnitude the sum
// is wrong by at most 2^-65 N m before its own rounding. A NaN among the terms makes the sum NaN. Terms of
// 2^993 and more count as infinite: the sum is infinite, or NaN where both signs occur. At most 2^30 terms.
#ifndef MOTE_SUM_H
#define MOTE_SUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MOTE_SUM_PARTS 3

typedef struct mote_sum {
  int bin;  // of the largest term: its binary order of magnitude / 32
  bool nan, above, below;
  int64_t part[MOTE_SUM_PARTS];  // multiples of 2^(32 bin - 1023), and of units smaller by 2^32 and by 2^64
} mote_sum;

mote_sum mote_sum_none(void);

// Terms of one element when there are so many sums: their number, or more for the sake of vectors.
#define MOTE_SUM_ROW(components) ((components) > 2 ? ((components) + 3) / 4 * 4 : (components))

// Adds term[k + i * MOTE_SUM_ROW(components)] to sum[k], for all i < rows: a multiple of 4, at most 2^20.
// Clears terms that are not finite.
void mote_sum_add(mote_sum *sum, int components, double *term, size_t rows);

void mote_sum_join(mote_sum *sum, const mote_sum *other);

// The nearest double; the sum of nothing is 0.
double mote_sum_value(const mote_sum *sum);

#endif
