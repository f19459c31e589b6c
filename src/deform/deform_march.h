// Distances inside a shape from one grid point: docs/theory/deformation.md, "March".
#ifndef MOTE_DEFORM_MARCH_H
#define MOTE_DEFORM_MARCH_H

#include "deform/deform_grid.h"

typedef struct mote_deform_entry {
  double value;
  uint32_t point;
} mote_deform_entry;

typedef struct mote_deform_march {
  const mote_deform_grid *grid;
  double *value;                       // of the last run, at the points in `reached`
  uint32_t *mark;                      // of the points: in which run they were reached last, and how
  uint32_t now;                        // lowest mark of this run
  uint32_t *reached, count, straight;  // the first of them lie straight ahead
  mote_deform_entry *heap;
  size_t waiting, capacity;
} mote_deform_march;

mote_result mote_deform_march_make(const mote_deform_grid *grid, mote_arena *memory, mote_deform_march *out,
                                   mote_error *error);
// From `source` up to the distance `farthest`, and only where the distance is below bound[point] (null:
// everywhere). All points of `reached` have their final values.
void mote_deform_march_run(mote_deform_march *march, uint32_t source, double farthest, const double *bound);

// What a run without a bound reached, straight points first; their distances need no memory.
typedef struct mote_deform_reach {
  uint32_t count, straight, *point;
  double *value, farthest;  // of the points that are not straight; how far the run went
} mote_deform_reach;

// As a run without a bound; remembered in `reach`, which is empty or of a run from the same source.
mote_result mote_deform_march_recall(mote_deform_march *march, uint32_t source, double farthest,
                                     mote_deform_reach *reach, mote_arena *memory, mote_error *error);

static inline bool mote_deform_march_has(const mote_deform_march *march, uint32_t point) {
  return march->mark[point] > march->now;
}

#endif
