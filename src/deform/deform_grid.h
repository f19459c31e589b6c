// The inside of a mesh as grid points and open links between them: docs/theory/deformation.md, "Grid".
#ifndef MOTE_DEFORM_GRID_H
#define MOTE_DEFORM_GRID_H

#include <mote/deform.h>

#include "base/arena.h"

#define MOTE_DEFORM_NONE UINT32_MAX

typedef struct mote_deform_grid {
  double low[3], cell;
  uint32_t n[3];
  uint32_t *inside;     // of each grid position, x fastest: number of the point, or MOTE_DEFORM_NONE
  uint32_t count;       // points
  uint16_t (*at)[3];    // their grid coordinates
  uint32_t (*link)[6];  // the points at -x, +x, -y, +y, -z, +z; MOTE_DEFORM_NONE where the link is closed
  double unbalanced;    // share of the grid lines on which the winding number does not return to zero
  mote_deform_tie *tie;
  size_t ties;
} mote_deform_grid;

typedef struct mote_deform_grid_opts {
  double cell;
  double thickness;  // 0: the inside of the mesh by its winding number, positive for the sign of its volume
  double gap;        // parts that are not farther apart are tied; 0: none
} mote_deform_grid_opts;

// Fails with ARGUMENT where the cells are too many; a grid without points is no failure.
mote_result mote_deform_grid_make(const mote_mesh *mesh, const mote_deform_grid_opts *opts,
                                  mote_arena *memory, mote_deform_grid *out, mote_error *error);

static inline void mote_deform_grid_place(const mote_deform_grid *grid, uint32_t point, double x[3]) {
  for (int k = 0; k < 3; ++k) x[k] = grid->low[k] + grid->cell * grid->at[point][k];
}

// The point at these coordinates, MOTE_DEFORM_NONE where there is none.
static inline uint32_t mote_deform_grid_find(const mote_deform_grid *grid, int64_t i, int64_t j, int64_t k) {
  if (i < 0 || j < 0 || k < 0 || i >= grid->n[0] || j >= grid->n[1] || k >= grid->n[2])
    return MOTE_DEFORM_NONE;
  return grid->inside[((size_t)k * grid->n[1] + (size_t)j) * grid->n[0] + (size_t)i];
}

// Connected components of the inside by open links: the component of each point.
mote_result mote_deform_grid_parts(const mote_deform_grid *grid, uint32_t *part, uint32_t *parts,
                                   mote_arena *own, mote_error *error);

// The point from which x is seen: the nearest, rather on the side of the surface where the material is.
// `normal`: outward, at a point of the surface; null: none.
uint32_t mote_deform_grid_anchor(const mote_deform_grid *grid, const double x[3], const double *normal);

#endif
