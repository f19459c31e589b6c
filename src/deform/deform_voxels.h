// The positions of a grid before its points are numbered: what is too thin for the grid is filled, and parts
// that touch nothing are tied to the nearest one. docs/theory/deformation.md, "Grid".
#ifndef MOTE_DEFORM_VOXELS_H
#define MOTE_DEFORM_VOXELS_H

#include <mote/deform.h>

#include "deform/deform_grid.h"

typedef struct mote_deform_voxels {
  const mote_deform_grid *grid;  // low, cell and n
  uint8_t *votes;                // of each position, x fastest: inside from 2 on
  uint8_t *open;                 // bit k: the link to the next position along axis k
} mote_deform_voxels;

static inline bool mote_deform_voxels_has(const mote_deform_voxels *v, size_t position) {
  return v->votes[position] >= 2;
}

// Positions nearer to a triangle than the radius become inside; `only` (null: all triangles).
void mote_deform_voxels_mark(mote_deform_voxels *v, const mote_mesh *mesh, double radius,
                             const uint8_t *only);

// Takes single points away that no link connects with a part, and fills the positions along triangles
// that have no point near.
mote_result mote_deform_voxels_fill_thin(mote_deform_voxels *v, const mote_mesh *mesh, mote_arena *own,
                                         mote_error *error);

// Joins parts whose gap is at most so large, the nearest ones first.
mote_result mote_deform_voxels_tie(mote_deform_voxels *v, double gap, mote_arena *memory, mote_arena *own,
                                   mote_deform_tie **tie, size_t *ties, mote_error *error);
// Finds the surface points of ties, whose places are those of grid points, and leaves out those within one
// part of the mesh. part: of each triangle. Returns how many are left.
size_t mote_deform_ties_place(const mote_mesh *mesh, const uint32_t *part, mote_deform_tie *tie, size_t ties);

#endif
