// Splits, collapses, flips and slides of a tracked mesh: where the vertex goes, whether that does harm, and
// the doing, with the values of the vertices. docs/theory/tracking.md
#ifndef MOTE_TRACKED_OPS_H
#define MOTE_TRACKED_OPS_H

#include "mesh/edge_ops.h"
#include "track/tracked_mesh.h"

// Splits the edge, for which there is room. The new vertex lies on the cubic through both ends and their
// normals, half-way. Returns it; MOTE_NO_EDGE when memory for the record is out.
uint32_t mote_tracked_split(mote_tracked *tracked, uint32_t h);

// What a collapse must keep.
typedef struct mote_collapse_limits {
  double bend;     // cosine: normals of the two ends agree at least so
  double turn;     // cosine: no triangle turns farther
  double longest;  // m, of the edges there would be
  double quality;  // tri_quality.h: no triangle becomes worse than this, or than the worst there was
} mote_collapse_limits;

// Whether the edge may be collapsed, and to where: the middle of the cubic, as a split has it.
bool mote_tracked_collapse_fits(const mote_tracked *tracked, uint32_t h, const mote_collapse_limits *limits,
                                double to[3]);
// The origin of h goes; its end moves there and has the values of both, by the distances from `to`. False
// when memory for the record is out.
bool mote_tracked_collapse(mote_tracked *tracked, uint32_t h, const double to[3]);

// Whether the other diagonal is better by Delaunay's rule (by more than `margin`, of the sum of cotangents),
// is no longer than `longest`, and the surface bends by no more than the cosine `bend` across it before and
// after. It may still be there already (mote_edge_may_flip).
bool mote_tracked_flip_helps(const mote_tracked *tracked, uint32_t h, double margin, double longest,
                             double bend);

// One of mote_edge_op_best. False when memory for the record is out.
bool mote_tracked_do(mote_tracked *tracked, const mote_edge_op *op);

#endif
