// Memory for rows of pair groups: see pair_set.h.
#include "solver/pair_set.h"

mote_result mote_pair_set_take(mote_pair_set *set, const mote_lists *lists, mote_arena *scratch,
                               mote_error *error) {
  size_t rows = lists->count, groups = lists->first[rows] / MOTE_LANES;
  set->rows = rows;
  set->first = mote_arena_take(scratch, rows, sizeof *set->first);
  set->number = mote_arena_take(scratch, rows, sizeof *set->number);
  set->group = mote_arena_take(scratch, groups, sizeof *set->group);
  if (!set->first || !set->number || !set->group) {
    return mote_fail_memory(error, groups * sizeof *set->group);
  }
  for (size_t i = 0; i < rows; ++i) {
    set->first[i] = lists->first[i] / MOTE_LANES;
    set->number[i] = (lists->number[i] + MOTE_LANES - 1) / MOTE_LANES;
  }
  return MOTE_OK;
}
