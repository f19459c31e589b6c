// Distances to closed meshes. The sign is that of the angle-weighted normal of the closest feature
// (Baerentzen and Aanaes 2005): a face's own, the sum of both at an edge, the sum weighted by angles at a
// vertex. Where the mesh was not clean, it is that of the winding number.
#include "geom/mesh_tree.h"

#include <mote/numeric.h>

#include "base/memory.h"
#include "geom/bvh.h"
#include "geom/mesh_edges.h"
#include "geom/mesh_parts.h"
#include "geom/tri_closest.h"
#include "geom/winding.h"

struct mote_mesh_tree {
  mote_env env;
  mote_mesh mesh;
  mote_mesh_mending mending;
  mote_bvh bvh;
  double (*corner)[3][3];  // of triangles in the order of the boxes
  // Null for a mesh that is not exact:
  uint32_t (*beside)[3];  // the triangle beyond each side, both in the order of the boxes
  double (*sum)[3];       // of vertices: the normals around them, weighted by angles
  mote_winding winding;   // of a mesh that is not exact
};

mote_result mote_mesh_tree_create(const mote_mesh *mesh, const mote_env *env, mote_mesh_tree **out,
                                  mote_error *error) {
  MOTE_ASSERT(mesh != NULL && env != NULL && out != NULL);
  MOTE_ALLOC_NEW(mote_mesh_tree, tree, env, 1, error);
  *tree = (mote_mesh_tree){.env = *env};
  mote_result result = mote_mesh_repair(mesh, env, &tree->mesh, &tree->mending, error);
  if (result) {
    mote_mesh_tree_destroy(tree);
    return result;
  }
  *out = tree;
  return MOTE_OK;
}

void mote_mesh_tree_destroy(mote_mesh_tree *tree) {
  if (!tree) return;
  mote_env env = tree->env;
  mote_free(&env, tree->corner, tree->mesh.triangles, sizeof *tree->corner);
  mote_free(&env, tree->beside, tree->mesh.triangles, sizeof *tree->beside);
  mote_free(&env, tree->sum, tree->mesh.vertices, sizeof *tree->sum);
  if (tree->winding.node) mote_winding_destroy(&tree->winding);
  if (tree->bvh.node) mote_bvh_destroy(&tree->bvh);
  mote_mesh_free(&tree->mesh, &env);
  mote_free(&env, tree, 1, sizeof *tree);
}

void mote_mesh_tree_move(mote_mesh_tree *tree, const double basis[9], double scale, const double pivot[3],
                         const double move[3]) {
  MOTE_ASSERT(scale > 0.0);
  MOTE_ASSERT(tree->bvh.node == NULL);
  for (size_t v = 0; v < tree->mesh.vertices; ++v) {
    double *x = tree->mesh.vertex + 3 * v, y[3];
    sub3(x, pivot, y);
    turn3(basis, y, y);
    step3(pivot, scale, y, x);
    step3(x, 1.0, move, x);
  }
}

void mote_mesh_tree_bounds(const mote_mesh_tree *tree, const double *basis, double low[3], double high[3]) {
  MOTE_ASSERT(tree != NULL && low != NULL && high != NULL);
  mote_mesh_bounds(&tree->mesh, low, high);
  for (size_t v = 0; v < tree->mesh.vertices && basis; ++v) {
    double x[3];
    unturn3(basis, tree->mesh.vertex + 3 * v, x);
    for (int k = 0; k < 3; ++k) {
      low[k] = v == 0 ? x[k] : min2(low[k], x[k]);
      high[k] = v == 0 ? x[k] : max2(high[k], x[k]);
    }
  }
}

double mote_mesh_tree_volume(const mote_mesh_tree *tree) {
  MOTE_ASSERT(tree != NULL);
  return mote_mesh_volume(&tree->mesh);
}

const mote_mesh_mending *mote_mesh_tree_mending(const mote_mesh_tree *tree) {
  MOTE_ASSERT(tree != NULL);
  return &tree->mending;
}

const mote_mesh *mote_mesh_tree_mesh(const mote_mesh_tree *tree) {
  MOTE_ASSERT(tree != NULL);
  return &tree->mesh;
}

// --- Normals -----------------------------------------------------------------------------------------------

static void unit_toward(const double *from, const double *to, double out[3]) {
  sub3(to, from, out);
  double length = length3(out);
  for (int k = 0; k < 3; ++k) out[k] = length > 0.0 ? out[k] / length : 0.0;
}

static void set_face(double x[3][3], double normal[3]) {
  double u[3], v[3];
  unit_toward(x[0], x[1], u), unit_toward(x[0], x[2], v);
  cross3(u, v, normal);
  double length = length3(normal);
  for (int k = 0; k < 3; ++k) normal[k] = length > 0.0 ? normal[k] / length : 0.0;
}

static double angle_at(double x[3][3], int k) {
  double u[3], v[3];
  unit_toward(x[k], x[(k + 1) % 3], u), unit_toward(x[k], x[(k + 2) % 3], v);
  return mote_acos(max2(-1.0, min2(1.0, dot3(u, v))));
}

static const uint32_t *vertices_of(const mote_mesh_tree *tree, size_t t) {
  return tree->mesh.triangle + 3 * (size_t)tree->bvh.order[t];
}

static void set_vertices(mote_mesh_tree *tree) {
  for (size_t v = 0; v < tree->mesh.vertices; ++v) set3(0.0, 0.0, 0.0, tree->sum[v]);
  for (size_t t = 0; t < tree->mesh.triangles; ++t) {
    double face[3], (*c)[3] = tree->corner[t];
    set_face(c, face);
    for (int k = 0; k < 3; ++k) {
      double *at = tree->sum[vertices_of(tree, t)[k]];
      step3(at, angle_at(c, k), face, at);
    }
  }
}

static void set_corners(mote_mesh_tree *tree) {
  for (size_t t = 0; t < tree->mesh.triangles; ++t) {
    for (int k = 0; k < 3; ++k) {
      copy3(tree->mesh.vertex + 3 * (size_t)vertices_of(tree, t)[k], tree->corner[t][k]);
    }
  }
}

// place: of each triangle in the order of the boxes.
static void set_beside(mote_mesh_tree *tree, const mote_mesh_edges *edges, uint32_t *place) {
  for (size_t t = 0; t < tree->mesh.triangles; ++t) place[tree->bvh.order[t]] = (uint32_t)t;
  for (size_t e = 0; e + 1 < edges->count; e += 2) {  // closed: two triangles to each
    const mote_mesh_edge *pair = edges->edge + e;
    for (int k = 0; k < 2; ++k) {
      tree->beside[place[pair[k].triangle]][pair[k].side] = place[pair[1 - k].triangle];
    }
  }
}

static mote_result make_beside(mote_mesh_tree *tree, mote_error *error) {
  const mote_env *env = &tree->env;
  size_t n = tree->mesh.triangles;
  mote_mesh_edges edges;
  MOTE_ALLOC(tree->beside, env, n, error);
  MOTE_TRY(mote_mesh_edges_create(&tree->mesh, env, &edges, error));
  uint32_t *place = mote_alloc(env, n, sizeof *place);
  if (place) set_beside(tree, &edges, place);
  mote_free(env, place, n, sizeof *place);
  mote_mesh_edges_destroy(&edges);
  return place ? MOTE_OK : mote_fail_memory(error, n * sizeof *place);
}

mote_result mote_mesh_tree_ready(mote_mesh_tree *tree, mote_error *error) {
  MOTE_ASSERT(tree->bvh.node == NULL);
  MOTE_TRY(mote_bvh_create(&tree->mesh, &tree->env, &tree->bvh, error));
  if (tree->mending.exact) MOTE_TRY(make_beside(tree, error));  // before the corners: its edges take room
  MOTE_ALLOC(tree->corner, &tree->env, tree->mesh.triangles, error);
  set_corners(tree);
  if (!tree->mending.exact) {
    return mote_winding_create(&tree->mesh, &tree->bvh, &tree->env, &tree->winding, error);
  }
  MOTE_ALLOC(tree->sum, &tree->env, tree->mesh.vertices, error);
  set_vertices(tree);
  return MOTE_OK;
}

// --- Closest point -----------------------------------------------------------------------------------------

typedef struct closest {
  double square, point[3];
  uint32_t triangle;
  int feature;
} closest;

static double box_square(const mote_bvh_node *node, const double x[3]) {
  double square = 0.0;
  for (int k = 0; k < 3; ++k) {
    double below = node->low[k] - x[k], above = x[k] - node->high[k], out = below > above ? below : above;
    square += out > 0.0 ? out * out : 0.0;
  }
  return square;
}

static void try_leaf(const mote_mesh_tree *tree, const mote_bvh_node *node, const double x[3],
                     closest *best) {
  for (uint32_t t = node->first; t < node->first + node->count; ++t) {
    double p[3], to[3], (*c)[3] = tree->corner[t];
    int feature = tri_closest(c[0], c[1], c[2], x, p);
    sub3(x, p, to);
    double square = dot3(to, to);
    if (!(square < best->square)) continue;
    *best = (closest){.square = square, .triangle = t, .feature = feature};
    copy3(p, best->point);
  }
}

static closest find_closest(const mote_mesh_tree *tree, const double x[3]) {
  struct {
    uint32_t node;
    double square;
  } stack[MOTE_BVH_DEPTH];
  closest best = {.square = HUGE_VAL};
  int depth = 0;
  stack[depth].node = 0, stack[depth++].square = 0.0;
  while (depth > 0) {
    uint32_t index = stack[--depth].node;
    if (!(stack[depth].square < best.square)) continue;
    const mote_bvh_node *node = tree->bvh.node + index;
    if (node->count > 0) {
      try_leaf(tree, node, x, &best);
      continue;
    }
    uint32_t near = index + 1, far = node->first;
    double near_square = box_square(tree->bvh.node + near, x),
           far_square = box_square(tree->bvh.node + far, x);
    bool swap = far_square < near_square;
    stack[depth].node = swap ? near : far, stack[depth++].square = swap ? near_square : far_square;
    stack[depth].node = swap ? far : near, stack[depth++].square = swap ? far_square : near_square;
  }
  return best;
}

// Of the feature, not of unit length; a mesh that is not exact has those of its faces alone.
static void set_normal(const mote_mesh_tree *tree, const closest *at, double normal[3]) {
  uint32_t t = at->triangle;
  if (tree->sum && at->feature < 3) {
    copy3(tree->sum[vertices_of(tree, t)[at->feature]], normal);
    return;
  }
  set_face(tree->corner[t], normal);
  if (!tree->sum || at->feature == MOTE_TRI_FACE) return;
  double other[3];
  set_face(tree->corner[tree->beside[t][at->feature - 3]], other);
  step3(normal, 1.0, other, normal);
}

double mote_mesh_tree_distance(const mote_mesh_tree *tree, const double x[3], double normal[3]) {
  MOTE_ASSERT(tree->bvh.node != NULL && (tree->sum != NULL || tree->winding.node != NULL));
  closest best = find_closest(tree, x);
  double to[3], n[3], d = sqrt(best.square);
  sub3(x, best.point, to);
  set_normal(tree, &best, n);
  bool outside = tree->sum ? dot3(to, n) >= 0.0 : mote_winding_at(&tree->winding, x) <= 0.5;
  if (normal) {
    // So near that the direction is rounding: the surface's own.
    bool lost = !(d > 1e-12 * (fabs(x[0]) + fabs(x[1]) + fabs(x[2])));
    double length = lost ? length3(n) : d, sign = lost || outside ? 1.0 : -1.0;
    for (int k = 0; k < 3; ++k) normal[k] = sign * (lost ? n[k] : to[k]) / length;
  }
  return outside ? d : -d;
}

// --- Segments ----------------------------------------------------------------------------------------------

typedef struct segment {
  const double *a;
  double along[3], from, first;
} segment;

// Whether the box is touched between s->from and the first meeting so far, with room for rounding.
static bool meets_box(const mote_bvh_node *node, const segment *s) {
  double from = s->from, to = s->first < 1.0 ? s->first : 1.0;
  for (int k = 0; k < 3; ++k) {
    double slack = 1e-14 * (fabs(s->a[k]) + fabs(s->along[k]) + fabs(node->low[k]) + fabs(node->high[k]));
    double low = node->low[k] - slack - s->a[k], high = node->high[k] + slack - s->a[k], v = s->along[k];
    if (v == 0.0) {
      if (low > 0.0 || high < 0.0) return false;
      continue;
    }
    double t0 = (v > 0.0 ? low : high) / v, t1 = (v > 0.0 ? high : low) / v;
    from = t0 > from ? t0 : from;
    to = t1 < to ? t1 : to;
  }
  return from <= to * (1.0 + 1e-14) + 1e-300;
}

// Both triangles at an edge compute the same number for it, with opposite signs, so none slips through
// between.
static void meet_triangle(double c[3][3], segment *s) {
  double x[3][3], n[3];
  for (int k = 0; k < 3; ++k) sub3(c[k], s->a, x[k]);
  bool left = false, right = false;
  for (int k = 0; k < 3; ++k) {
    cross3(x[k], x[(k + 1) % 3], n);
    double side = dot3(s->along, n);
    left |= side > 0.0, right |= side < 0.0;
  }
  if (left == right) return;  // beside it, or in its plane
  double u[3], v[3];
  sub3(c[1], c[0], u), sub3(c[2], c[0], v);
  cross3(u, v, n);
  double speed = dot3(n, s->along), t = dot3(n, x[0]) / speed;
  if (speed == 0.0 || !(t >= s->from) || !(t <= 1.0)) return;
  s->first = t < s->first ? t : s->first;
}

double mote_mesh_tree_meet(const mote_mesh_tree *tree, const double a[3], const double b[3], double from) {
  MOTE_ASSERT(tree->bvh.node != NULL);
  segment s = {.a = a, .from = from, .first = 2.0};
  sub3(b, a, s.along);
  uint32_t stack[MOTE_BVH_DEPTH];
  int depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    uint32_t index = stack[--depth];
    const mote_bvh_node *node = tree->bvh.node + index;
    if (!meets_box(node, &s)) continue;
    for (uint32_t t = node->first; t < node->first + node->count; ++t) meet_triangle(tree->corner[t], &s);
    if (node->count > 0) continue;
    stack[depth++] = node->first;
    stack[depth++] = index + 1;
  }
  return s.first;
}
