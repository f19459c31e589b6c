// Data that the files of the wall sums share: one part of a boundary and a fluid (boundary.h). In the order
// of calls: mote_wall_refresh, mote_wall_find_particles, mote_wall_find_samples, mote_wall_sum_used, the sums
// of wall_gather.c.
#ifndef MOTE_WALL_TASK_H
#define MOTE_WALL_TASK_H

#include "pairs/fixed_positions.h"
#include "pairs/wall_samples.h"
#include "rows/wall_sum_row.h"

#define MOTE_WALL_CHUNK 1024  // targets of one task

typedef struct mote_wall_task {
  mote_fluid *fluid;
  mote_sample_part *part;
  mote_wall_pairs *walls;
  mote_pair_scale scale;
  mote_position_scale positions;
  uint8_t *flag;        // of each particle: whether walls may be near
  size_t *before;       // of each chunk: flagged particles, or samples, in those before it
  double *position;     // of the flagged particles; then of the samples in use
  mote_lists lists;     // of samples among themselves
  mote_pair_view rows;  // the same of those in use
  uint32_t *slot;       // of each sample of the part: its row in walls; one more, the dummy's
  mote_wall_sum_view sums;
  mote_wall_friction_view friction;  // wall_friction_sum null: none
} mote_wall_task;

// wall_refresh.c: grid, map and fixed positions of samples that have moved, and the sums of new ones over
// their part.
mote_result mote_wall_refresh(mote_boundary *boundary, mote_wall_task *job, mote_error *error);
// The sums of the samples in use over their part, where refreshing did not make those of all.
mote_result mote_wall_sum_used(mote_wall_task *job, mote_error *error);

// wall_rows.c: finds the particles that walls may be near, walls->index and position, *count of them; then,
// with their sample_neighbours, gives a row to every sample that is a neighbour, in the order of the
// samples.
mote_result mote_wall_find_particles(mote_wall_task *job, size_t *count, mote_error *error);
mote_result mote_wall_find_samples(mote_wall_task *job, mote_error *error);

#endif
