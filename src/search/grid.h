// The grid inside: sorted points, and the runs of them that may be near a cell.
#ifndef MOTE_GRID_H
#define MOTE_GRID_H

#include <mote/search.h>

#include "search/cells.h"

// Sorted points begin .. end - 1, whose images lie `shift` (in places, see space.h) away.
typedef struct mote_run {
  size_t begin, end;
  uint32_t shift[3];
} mote_run;

#define MOTE_RUNS_MAX ((2 * MOTE_REACH_MAX + 1) * (2 * MOTE_REACH_MAX + 1) * 3)

struct mote_grid {
  mote_env env;
  mote_grid_def def;
  mote_space space;
  mote_cells cells;   // the grid's points
  mote_cells others;  // the points of mote_grid_neighbours_at
  double *position;   // as given, zero along axes beyond the dimensions
  size_t position_held;
  double low[3], high[3];
  // The lists.
  uint64_t *first;
  uint32_t *number, *index;
  size_t first_held, number_held, index_held;
};

// The runs that hold every point within def.radius of a point in the cell; each run of cells once, or once
// per image where a period is only a few cells long. Returns how many.
size_t mote_grid_runs(const mote_grid *grid, const int64_t cell[3], mote_run run[MOTE_RUNS_MAX]);

// Makes the lists of `targets` (null position: the grid's own points, themselves excluded).
mote_result mote_grid_list(mote_grid *grid, const mote_cells *targets, const double *position,
                           const double *radius, mote_reach reach, mote_lists *lists, mote_error *error);

#endif
