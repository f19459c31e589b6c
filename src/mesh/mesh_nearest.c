// The points of a mesh that are nearest to others: see mote_mesh_nearest in mote/geom.h.
#include <math.h>
#include <mote/geom.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "geom/bvh.h"
#include "geom/tri_closest.h"

#define POINTS_PER_CHUNK 64

typedef struct nearest_loop {
  const mote_mesh *mesh;
  const mote_bvh *bvh;
  const double *x;
  uint32_t *triangle;
  double *share;
} nearest_loop;

static const double *corner_of(const mote_mesh *mesh, uint32_t t, int k) {
  return mesh->vertex + 3 * (size_t)mesh->triangle[3 * (size_t)t + (size_t)k];
}

static double square_to_box(const mote_bvh_node *node, const double x[3]) {
  double sum = 0.0;
  for (int k = 0; k < 3; ++k) {
    double off = max2(0.0, max2(node->low[k] - x[k], x[k] - node->high[k]));
    sum += off * off;
  }
  return sum;
}

// Shares of the corners in a point of the triangle; those of a flat one: its first corner.
static void find_shares(const mote_mesh *mesh, uint32_t t, const double p[3], double share[3]) {
  const double *a = corner_of(mesh, t, 0), *b = corner_of(mesh, t, 1), *c = corner_of(mesh, t, 2);
  double u[3], v[3], w[3], n[3], part[3];
  sub3(b, a, u), sub3(c, a, v), sub3(p, a, w);
  cross3(u, v, n);
  double area = dot3(n, n);
  set3(1.0, 0.0, 0.0, share);
  if (!(area > 0.0)) return;
  cross3(w, v, part);
  share[1] = max2(0.0, min2(1.0, dot3(part, n) / area));
  cross3(u, w, part);
  share[2] = max2(0.0, min2(1.0 - share[1], dot3(part, n) / area));
  share[0] = 1.0 - share[1] - share[2];
}

static void query_node(const nearest_loop *s, const mote_bvh_node *node, const double x[3], double *least,
                       uint32_t *best, double point[3]) {
  for (uint32_t k = 0; k < node->count; ++k) {
    uint32_t t = s->bvh->order[node->first + k];
    double p[3], off[3];
    tri_closest(corner_of(s->mesh, t, 0), corner_of(s->mesh, t, 1), corner_of(s->mesh, t, 2), x, p);
    sub3(p, x, off);
    double square = dot3(off, off);
    if (!(square < *least || (square == *least && t < *best))) continue;
    *least = square, *best = t;
    copy3(p, point);
  }
}

static void nearest_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const nearest_loop *s = data;
  for (size_t i = begin; i < end; ++i) {
    const double *x = s->x + 3 * i;
    uint32_t stack[MOTE_BVH_DEPTH], depth = 0, best = 0;
    double least = HUGE_VAL, point[3];
    copy3(corner_of(s->mesh, 0, 0), point);
    stack[depth++] = 0;
    while (depth > 0) {
      uint32_t index = stack[--depth];
      const mote_bvh_node *node = s->bvh->node + index;
      if (square_to_box(node, x) > least) continue;
      if (node->count > 0) {
        query_node(s, node, x, &least, &best, point);
        continue;
      }
      uint32_t left = index + 1, right = node->first;
      bool turn = square_to_box(s->bvh->node + right, x) < square_to_box(s->bvh->node + left, x);
      stack[depth++] = turn ? left : right;
      stack[depth++] = turn ? right : left;  // the nearer one first
    }
    s->triangle[i] = best;
    find_shares(s->mesh, best, point, s->share + 3 * i);
  }
}

mote_result mote_mesh_nearest(const mote_mesh *mesh, const double *x, size_t count, const mote_env *env,
                              uint32_t *triangle, double *share, mote_error *error) {
  if (mesh == NULL || ((x == NULL || triangle == NULL || share == NULL) && count > 0))
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "mesh, x, triangle or share is null");
  if (mesh->triangles == 0) return mote_fail_key(error, "mesh", "has no triangles");
  for (size_t k = 0; k < 3 * mesh->triangles; ++k)
    if (mesh->triangle[k] >= mesh->vertices)
      return mote_fail_key(error, "mesh", "triangle %zu has no vertex %u", k / 3, mesh->triangle[k]);
  mote_env own = mote_env_resolve(env);
  mote_bvh bvh;
  MOTE_TRY(mote_bvh_create(mesh, &own, &bvh, error));
  nearest_loop s = {.mesh = mesh, .bvh = &bvh, .x = x, .triangle = triangle, .share = share};
  mote_parallel_for(own.threads, count, POINTS_PER_CHUNK, nearest_chunk, &s);
  mote_bvh_destroy(&bvh);
  return MOTE_OK;
}
