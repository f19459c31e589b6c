// The placing of nodes and samples while a space is made: docs/theory/deformation.md, "Nodes".
#ifndef MOTE_DEFORM_PLACING_H
#define MOTE_DEFORM_PLACING_H

#include "deform/deform_march.h"
#include "deform/deform_space.h"

// Connected components of the inside, by open links.
typedef struct mote_deform_parts {
  uint32_t count;
  uint32_t *of;     // each grid point
  uint32_t *nodes;  // in each part
} mote_deform_parts;

#define MOTE_DEFORM_BLOCK 256

struct mote_deform_placing {
  mote_deform_space *space;
  const mote_deform_def *def;
  const mote_mesh *mesh;
  uint32_t nodes_most, limbs_most;  // nodes, all of them and without those for vertices beyond the others
  mote_deform_march march;
  mote_deform_reach *reach;  // of each node, as far as it was needed
  double *node_distance;     // of each grid point from the nodes alone
  uint32_t *node_nearest;    // the nearest of them
  double *block_most;        // of MOTE_DEFORM_BLOCK grid points: no less than their largest distance
  double *distance;          // of each grid point from all nodes and samples so far
  double *wanted;            // spacing of nodes at each grid point
  uint32_t *crowd;           // samples at each grid point
  mote_deform_parts part;
};

// As many nodes as asked for, and more where limbs are thin: deform_nodes.c.
void mote_deform_place_nodes(mote_deform_placing *placing);
// Samples for the nodes that there are.
void mote_deform_place_samples(mote_deform_placing *placing);

// More nodes at vertices that the others do not surround, by the sums of |Phi|, the largest first; false
// where none was placed. anchor: grid points of the vertices.
bool mote_deform_place_beyond(mote_deform_placing *placing, const double *vertex, size_t vertices,
                              const float *amount, const uint32_t *anchor);

// Supports of the nodes: deform_supports.c.
mote_result mote_deform_find_supports(mote_deform_placing *placing, mote_arena *own, mote_error *error);

#endif
