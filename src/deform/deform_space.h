// Nodes and samples inside a mesh, and the distances of points from the nodes:
// docs/theory/deformation.md, "Material distance".
#ifndef MOTE_DEFORM_SPACE_H
#define MOTE_DEFORM_SPACE_H

#include <mote/deform.h>

#include "deform/deform_grid.h"

#define MOTE_DEFORM_REACH_MAX 96  // nodes in reach of a point, at most; the nearest count

// How much farther than straight the grid points around a node are from it, in a box of grid positions.
typedef struct mote_deform_excess {
  int32_t low[3], n[3];
  float *value;  // x fastest; null: all points in reach are straight
} mote_deform_excess;

typedef struct mote_deform_space {
  mote_deform_grid grid;
  uint32_t nodes, samples;
  uint32_t *point;             // grid point of each sample; the first `nodes` of them are the nodes
  double (*node)[3];           // places of the nodes
  double *share;               // of the volume, of each sample; their sum is 1
  uint32_t *nearest;           // sample of each grid point
  double *support;             // h of each node, m
  double widest;               // the largest of them
  double spacing;              // m: of the nodes where the shape is thick
  double *scale;               // the spacing at each node, in parts of this one
  mote_deform_excess *excess;  // of each node
  // Nodes by cubes of the widest support.
  double bin_low[3];
  uint32_t bins[3], *bin_first, *bin_node;
} mote_deform_space;

// placing: its space, def and mesh are given; the rest of it is kept in `own`, to place more nodes later.
typedef struct mote_deform_placing mote_deform_placing;
mote_result mote_deform_space_make(mote_deform_placing *placing, mote_arena *memory, mote_arena *own,
                                   mote_error *error);
// Excess tables and bins for the supports that there are.
mote_result mote_deform_space_tables(mote_deform_placing *placing, mote_arena *memory, mote_arena *own,
                                     mote_error *error);

// Lengths of the shortest paths inside from a grid point; infinite where there is none.
mote_result mote_deform_space_paths(const mote_deform_space *space, uint32_t from, const double *point,
                                    size_t count, mote_arena *own, double *out, mote_error *error);

// The nodes in reach of x, which is seen from grid point `anchor`: distances and their gradients. The nearest
// `most` where there are more; returns how many.
typedef struct mote_deform_near {
  uint32_t node;
  double distance, gradient[3];
} mote_deform_near;
uint32_t mote_deform_space_find(const mote_deform_space *space, const double x[3], uint32_t anchor,
                                mote_deform_near near[MOTE_DEFORM_REACH_MAX]);

#endif
