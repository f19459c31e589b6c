// Walks over target cells in order and finds, for each, the runs of sorted points that may be near.
//
// Loops over candidates use this in place of lists:
//   mote_walk walk;
//   for (mote_walk_start(&walk, space, points, targets, begin); walk.cell < end; mote_walk_next(&walk))
//     each target k of targets->cell[walk.cell].point .. targets->cell[walk.cell + 1].point - 1
//       each run walk.run[0 .. walk.runs - 1], each point of it
// Every point within the radius of a target is in one run, exactly once. `targets` may be `points`.
#ifndef MOTE_WALK_H
#define MOTE_WALK_H

#include "search/cells.h"

#define MOTE_WALK_ROWS ((2 * MOTE_REACH_MAX + 1) * (2 * MOTE_REACH_MAX + 1))

// Sorted points begin .. end - 1 (none where these are equal), whose images lie at place + shift.
typedef struct mote_run {
  size_t begin, end;
  uint32_t shift[3];
} mote_run;

// A row near the present one: its cells, and the first of them within reach and the first behind.
typedef struct mote_walk_row {
  size_t begin, end, from, to;
  uint32_t shift[2];
} mote_walk_row;

typedef struct mote_walk {
  const mote_space *space;
  const mote_cells *points, *targets;
  size_t row, cell;  // of the targets
  size_t runs, rows;
  mote_run run[2 * MOTE_WALK_ROWS];  // two per row if a period divides them
  mote_walk_row near[MOTE_WALK_ROWS];
} mote_walk;

void mote_walk_start(mote_walk *walk, const mote_space *space, const mote_cells *points,
                     const mote_cells *targets, size_t cell);
void mote_walk_next(mote_walk *walk);

// The runs near any cell.
void mote_walk_at(mote_walk *walk, const mote_space *space, const mote_cells *points, const int64_t cell[3]);

#endif
