// The connected components of a mesh, by edges, and the orientation of its triangles that makes them
// consistent.
#ifndef MOTE_MESH_PARTS_H
#define MOTE_MESH_PARTS_H

#include "geom/mesh_edges.h"

typedef struct mote_mesh_parts {
  mote_env env;
  size_t triangles, count;
  uint32_t *part;        // of each triangle; UINT32_MAX for those that name a vertex twice
  bool *turned;          // against the first of its part
  bool agree;            // false: a surface with one side
  uint32_t conflict[2];  // two triangles that cannot agree
} mote_mesh_parts;

// b is the edge between the same vertices at which the surface goes on after a, null where it ends; run: of
// edges there.
typedef void mote_edge_pair_fn(void *data, const mote_mesh_edge *a, const mote_mesh_edge *b, size_t run);
void mote_mesh_edges_pair(const mote_mesh_edges *edges, mote_edge_pair_fn *pair, void *data);

mote_result mote_mesh_parts_create(const mote_mesh *mesh, const mote_mesh_edges *edges, const mote_env *env,
                                   mote_mesh_parts *out, mote_error *error);
// ARGUMENT for a surface with one side.
mote_result mote_mesh_parts_check(const mote_mesh_parts *parts, mote_error *error);
void mote_mesh_parts_destroy(mote_mesh_parts *parts);

double mote_mesh_area(const mote_mesh *mesh, size_t triangle);
bool mote_mesh_is_flat(const mote_mesh *mesh, size_t triangle, double *area);
double mote_mesh_cone(const mote_mesh *mesh, size_t triangle, const double origin[3]);
void mote_mesh_bounds(const mote_mesh *mesh, double low[3], double high[3]);

#endif
