// Normals of vertices: see mesh_normals.h.
#include "mesh/mesh_normals.h"

#include "base/parallel.h"
#include "geom/triple.h"

#define VERTICES_PER_TASK 1024

typedef struct normals {
  const mote_half_edges *edges;
  const double *position;
  float *normal;
} normals;

void mote_mesh_vertex_normal(const mote_half_edges *e, const double *position, uint32_t v, double out[3]) {
  set3(0.0, 0.0, 0.0, out);
  uint32_t h = e->first[v];
  if (h == MOTE_NO_EDGE) return;
  double u[3], w[3], n[3];
  sub3(position + 3 * (size_t)mote_edge_end(e, h), position + 3 * (size_t)v, u);
  do {
    h = mote_edge_around(e, h);
    sub3(position + 3 * (size_t)mote_edge_end(e, h), position + 3 * (size_t)v, w);
    cross3(u, w, n);
    double weight = dot3(u, u) * dot3(w, w);
    if (weight > 0.0) step3(out, 1.0 / weight, n, out);
    copy3(w, u);
  } while (h != e->first[v]);
}

static void set_normals(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const normals *d = data;
  for (size_t v = begin; v < end; ++v) {
    double n[3];
    mote_mesh_vertex_normal(d->edges, d->position, (uint32_t)v, n);
    double length = length3(n);
    for (int k = 0; k < 3; ++k) d->normal[3 * v + k] = length > 0.0 ? (float)(n[k] / length) : 0.0f;
  }
}

void mote_mesh_normals(const mote_half_edges *edges, const double *position, int threads, float *normal) {
  MOTE_ASSERT(edges->vertices == 0 || (position != NULL && normal != NULL));
  normals d = {edges, position, normal};
  mote_parallel_for(threads, edges->vertices, VERTICES_PER_TASK, set_normals, &d);
}
