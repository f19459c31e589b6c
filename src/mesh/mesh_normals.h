// Normals of a mesh's vertices.
#ifndef MOTE_MESH_NORMALS_H
#define MOTE_MESH_NORMALS_H

#include "mesh/half_edges.h"

// Unit, outward, 3 per vertex; 0 where triangles cancel or there are none. Weights of Max (1999, "Weights for
// computing vertex normals from facet normals"): exact for vertices on a sphere.
void mote_mesh_normals(const mote_half_edges *edges, const double *position, int threads, float *normal);

// The same of one vertex, not of unit length.
void mote_mesh_vertex_normal(const mote_half_edges *edges, const double *position, uint32_t v, double out[3]);

#endif
