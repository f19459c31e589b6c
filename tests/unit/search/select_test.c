// The neighbours of a selection are those that the same points have among all, in the same order.
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "search/grid.h"
#include "test.h"

#define COUNT 700

typedef struct found {
  uint32_t first[COUNT], number[COUNT], *index;
} found;

static void find(mote_grid *grid, const uint8_t *wanted, mote_arena *scratch, found *out) {
  mote_listing listing;
  mote_result result = wanted == NULL ? mote_grid_find(grid, NULL, 0, scratch, &listing, NULL)
                                      : mote_grid_find_some(grid, wanted, scratch, &listing, NULL);
  CHECK(result == MOTE_OK);
  memset(out->number, 0, sizeof out->number);
  out->index = calloc(listing.entries + 4, sizeof *out->index);
  mote_list_rows rows = {.first_four = out->first, .number = out->number, .index = out->index, .stride = 4};
  mote_listing_write(&listing, &rows);
}

static void compare(bool periodic, int dimensions, double share) {
  double x[3 * COUNT];
  uint8_t wanted[COUNT];
  size_t count = 0;
  for (size_t i = 0; i < COUNT; ++i) {
    for (size_t a = 0; a < 3; ++a) x[3 * i + a] = a < (size_t)dimensions ? mote_random_unit(7, a, i) : 0.0;
    wanted[i] = mote_random_unit(7, 9, i) < share;
    count += wanted[i];
  }
  mote_grid_def def = mote_grid_def_default(dimensions == 2 ? 0.08 : 0.2);
  def.domain.dimensions = dimensions;
  for (int a = 0; a < dimensions && periodic; ++a) {
    def.domain.periodic[a] = true, def.domain.low[a] = 0.0, def.domain.high[a] = 1.0;
  }
  mote_env env = mote_env_resolve(NULL);
  mote_arena scratch = mote_arena_make(&env);
  mote_grid *grid = NULL;
  CHECK(mote_grid_create(&def, &env, &grid, NULL) == MOTE_OK);
  CHECK(mote_grid_build(grid, x, COUNT, NULL) == MOTE_OK);
  found all = {.index = NULL}, some = {.index = NULL};
  find(grid, NULL, &scratch, &all);
  find(grid, wanted, &scratch, &some);
  size_t same = 0, pairs = 0;
  for (size_t i = 0; i < COUNT; ++i) {
    if (!wanted[i]) {
      CHECK(some.number[i] == 0);
      continue;
    }
    pairs += all.number[i];
    same += all.number[i] == some.number[i] &&
            memcmp(all.index + 4 * all.first[i], some.index + 4 * some.first[i],
                   4 * all.number[i] * sizeof *all.index) == 0;
  }
  CHECK(same == count && (pairs > count || share == 0.0));
  free(all.index), free(some.index);
  mote_grid_destroy(grid);
  mote_arena_destroy(&scratch);
}

int main(void) {
  static const double shares[] = {0.0, 0.02, 0.5, 1.0};
  for (int k = 0; k < 16; ++k) compare(k % 2 == 0, 2 + k / 2 % 2, shares[k / 4]);
  return test_end();
}
