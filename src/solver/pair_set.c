// Rows of pair groups, by the search: see pair_set.h.
#include "solver/pair_set.h"

static mote_result write_rows(mote_pair_set *set, const mote_listing *listing, mote_list_use *use,
                              const void *data, mote_arena *scratch, mote_error *error) {
  size_t rows = listing->targets->count, groups = listing->entries / MOTE_LANES;
  set->rows = rows, set->groups = groups;
  set->first = mote_arena_take(scratch, rows, sizeof *set->first);
  set->number = mote_arena_take(scratch, rows, sizeof *set->number);
  set->group = mote_arena_take(scratch, groups, sizeof *set->group);
  if (!set->first || !set->number || !set->group) {
    return mote_fail_memory(error, groups * sizeof *set->group);
  }
  mote_list_rows out = {.first = set->first,
                        .number = set->number,
                        .index = (uint32_t *)set->group,
                        .stride = sizeof *set->group / sizeof(uint32_t),
                        .fours = true,
                        .use = use,
                        .data = data};
  mote_listing_write(listing, &out);
  return MOTE_OK;
}

mote_result mote_pair_set_find(mote_pair_set *set, mote_grid *grid, const double *position, size_t count,
                               mote_arena *scratch, mote_error *error) {
  mote_listing listing;
  MOTE_TRY(mote_grid_find(grid, position, count, &listing, error));
  return write_rows(set, &listing, NULL, NULL, scratch, error);
}

mote_result mote_pair_set_find_own(mote_pair_set *set, mote_grid *grid, mote_list_use *use, const void *data,
                                   mote_arena *scratch, mote_error *error) {
  mote_listing listing;
  MOTE_TRY(mote_grid_find(grid, NULL, 0, &listing, error));
  return write_rows(set, &listing, use, data, scratch, error);
}
