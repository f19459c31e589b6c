// Winding numbers: see winding.h and docs/theory/shapes.md, "Meshes as they are".
#include "geom/winding.h"

#include <mote/numeric.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "geom/triple.h"

// A box is taken as a whole from this many of its radii on (Barill et al. 2018 take 2).
#define FAR_RADII 2

struct mote_winding_node {
  double middle[3];  // of its area
  double area[3];    // sum of the area vectors of its triangles
  double moment[6];  // sum of (middle of triangle - middle) times area vector: xx, yy, zz, xy + yx, ...
  double far;        // square of the distance from which it is taken as a whole
};

double mote_winding_of_triangle(const double *a, const double *b, const double *c, const double x[3]) {
  double p[3], q[3], r[3], n[3];  // van Oosterom and Strackee 1983
  sub3(a, x, p), sub3(b, x, q), sub3(c, x, r);
  double lp = length3(p), lq = length3(q), lr = length3(r);
  cross3(q, r, n);
  double below = lp * lq * lr + dot3(p, q) * lr + dot3(q, r) * lp + dot3(r, p) * lq;
  return mote_atan2(dot3(p, n), below) / (2.0 * MOTE_PI);
}

// --- Sums over boxes ---------------------------------------------------------------------------------------

typedef struct triangle_sums {
  double middle[3], vector[3], area;
} triangle_sums;

static triangle_sums sums_of(const mote_mesh *mesh, uint32_t t) {
  triangle_sums s;
  const double *x[3];
  double u[3], v[3];
  for (int k = 0; k < 3; ++k) x[k] = mesh->vertex + 3 * (size_t)mesh->triangle[3 * (size_t)t + k];
  sub3(x[1], x[0], u), sub3(x[2], x[0], v);
  cross3(u, v, s.vector);
  for (int k = 0; k < 3; ++k) {
    s.vector[k] *= 0.5;
    s.middle[k] = (x[0][k] + x[1][k] + x[2][k]) / 3.0;
  }
  s.area = length3(s.vector);
  return s;
}

// The triangles [*first, *end) of a node in the order of the tree: its leaves stand one after the other.
static void range_of(const mote_bvh *bvh, uint32_t index, uint32_t *first, uint32_t *end) {
  uint32_t low = index, high = index;
  while (bvh->node[low].count == 0) ++low;
  while (bvh->node[high].count == 0) high = bvh->node[high].first;
  *first = bvh->node[low].first;
  *end = bvh->node[high].first + bvh->node[high].count;
}

static void set_far(const mote_bvh_node *box, mote_winding_node *node) {
  double corner[3];
  for (int k = 0; k < 3; ++k) {
    corner[k] = max2(node->middle[k] - box->low[k], box->high[k] - node->middle[k]);
  }
  node->far = FAR_RADII * FAR_RADII * dot3(corner, corner);
}

// Sums over all triangles of a node, for each node anew: n log n, and in the same order for any threads.
static void set_node(const mote_winding *w, uint32_t index) {
  mote_winding_node *node = w->node + index;
  *node = (mote_winding_node){0};
  double area = 0.0;
  uint32_t first, end;
  range_of(w->bvh, index, &first, &end);
  for (uint32_t t = first; t < end; ++t) {
    triangle_sums s = sums_of(w->mesh, w->bvh->order[t]);
    step3(node->middle, s.area, s.middle, node->middle);
    step3(node->area, 1.0, s.vector, node->area);
    area += s.area;
  }
  for (int k = 0; k < 3 && area > 0.0; ++k) node->middle[k] /= area;
  for (uint32_t t = first; t < end; ++t) {
    triangle_sums s = sums_of(w->mesh, w->bvh->order[t]);
    double from[3];
    sub3(s.middle, node->middle, from);
    for (int k = 0; k < 3; ++k) {
      int l = (k + 1) % 3;
      node->moment[k] += from[k] * s.vector[k];
      node->moment[3 + k] += from[k] * s.vector[l] + from[l] * s.vector[k];
    }
  }
  set_far(w->bvh->node + index, node);
}

static void set_nodes(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  for (size_t k = begin; k < end; ++k) set_node(data, (uint32_t)k);
}

mote_result mote_winding_create(const mote_mesh *mesh, const mote_bvh *bvh, const mote_env *env,
                                mote_winding *out, mote_error *error) {
  MOTE_ASSERT(mesh->triangles == bvh->triangles);
  MOTE_ASSERT(env != NULL && out != NULL);
  *out = (mote_winding){.env = *env, .mesh = mesh, .bvh = bvh};
  MOTE_ALLOC(out->node, env, bvh->nodes, error);
  mote_parallel_for(env->threads, bvh->nodes, 256, set_nodes, out);
  return MOTE_OK;
}

void mote_winding_destroy(mote_winding *winding) {
  if (winding->node) mote_free(&winding->env, winding->node, winding->bvh->nodes, sizeof *winding->node);
  *winding = (mote_winding){0};
}

// --- At a point --------------------------------------------------------------------------------------------

// The first two terms of the expansion of a far box: area . grad G + moment : grad grad G with
// G = -1 / (4 pi r), r from x to the middle of the box.
static double far_share(const mote_winding_node *node, const double r[3], double square) {
  double length = sqrt(square), along = 0.0, trace = 0.0;
  for (int k = 0; k < 3; ++k) {
    along += r[k] * (node->moment[k] * r[k] + node->moment[3 + k] * r[(k + 1) % 3]);
    trace += node->moment[k];
  }
  double sum = dot3(node->area, r) + trace - 3.0 * along / square;
  return sum / (4.0 * MOTE_PI * square * length);
}

static double near_share(const mote_winding *w, const mote_bvh_node *box, const double x[3]) {
  double sum = 0.0;
  for (uint32_t k = box->first; k < box->first + box->count; ++k) {
    const uint32_t *v = w->mesh->triangle + 3 * (size_t)w->bvh->order[k];
    sum += mote_winding_of_triangle(w->mesh->vertex + 3 * (size_t)v[0], w->mesh->vertex + 3 * (size_t)v[1],
                                    w->mesh->vertex + 3 * (size_t)v[2], x);
  }
  return sum;
}

double mote_winding_at(const mote_winding *w, const double x[3]) {
  MOTE_ASSERT(w->node != NULL);
  uint32_t stack[MOTE_BVH_DEPTH], depth = 0;
  double sum = 0.0;
  stack[depth++] = 0;
  while (depth > 0) {
    uint32_t index = stack[--depth];
    const mote_bvh_node *box = w->bvh->node + index;
    const mote_winding_node *node = w->node + index;
    double r[3];
    sub3(node->middle, x, r);
    double square = dot3(r, r);
    if (square > node->far) {
      sum += far_share(node, r, square);
    } else if (box->count > 0) {
      sum += near_share(w, box, x);
    } else {
      stack[depth++] = box->first;
      stack[depth++] = index + 1;
    }
  }
  return sum;
}
