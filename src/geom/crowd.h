// Points sorted by hashed cells, for loops that ask for the neighbours of all of them.
#ifndef MOTE_CROWD_H
#define MOTE_CROWD_H

#include "base/memory.h"

typedef struct mote_crowd_point {
  double x[3];
  uint64_t cell;
} mote_crowd_point;

typedef struct mote_crowd {
  mote_env env;
  size_t capacity, buckets;
  double size;
  int dimensions;
  uint32_t *start;  // of each bucket, one more than there are
  mote_crowd_point *point;
} mote_crowd;

// For `capacity` points, asked with radii up to `size`.
mote_result mote_crowd_create(const mote_env *env, size_t capacity, double size, int dimensions,
                              mote_crowd *out, mote_error *error);
void mote_crowd_destroy(mote_crowd *crowd);

// Takes the points in; capacity of them.
void mote_crowd_sort(mote_crowd *crowd, const double *position);

// Points within `radius` of x, itself included, at most `most`; returns how many. Their order depends on the
// positions alone, and on the order of those given.
size_t mote_crowd_near(const mote_crowd *crowd, const double x[3], double radius, const double **near,
                       size_t most);

#endif
