// The surface of a liquid is only as exact as its particles are apart: near a wall it is rounded, and a mesh
// that ends at the wall has teeth along its edge. What comes near a wall is drawn beyond it, where the
// preview cuts it off.
#include <math.h>
#include <string.h>

#include "draw/preview.h"

// A side of the scene's box: axis, coordinate, and the sign of the way out.
typedef struct wall {
  int axis;
  double at, outward;
} wall;

static double mean_edge(const mote_mesh *mesh) {
  double sum = 0;
  for (size_t t = 0; t < mesh->triangles; ++t) {
    const double *a = mesh->vertex + 3 * (size_t)mesh->triangle[3 * t],
                 *b = mesh->vertex + 3 * (size_t)mesh->triangle[3 * t + 1];
    double length2 = 0;
    for (int k = 0; k < 3; ++k) length2 += (b[k] - a[k]) * (b[k] - a[k]);
    if (isfinite(length2)) sum += sqrt(length2);
  }
  return sum / (double)mesh->triangles;
}

static bool reaches_beyond(const mote_mesh *mesh, wall w, double edge) {
  for (size_t v = 0; v < mesh->vertices; ++v)
    if (w.outward * (mesh->vertex[3 * v + (size_t)w.axis] - w.at) > 0.3 * edge) return true;
  return false;
}

// But not a side that looks away from the wall: the far one of a drop there.
static void draw_through(const mote_mesh *mesh, const float *normal, wall w, double edge, double *vertex) {
  for (size_t c = 0; c < 3 * mesh->triangles; ++c) {
    double *x = vertex + 3 * (size_t)mesh->triangle[c] + w.axis;
    if (w.outward * (double)normal[3 * c + (size_t)w.axis] < -0.5) continue;
    if (w.outward * (*x - w.at) > -1.5 * edge) *x = w.at + w.outward * edge;
  }
}

double *mote_walls_reach(const mote_preview *p, const mote_mesh *mesh, const float *normal) {
  size_t bytes = 3 * mesh->vertices * sizeof(double);
  double *vertex = mote_io_new(&p->env, bytes), longest = 0;
  if (vertex == NULL) return NULL;
  memcpy(vertex, mesh->vertex, bytes);
  for (int k = 0; k < 3; ++k) longest = fmax(longest, p->high[k] - p->low[k]);
  double edge = fmin(mean_edge(mesh), 0.02 * longest);  // of few large triangles: less than their edges
  for (int side = 0; side < 6; ++side) {
    wall w = {side / 2, (side % 2 ? p->scene->high : p->scene->low)[side / 2], side % 2 ? 1 : -1};
    if (isfinite(w.at) && !reaches_beyond(mesh, w, edge)) draw_through(mesh, normal, w, edge, vertex);
  }
  return vertex;
}
