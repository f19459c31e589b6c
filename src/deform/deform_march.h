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
  double *value;   // of the last run, at the points in `reached`
  uint32_t *mark;  // of the points: in which run they were reached last, and how
  uint32_t now;    // lowest mark of this run
  uint32_t *reached, count;
  mote_deform_entry *heap;
  size_t waiting, capacity;
} mote_deform_march;

mote_result mote_deform_march_make(const mote_deform_grid *grid, mote_arena *memory, mote_deform_march *out,
                                   mote_error *error);
// From `source` up to the distance `farthest`, and only where the distance is below bound[point] (null:
// everywhere). All points of `reached` have their final values.
void mote_deform_march_run(mote_deform_march *march, uint32_t source, double farthest, const double *bound);

static inline bool mote_deform_march_has(const mote_deform_march *march, uint32_t point) {
  return march->mark[point] > march->now;
}

#endif
