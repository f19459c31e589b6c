// The grid inside. Loops over candidates use grid->space, grid->cells and a walk (walk.h); lists are made
// from the same.
#ifndef MOTE_GRID_H
#define MOTE_GRID_H

#include <mote/search.h>

#include "search/cells.h"

// Neighbour lists being made, and the memory for them.
typedef struct mote_lists_block {
  uint64_t *first;
  uint32_t *number, *sorted_number, *index;
  float *reach2;  // of the sorted points, where their radii count
  struct mote_tile_bits *bits;
  struct mote_list_part *part;
  size_t pairs, first_held, number_held, sorted_number_held, index_held, reach2_held, bits_held, part_held;
} mote_lists_block;

struct mote_grid {
  mote_env env;
  mote_grid_def def;
  mote_space space;
  mote_cells cells;   // the grid's points
  mote_cells others;  // the query points of mote_grid_neighbours_at
  mote_lists_block lists;
};

// Makes the lists of `targets`: the grid's points, each without itself, or others sorted in the same space.
mote_result mote_grid_list(mote_grid *grid, const mote_space *space, const mote_cells *targets,
                           const double *radius, mote_reach reach, mote_lists *lists, mote_error *error);
void mote_lists_block_destroy(mote_lists_block *block, const mote_env *env);
size_t mote_lists_block_bytes(const mote_lists_block *block);

#endif
