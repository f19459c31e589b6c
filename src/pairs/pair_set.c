// Neighbour rows from the grid search: see pair_set.h.
#include "pairs/pair_set.h"

#include <string.h>

// Rows of `groups` groups, at `index` every `stride` words.
static mote_result write_rows(const mote_listing *listing, mote_list_rows rows, mote_error *error) {
  if (rows.first_four == NULL || rows.number == NULL || rows.index == NULL) {
    return mote_fail_memory(error, listing->entries * rows.stride);
  }
  mote_listing_write(listing, &rows);
  return MOTE_OK;
}

static mote_result check_groups(const mote_listing *listing, mote_error *error) {
  if (listing->entries / MOTE_LANES <= UINT32_MAX) return MOTE_OK;
  return mote_fail(error, MOTE_ERROR_ARGUMENT, "%zu pairs of neighbours are more than there are numbers for",
                   listing->entries);
}

mote_result mote_pair_set_find(mote_pair_set *set, mote_grid *grid, const double *position, size_t count,
                               mote_arena *scratch, mote_error *error) {
  MOTE_ASSERT(set != NULL && grid != NULL && scratch != NULL);
  MOTE_ASSERT(position != NULL || count == 0);
  mote_listing listing;
  MOTE_TRY(mote_grid_find(grid, position, count, scratch, &listing, error));
  MOTE_TRY(check_groups(&listing, error));
  set->rows = listing.targets->count, set->groups = listing.entries / MOTE_LANES;
  set->first = mote_arena_take(scratch, set->rows, sizeof *set->first);
  set->number = mote_arena_take(scratch, set->rows, sizeof *set->number);
  set->group = mote_arena_take(scratch, set->groups, sizeof *set->group);
  mote_list_rows rows = {.first_four = set->first,
                         .number = set->number,
                         .index = (uint32_t *)set->group,
                         .stride = sizeof *set->group / sizeof(uint32_t)};
  return write_rows(&listing, rows, error);
}

mote_result mote_pair_lane_set_find(mote_pair_view *set, mote_grid *grid, const uint8_t *wanted,
                                    bool gradient_factor, mote_list_use *use, const void *data,
                                    mote_arena *scratch, mote_error *error) {
  MOTE_ASSERT(set != NULL && grid != NULL && scratch != NULL);
  MOTE_ASSERT(use != NULL);
  mote_listing listing;
  MOTE_TRY(wanted == NULL ? mote_grid_find(grid, NULL, 0, scratch, &listing, error)
                          : mote_grid_find_some(grid, wanted, scratch, &listing, error));
  MOTE_TRY(check_groups(&listing, error));
  set->rows = listing.points->count;
  set->first = mote_arena_take(scratch, set->rows, sizeof *set->first);
  set->number = mote_arena_take(scratch, set->rows, sizeof *set->number);
  set->lanes = mote_arena_take(scratch, listing.entries / MOTE_LANES, sizeof *set->lanes);
  set->gradient_factor =
      gradient_factor ? mote_arena_take(scratch, listing.entries, sizeof *set->gradient_factor) : NULL;
  if (wanted != NULL && set->number != NULL) memset(set->number, 0, set->rows * sizeof *set->number);
  if (gradient_factor && set->gradient_factor == NULL)
    return mote_fail_memory(error, listing.entries * sizeof *set->gradient_factor);
  mote_list_rows rows = {.first_four = set->first,
                         .number = set->number,
                         .index = (uint32_t *)set->lanes,
                         .stride = sizeof *set->lanes / sizeof(uint32_t),
                         .use = use,
                         .data = data};
  MOTE_TRY(write_rows(&listing, rows, error));
  mote_pair_lane_set_check(set, listing.entries / MOTE_LANES);
  return MOTE_OK;
}

#ifdef MOTE_ASSERTS
void mote_pair_lane_set_check(const mote_pair_view *set, size_t groups) {
  for (size_t i = 0; i < set->rows; ++i) {
    if (set->number[i] == 0) continue;
    MOTE_ASSERT((size_t)set->first[i] + set->number[i] <= groups);
    const uint32_t *index = set->lanes[set->first[i]].index;
    uint32_t most = 0;
    for (size_t k = 0; k < (size_t)MOTE_LANES * set->number[i]; ++k) most = index[k] > most ? index[k] : most;
    MOTE_ASSERT(most <= set->rows);
    MOTE_ASSERT(index[0] != i);
  }
}
#endif
