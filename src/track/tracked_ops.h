// Splits, collapses, flips and slides of a tracked mesh: the position of the vertex, whether the operation is
// allowed, and the operation itself, including the values of the vertices. docs/theory/tracking.md
#ifndef MOTE_TRACKED_OPS_H
#define MOTE_TRACKED_OPS_H

#include "mesh/edge_ops.h"
#include "track/tracked_mesh.h"

// Splits the edge; memory for it must be reserved. The new vertex is the midpoint of the cubic through both
// ends that is tangent to the surface there. Returns it, or MOTE_NO_EDGE: out of memory for the record.
uint32_t mote_tracked_split(mote_tracked *tracked, uint32_t h);

// Limits of a collapse.
typedef struct mote_collapse_limits {
  double bend;     // cosine: normals of the two ends agree at least so
  double turn;     // cosine: no triangle turns farther
  double longest;  // m, of the edges there would be
  double quality;  // tri_quality.h: no triangle becomes worse than this, or than the worst there was
} mote_collapse_limits;

// Whether the edge may be collapsed, and the position of the remaining vertex: the midpoint of the cubic, as
// in a split.
bool mote_tracked_collapse_fits(const mote_tracked *tracked, uint32_t h, const mote_collapse_limits *limits,
                                double to[3]);
// Removes the origin of h; its end moves to `to` and gets the values of both ends, interpolated there. False:
// out of memory for the record.
bool mote_tracked_collapse(mote_tracked *tracked, uint32_t h, const double to[3]);

// Whether the other diagonal satisfies the Delaunay condition better (by more than `margin` in the sum of
// cotangents), is no longer than `longest`, and the cosine between the two normals is at least `bend` before
// and after. The mesh may have that edge already: see mote_edge_may_flip.
bool mote_tracked_flip_helps(const mote_tracked *tracked, uint32_t h, double margin, double longest,
                             double bend);

// Carries out an operation of mote_edge_op_best. False: out of memory for the record.
bool mote_tracked_do(mote_tracked *tracked, const mote_edge_op *op);

#endif
