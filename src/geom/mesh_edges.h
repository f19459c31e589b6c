// The edges of a mesh, sorted so that those between the same two vertices stand together.
#ifndef MOTE_MESH_EDGES_H
#define MOTE_MESH_EDGES_H

#include <mote/geom.h>

typedef struct mote_mesh_edge {
  uint32_t low, high;  // its vertices
  uint32_t triangle;
  uint8_t side;     // from corner `side` to the next
  bool descending;  // from the higher vertex to the lower
} mote_mesh_edge;

typedef struct mote_mesh_edges {
  mote_env env;
  mote_mesh_edge *edge;
  size_t count, capacity;
} mote_mesh_edges;

// Triangles that name a vertex twice are left out.
mote_result mote_mesh_edges_create(const mote_mesh *mesh, const mote_env *env, mote_mesh_edges *out,
                                   mote_error *error);
void mote_mesh_edges_destroy(mote_mesh_edges *edges);

// The number of edges from `first` on that lie between the same vertices.
size_t mote_mesh_edges_run(const mote_mesh_edges *edges, size_t first);

// Finite vertices, triangles of vertices that exist.
mote_result mote_mesh_check(const mote_mesh *mesh, mote_error *error);
bool mote_mesh_repeats_vertex(const mote_mesh *mesh, size_t triangle);

#endif
