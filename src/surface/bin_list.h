// A subset of a set's points, bin by bin, for fast loops over few points among many.
#ifndef MOTE_BIN_LIST_H
#define MOTE_BIN_LIST_H

#include "surface/point_set.h"

typedef struct mote_bin_list {
  uint32_t *point;  // ascending
  uint32_t *first;  // bins + 1: those of bin b are point[first[b]] .. point[first[b + 1] - 1]
} mote_bin_list;

typedef bool mote_point_test(const void *data, size_t point);

// The points that pass the test; from `arena`.
mote_result mote_bin_list_make(const mote_point_set *set, mote_point_test *test, const void *data,
                               mote_arena *arena, mote_bin_list *out, mote_error *error);

#endif
