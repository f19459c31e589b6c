// The cut grid of a body that breaks: updated with its cracks; maps each particle to the node on its side.
// Its state depends on cracks and particles alone, not on earlier states.
#ifndef MOTE_BODY_GRID_H
#define MOTE_BODY_GRID_H

#include <mote/geom.h>

#include "cracks/crack_sheet.h"
#include "fragments/cut_grid.h"

#define MOTE_BODY_GRID_LEAST 8  // nodes of a fragment

typedef struct mote_body_grid {
  mote_env env;
  const mote_shape *shape;
  int dimensions;        // 2: a plate, as thick as the spacing
  double spacing, edge;  // m
  mote_cut_grid *grid;   // null until the first mote_body_grid_follow
  uint32_t *node;        // of each particle
  size_t particles, node_capacity;
  size_t triangles;  // cracks that the grid has
  double last[9];    // the last of these triangles
} mote_body_grid;

// Allocates nothing. The grid keeps the address: it must not be moved once it follows.
mote_body_grid mote_body_grid_make(const mote_shape *shape, int dimensions, double spacing, double edge,
                                   const mote_env *env);
void mote_body_grid_free(mote_body_grid *grid);

// Applies the cracks, and finds the nodes of the particles, seen from `eye`. *renewed: the grid was rebuilt,
// or the number of particles changed.
mote_result mote_body_grid_follow(mote_body_grid *grid, const mote_crack_sheets *cracks, const double *eye,
                                  size_t count, bool *renewed, mote_error *error);

#endif
