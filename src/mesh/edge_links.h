// Changes of a mesh's connectivity alone: an edge is flipped, collapsed or split. Whether it may be is asked
// first; positions and values at vertices are the caller's.
#ifndef MOTE_EDGE_LINKS_H
#define MOTE_EDGE_LINKS_H

#include "mesh/half_edges.h"

#define MOTE_EDGES_MOST 32  // vertices with more edges than this stay as they are

// A triangle that was removed has this as its origins.
#define MOTE_TRIANGLE_GONE UINT32_MAX

static inline bool mote_triangle_is_gone(const mote_half_edges *e, uint32_t triangle) {
  return e->origin[3 * (size_t)triangle] == MOTE_TRIANGLE_GONE;
}

// No vertex would be left with fewer than three edges, no two vertices would be joined twice.
bool mote_edge_may_flip(const mote_half_edges *edges, uint32_t h);
// The edge becomes the other diagonal of its two triangles: that of mote_edge_next(h).
void mote_edge_flip(mote_half_edges *edges, uint32_t h);

// The ends have exactly two neighbours in common, and are not corners of a tetrahedron.
bool mote_edge_may_collapse(const mote_half_edges *edges, uint32_t h);
// The origin goes into the end: it and the two triangles of the edge are gone.
void mote_edge_collapse(mote_half_edges *edges, uint32_t h);

// Vertex m, which has no triangles, comes to lie on the edge; rows s and t are free for the two new
// triangles. h then runs from its origin to m.
void mote_edge_split(mote_half_edges *edges, uint32_t h, uint32_t m, uint32_t s, uint32_t t);

#endif
