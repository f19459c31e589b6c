// Internal interface of the grid. Loops over candidates and lists use grid->space, grid->cells and a walk
// (walk.h).
#ifndef MOTE_GRID_H
#define MOTE_GRID_H

#include <mote/search.h>

#include "base/arena.h"
#include "search/cells.h"

// The cells of a grid for points that lie in [low, high].
mote_space mote_grid_space(const mote_grid_def *def, const double low[3], const double high[3]);

// Neighbour lists under construction, and their memory.
typedef struct mote_lists_block {
  uint64_t *first;
  uint32_t *number, *sorted_number, *index;
  float *reach2;  // of the sorted points, if their radii matter
  struct mote_tile_bits *bits;
  struct mote_list_part *part;
  size_t pairs, first_capacity, number_capacity, sorted_number_capacity, index_capacity, reach2_capacity,
      bits_capacity, part_capacity;
} mote_lists_block;

struct mote_grid {
  mote_env env;
  mote_grid_def def;
  bool borrows;  // positions are not copied
  mote_space space;
  mote_cells cells;        // the grid's points
  mote_space other_space;  // the same, wide enough for
  mote_cells others;       // the query points of mote_grid_neighbours_at
  mote_cells some;         // of the grid's points those of mote_grid_find_some
  mote_lists_block lists;
};

// Lists found but not yet written; valid until the grid is used again.
typedef struct mote_listing {
  const mote_space *space;
  const mote_cells *points, *targets;  // the grid's points, each without itself, or others in the same space
  const double *radius;
  mote_reach reach;
  mote_lists_block *out;
  mote_arena *scratch;          // memory of unwritten lists; null: of `out`
  uint32_t *sorted_number;      // neighbours of each sorted target
  struct mote_tile_bits *bits;  // and their bits among the candidates
  size_t between;               // bytes of both
  int threads;
  size_t entries;  // of all lists, each padded to a multiple of four
} mote_listing;

// Called with targets whose lists have just been written, while they are in the cache: each target once, on
// any thread.
typedef void mote_list_use(const void *data, const uint32_t *target, size_t count);

// Destination of lists: four entries every `stride` words. Either `first` and `number` count entries, or
// `first_four` and `number` groups of four; the other is null.
typedef struct mote_list_rows {
  uint64_t *first;
  uint32_t *first_four;
  uint32_t *number, *index;
  size_t stride;
  mote_list_use *use;  // may be null
  const void *data;    // its own
} mote_list_rows;

// mote_grid_build of a part of a set whose bounds are given: cells are those of the whole set, and so is the
// order of the part. Positions are finite and within the bounds.
mote_result mote_grid_build_within(mote_grid *grid, const double *position, size_t count, const double low[3],
                                   const double high[3], mote_error *error);

// Finds the neighbours of query points, or, if `position` is null, of the grid's. Writing the lists reuses
// their memory of the scratch arena (arena.h): lists are written once.
mote_result mote_grid_find(mote_grid *grid, const double *position, size_t count, mote_arena *scratch,
                           mote_listing *out, mote_error *error);
// The same for the wanted points of the grid only.
mote_result mote_grid_find_some(mote_grid *grid, const uint8_t *wanted, mote_arena *scratch,
                                mote_listing *out, mote_error *error);
void mote_listing_write(const mote_listing *listing, const mote_list_rows *rows);

// Before the first build: positions will not be copied; the caller must not change them while the grid is
// used.
mote_result mote_grid_borrow(mote_grid *grid, mote_error *error);

// Frees the memory that only building needs.
void mote_grid_trim(mote_grid *grid);

// Finds lists, and writes them into the grid's own memory.
mote_result mote_listing_find(mote_listing *listing, const mote_env *env, mote_error *error);
mote_result mote_listing_keep(const mote_listing *listing, const mote_env *env, mote_lists *lists,
                              mote_error *error);
#ifdef MOTE_ASSERTS
// Invariants: lists begin at multiples of four and end within the array; neighbours are among the points, and
// each list is padded with the filler.
void mote_lists_check(const mote_lists *lists, size_t points);
#else
static inline void mote_lists_check(const mote_lists *lists, size_t points) {
  (void)lists, (void)points;
}
#endif

void mote_lists_block_destroy(mote_lists_block *block, const mote_env *env);
size_t mote_lists_block_bytes(const mote_lists_block *block);

#endif
