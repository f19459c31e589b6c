// A mesh that ends at a wall has teeth along its edge there: marching cubes cut off the crease between
// surface and wall. Such meshes, as far as the crease goes, are drawn through the wall, where the picture
// cuts them off; what is merely near the wall stays.
#include <math.h>
#include <string.h>

#include "draw/preview.h"
#include "draw/tuning.inc"

#define CREASE_RINGS 2  // of triangles around those at the wall

// A side of the scene's box: axis, coordinate, and the sign of the way out.
typedef struct wall {
  int axis;
  double at, outward;
} wall;

double mote_mean_edge(const mote_mesh *mesh) {
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

void mote_wall_marks(const mote_mesh *mesh, const float *beyond, uint8_t *mark) {
  memset(mark, 0, mesh->vertices);
  for (size_t v = 0; v < mesh->vertices; ++v)
    if (beyond[v] > AT_WALL) return;
  for (size_t v = 0; v < mesh->vertices; ++v) mark[v] = beyond[v] > -AT_WALL;
  for (uint8_t ring = 1; ring <= CREASE_RINGS; ++ring)
    for (size_t t = 0; t < mesh->triangles; ++t) {
      const uint32_t *corner = mesh->triangle + 3 * t;
      bool marked = false;
      for (int c = 0; c < 3; ++c) marked = marked || (mark[corner[c]] > 0 && mark[corner[c]] <= ring);
      for (int c = 0; c < 3 && marked; ++c)
        if (mark[corner[c]] == 0 && beyond[corner[c]] > -CREASE_WIDTH) mark[corner[c]] = (uint8_t)(ring + 1);
    }
}

// But not a side that looks away from the wall: the far one of a drop there.
static void draw_through(const mote_mesh *mesh, const float *normal, wall w, double edge, const uint8_t *mark,
                         double *vertex) {
  for (size_t c = 0; c < 3 * mesh->triangles; ++c) {
    uint32_t v = mesh->triangle[c];
    if (mark[v] == 0 || w.outward * (double)normal[3 * c + (size_t)w.axis] < (double)INWARD_COSINE) continue;
    vertex[3 * (size_t)v + (size_t)w.axis] = w.at + w.outward * edge;
  }
}

static void draw_through_walls(const mote_preview *p, const mote_mesh *mesh, const float *normal,
                               float *beyond, uint8_t *mark, double *vertex) {
  double longest = 0;
  for (int k = 0; k < 3; ++k) longest = fmax(longest, p->high[k] - p->low[k]);
  double edge = fmin(mote_mean_edge(mesh), 0.02 * longest);  // of few large triangles: less than their edges
  for (int side = 0; side < 6; ++side) {
    wall w = {side / 2, (side % 2 ? p->scene->high : p->scene->low)[side / 2], side % 2 ? 1 : -1};
    if (!isfinite(w.at)) continue;
    for (size_t v = 0; v < mesh->vertices; ++v)
      beyond[v] = (float)(w.outward * (mesh->vertex[3 * v + (size_t)w.axis] - w.at) / edge);
    mote_wall_marks(mesh, beyond, mark);
    draw_through(mesh, normal, w, edge, mark, vertex);
  }
}

double *mote_walls_reach(const mote_preview *p, const mote_mesh *mesh, const float *normal) {
  size_t bytes = 3 * mesh->vertices * sizeof(double);
  double *vertex = mote_io_new(&p->env, bytes);
  float *beyond = mote_io_new(&p->env, mesh->vertices * sizeof *beyond);
  uint8_t *mark = mote_io_new(&p->env, mesh->vertices);
  bool ok = vertex != NULL && beyond != NULL && mark != NULL;
  if (ok) {
    memcpy(vertex, mesh->vertex, bytes);
    draw_through_walls(p, mesh, normal, beyond, mark, vertex);
  }
  mote_io_delete(&p->env, beyond, mesh->vertices * sizeof *beyond);
  mote_io_delete(&p->env, mark, mesh->vertices);
  if (!ok) mote_io_delete(&p->env, vertex, bytes);
  return ok ? vertex : NULL;
}
