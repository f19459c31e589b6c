// The particles of a surface, sorted into cubic bins, with the images that periodic sides need: what follows
// sees an open domain. All lengths in m; positions relative to `origin`, so that far worlds lose nothing.
#ifndef MOTE_POINT_SET_H
#define MOTE_POINT_SET_H

#include <mote/surface.h>

#include "base/arena.h"

typedef struct mote_point_set {
  double origin[3];
  double spacing;           // d
  size_t count, particles;  // with images, without
  const double *position;   // 3 each, sorted by (bin, row)
  const float *volume;
  const uint32_t *row;  // of the particle as given; images repeat it
  // Bins: cubes of edge bin_edge, bin (x, y, z) = floor(position / bin_edge). Only occupied bins are held,
  // sorted by (z, y, x); points of bin b are first_point[b] .. first_point[b + 1] - 1.
  double bin_edge;
  size_t bins;
  const int32_t *bin_at;  // 3 each
  const uint32_t *first_point;
} mote_point_set;

// Points of the bins that touch [low, high], as runs of consecutive points, in ascending order. Returns how
// many runs there are; writes at most `capacity`.
typedef struct mote_point_run {
  uint32_t begin, end;
} mote_point_run;
size_t mote_point_set_runs(const mote_point_set *set, const double low[3], const double high[3],
                           mote_point_run *run, size_t capacity);

#endif
