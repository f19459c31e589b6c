// A small cell list of points added one by one, for neighbour queries. Order of neighbours: cell by cell,
// then the last added first; a function of the positions and the order of adding alone.
#ifndef MOTE_POINT_CELLS_H
#define MOTE_POINT_CELLS_H

#include "base/memory.h"

typedef struct mote_point_cells {
  mote_env env;
  const double *position;
  size_t capacity, buckets;
  double size;
  int dimensions;
  uint32_t *first, *next;  // UINT32_MAX: none
} mote_point_cells;

// For up to `capacity` points, asked with radii up to `size`.
mote_result mote_point_cells_create(const mote_env *env, size_t capacity, double size, int dimensions,
                                    mote_point_cells *out, mote_error *error);
void mote_point_cells_destroy(mote_point_cells *cells);

void mote_point_cells_clear(mote_point_cells *cells, const double *position);
void mote_point_cells_add(mote_point_cells *cells, uint32_t i);

// Points within `radius` of x, at most `most`; returns how many.
size_t mote_point_cells_near(const mote_point_cells *cells, const double x[3], double radius, uint32_t *near,
                             size_t most);

#endif
