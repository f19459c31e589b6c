// Sets of sample points for validation, benchmarks and figures. All are made from a seed alone.
#ifndef MOTE_POINTS_H
#define MOTE_POINTS_H

#include <mote/base.h>

typedef struct points {
  double *position;  // 3 per point; free with points_free
  size_t count;
  int dimensions;
  double spacing;
  double size[3];  // the box [0, size): the period of a periodic set
} points;

// n^dimensions points at cell centres of the unit packing scaled by `spacing`, each coordinate moved by up to
// +-jitter spacings.
points points_packing(int dimensions, int n, double spacing, double jitter, uint64_t seed);
void points_free(points *set);

#endif
