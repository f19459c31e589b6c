// Walks over target cells in order and finds, for each, the runs of sorted points that may be near.
//
// This is what loops over candidates use in place of lists:
//   mote_walk walk;
//   for (mote_walk_start(&walk, space, points, targets, begin); walk.cell < end; mote_walk_next(&walk))
//     each target k of targets->cell[walk.cell].point .. targets->cell[walk.cell + 1].point - 1
//       each run walk.run[0 .. walk.runs - 1], each point of it
// Every point within the radius of a target is in one run, exactly once.
#ifndef MOTE_WALK_H
#define MOTE_WALK_H

#include "search/cells.h"

#define MOTE_WALK_ROWS ((2 * MOTE_REACH_MAX + 1) * (2 * MOTE_REACH_MAX + 1))

// Sorted points begin .. end - 1, whose images near the target lie at place + shift (modulo 2^32).
typedef struct mote_run {
  size_t begin, end;
  uint32_t shift[3];
} mote_run;

typedef struct mote_walk {
  const mote_space *space;
  const mote_cells *points, *targets;
  size_t row, cell;  // of the targets
  size_t runs;
  mote_run run[2 * MOTE_WALK_ROWS];  // two where a period cuts them
  // Rows that may be near the present one: their cells and, as far as they have been walked over, the first
  // cell not before and the first cell behind the reach.
  size_t rows;
  struct {
    size_t begin, end, from, to;
    uint32_t shift[2];
  } near[MOTE_WALK_ROWS];
} mote_walk;

void mote_walk_start(mote_walk *walk, const mote_space *space, const mote_cells *points,
                     const mote_cells *targets, size_t cell);
void mote_walk_next(mote_walk *walk);

// The same for one place that need not be anyone's cell. Finds walk->run.
void mote_walk_at(mote_walk *walk, const mote_space *space, const mote_cells *points, const int64_t cell[3]);

#endif
