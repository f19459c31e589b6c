// Normals at the corners of triangles: smooth across small angles, sharp at creases.
#include <math.h>

#include "draw/preview.h"
#include "draw/tuning.inc"

typedef struct neighbours {
  size_t *first;   // of each vertex, in `corner`
  size_t *corner;  // all corners, by vertex
} neighbours;

// Twice the area times the unit normal.
static void area_normal(const mote_mesh *mesh, size_t t, double n[3]) {
  const double *v[3];
  double a[3], b[3];
  for (size_t c = 0; c < 3; ++c) v[c] = mesh->vertex + 3 * (size_t)mesh->triangle[3 * t + c];
  for (int k = 0; k < 3; ++k) a[k] = v[1][k] - v[0][k], b[k] = v[2][k] - v[0][k];
  for (int k = 0; k < 3; ++k) {
    int p = (k + 1) % 3, q = (k + 2) % 3;
    n[k] = a[p] * b[q] - a[q] * b[p];
  }
}

static double length3(const double n[3]) {
  return sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
}

static void sort_corners(const mote_mesh *mesh, neighbours *out) {
  size_t corners = 3 * mesh->triangles;
  for (size_t c = 0; c < corners; ++c) ++out->first[mesh->triangle[c] + 1];
  for (size_t v = 0; v < mesh->vertices; ++v) out->first[v + 1] += out->first[v];
  for (size_t c = corners; c-- > 0;) {
    // Counted down from each end: afterwards first[v + 1] is where v begins.
    out->corner[--out->first[mesh->triangle[c] + 1]] = c;
  }
}

static void mean_normal(const mote_mesh *mesh, const neighbours *near, size_t corner, float out[3]) {
  size_t v = mesh->triangle[corner], from = near->first[v + 1];
  size_t to = v + 1 < mesh->vertices ? near->first[v + 2] : 3 * mesh->triangles;
  double own[3], sum[3] = {0, 0, 0};
  area_normal(mesh, corner / 3, own);
  for (size_t k = from; k < to; ++k) {
    double n[3];
    area_normal(mesh, near->corner[k] / 3, n);
    double together = n[0] * own[0] + n[1] * own[1] + n[2] * own[2];
    if (!(together >= CREASE_COSINE * length3(n) * length3(own))) continue;
    for (int m = 0; m < 3; ++m) sum[m] += n[m];
  }
  double length = length3(sum);
  for (int m = 0; m < 3; ++m) out[m] = length > 0 ? (float)(sum[m] / length) : 0;
}

bool mote_corner_normals(const mote_mesh *mesh, const mote_env *env, float *out) {
  size_t corners = 3 * mesh->triangles, firsts = (mesh->vertices + 2) * sizeof(size_t);
  neighbours near = {.first = mote_io_new(env, firsts), .corner = mote_io_new(env, corners * sizeof(size_t))};
  bool ok = near.first != NULL && near.corner != NULL;
  if (ok) sort_corners(mesh, &near);
  for (size_t c = 0; ok && c < corners; ++c) mean_normal(mesh, &near, c, out + 3 * c);
  mote_io_delete(env, near.first, firsts);
  mote_io_delete(env, near.corner, corners * sizeof(size_t));
  return ok;
}
