// The three things that can be done to improve a triangle, tried without doing them, and done: an edge is
// flipped, an edge is collapsed into one of its ends, a vertex slides over its triangles. The mesh stays a
// closed manifold, and every vertex stays on the surface there was; where nothing else helps (a thin neck), a
// vertex may be moved off it.
#ifndef MOTE_EDGE_OPS_H
#define MOTE_EDGE_OPS_H

#include <mote/surface.h>

#include "mesh/edge_links.h"

typedef enum mote_edge_op_kind {
  MOTE_EDGE_NONE,
  MOTE_EDGE_FLIP,
  MOTE_EDGE_COLLAPSE,
  MOTE_EDGE_SLIDE,
  MOTE_EDGE_MOVE
} mote_edge_op_kind;

typedef struct mote_edge_op {
  mote_edge_op_kind kind;
  uint32_t edge;     // flipped; or whose origin goes into its end; or whose origin slides
  double quality;    // of the worst triangle there would be (tri_quality.h)
  double deviation;  // of the surface, m
  uint32_t side;     // slide: the vertex goes into the triangle of this half-edge of its,
  double weight[3];  // ... to these shares of the triangle's corners
  double to[3];      // move: where the vertex goes
} mote_edge_op;

typedef struct mote_edge_limits {
  double quality;    // better than this is good enough
  double deviation;  // of the surface at most this part of the longest side near by
  double bend;       // normals turn less than to this cosine
  double gain;       // the worst triangle becomes so many times better; 0: collapses may make it worse
  bool moves;        // vertices may leave the surface
} mote_edge_limits;

// The op whose worst triangle is best; among those that are good enough the one that moves the surface least.
// NONE when none is allowed.
mote_edge_op mote_edge_op_best(const mote_half_edges *edges, const double *position, uint32_t triangle,
                               const mote_edge_limits *limits);

// The edges' origins and the surface's rows change; the vertex about which triangles changed is returned, or
// MOTE_NO_EDGE.
uint32_t mote_edge_op_do(const mote_edge_op *op, mote_half_edges *edges, mote_surface *surface);

#endif
