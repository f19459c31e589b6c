// Connectivity of the triangles of a closed manifold. Half-edge h = 3 t + s runs from corner s of triangle
// t to the next; its twin is the same edge in the other triangle.
#ifndef MOTE_HALF_EDGES_H
#define MOTE_HALF_EDGES_H

#include <mote/geom.h>

#include "base/arena.h"

#define MOTE_NO_EDGE UINT32_MAX

typedef struct mote_half_edges {
  size_t vertices, triangles;
  uint32_t *origin;  // 3 per triangle: the triangles' vertices
  uint32_t *twin;    // of each half-edge
  uint32_t *first;  // of each vertex, a half-edge that leaves it; MOTE_NO_EDGE for vertices without triangles
} mote_half_edges;

static inline uint32_t mote_edge_next(uint32_t h) {
  return h % 3 == 2 ? h - 2 : h + 1;
}

static inline uint32_t mote_edge_previous(uint32_t h) {
  return h % 3 == 0 ? h + 2 : h - 1;
}

// The next half-edge that leaves the same vertex, counter-clockwise seen from outside.
static inline uint32_t mote_edge_around(const mote_half_edges *e, uint32_t h) {
  return e->twin[mote_edge_previous(h)];
}

static inline uint32_t mote_edge_end(const mote_half_edges *e, uint32_t h) {
  return e->origin[mote_edge_next(h)];
}

// In memory of the arena, the triangles copied. ARGUMENT: not a mesh (mote_mesh_check), or not a closed,
// oriented manifold; the first vertex at fault is named.
mote_result mote_half_edges_create(const mote_mesh *mesh, int threads, mote_arena *arena,
                                   mote_half_edges *out, mote_error *error);

#ifdef MOTE_ASSERTS
// Invariants, also between edge operations: twins are each other's, run from end to end and belong to
// triangles that are there; a vertex's first half-edge leaves it. Triangles that were removed are left out.
void mote_half_edges_check(const mote_half_edges *edges);
// The same of triangle t alone.
void mote_half_edges_check_triangle(const mote_half_edges *edges, uint32_t t);
#else
static inline void mote_half_edges_check(const mote_half_edges *edges) {
  (void)edges;
}
static inline void mote_half_edges_check_triangle(const mote_half_edges *edges, uint32_t t) {
  (void)edges, (void)t;
}
#endif

#endif
