// Crossing triangles by orientations of four points (Shewchuk 1997, with the bound of his first stage: what
// is within rounding of a common plane counts as lying in it), through a tree of boxes. What crosses by these
// is asked again with exact orientations: many points of one plane, to rounding, are no crossing.
#include "geom/tri_cross.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "geom/mesh_edges.h"
#include "geom/triple.h"

#define COUNT_MOST 64

static int sign_beyond(double x, double bound) {
  return (x > bound) - (x < -bound);
}

// On which side of the plane through a, b, c the point d lies.
static int side_of(const double *a, const double *b, const double *c, const double *d) {
  double p[3], q[3], r[3];
  sub3(a, d, p), sub3(b, d, q), sub3(c, d, r);
  double x1 = q[1] * r[2], x2 = q[2] * r[1], y1 = q[2] * r[0], y2 = q[0] * r[2], z1 = q[0] * r[1],
         z2 = q[1] * r[0];
  double det = p[0] * (x1 - x2) + p[1] * (y1 - y2) + p[2] * (z1 - z2);
  double size = fabs(p[0]) * (fabs(x1) + fabs(x2)) + fabs(p[1]) * (fabs(y1) + fabs(y2)) +
                fabs(p[2]) * (fabs(z1) + fabs(z2));
  return sign_beyond(det, 8e-16 * size);
}

// Adds b to the expansion, whose components do not overlap: the sum stays exact.
static void grow(double *part, int *count, double b) {
  int kept = 0;
  for (int k = 0; k < *count; ++k) {
    double sum = b + part[k], own = sum - b, rest = (b - (sum - own)) + (part[k] - own);
    if (rest != 0.0) part[kept++] = rest;
    b = sum;
  }
  if (b != 0.0) part[kept++] = b;
  *count = kept;
}

// The exact sign of what side_of computes: the sum of 24 products of three numbers, each in four parts.
static int side_exact(const double *a, const double *b, const double *c, const double *d) {
  static const int order[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  const double *row[4][3] = {{a, b, c}, {d, c, b}, {d, a, c}, {d, b, a}};
  double part[4 * 24];
  int count = 0;
  for (int k = 0; k < 24; ++k) {
    const int *o = order[k % 6];
    double x = row[k / 6][0][o[0]], y = row[k / 6][1][o[1]], z = row[k / 6][2][o[2]];
    if (k % 6 > 2) x = -x;
    double high = x * y, low = fma(x, y, -high), top = high * z, next = low * z;
    grow(part, &count, fma(low, z, -next)), grow(part, &count, next);
    grow(part, &count, fma(high, z, -top)), grow(part, &count, top);
  }
  return count == 0 ? 0 : sign_beyond(part[count - 1], 0.0);
}

// The same in the plane of two axes.
static int side_in_plane(const double *a, const double *b, const double *c, int u, int v) {
  double left = (a[u] - c[u]) * (b[v] - c[v]), right = (a[v] - c[v]) * (b[u] - c[u]);
  return sign_beyond(left - right, 4e-16 * (fabs(left) + fabs(right)));
}

typedef struct corners {
  const double *x[3];
  const uint32_t *id;
} corners;

static corners corners_of(const mote_mesh *mesh, size_t t) {
  corners c = {.id = mesh->triangle + 3 * t};
  for (int k = 0; k < 3; ++k) c.x[k] = mesh->vertex + 3 * (size_t)c.id[k];
  return c;
}

// Sides of the plane of t on which the corners of s lie.
static void sides_of(const corners *t, const corners *s, int side[3]) {
  for (int k = 0; k < 3; ++k) side[k] = side_of(t->x[0], t->x[1], t->x[2], s->x[k]);
}

typedef int side_fn(const double *a, const double *b, const double *c, const double *d);

// Whether the line from p to q passes through the triangle, its border included.
static bool line_passes(side_fn *side_of_plane, const double *p, const double *q, const corners *t) {
  bool left = false, right = false;
  for (int k = 0; k < 3; ++k) {
    int side = side_of_plane(p, q, t->x[k], t->x[(k + 1) % 3]);
    left |= side > 0, right |= side < 0;
  }
  return !(left && right);
}

static bool passes_exactly(const double *p, const double *q, const corners *t) {
  int sp = side_exact(t->x[0], t->x[1], t->x[2], p), sq = side_exact(t->x[0], t->x[1], t->x[2], q);
  return sp * sq < 0 && line_passes(side_exact, p, q, t);
}

// Whether all corners but that of a common vertex, -1: none, are off the plane, on one side.
static bool is_beside(const int side[3], int common) {
  int sum = side[0] + side[1] + side[2], wanted = common < 0 ? 3 : 2;
  return sum == wanted || sum == -wanted;
}

// Whether an edge of s, but for those at a common vertex, passes from one side of t to the other: the sides
// of the corners of s are given.
static bool any_edge_passes(const corners *s, const int side[3], const corners *t, int common) {
  for (int k = 0; k < 3; ++k) {
    const double *p = s->x[k], *q = s->x[(k + 1) % 3];
    if ((common >= 0 && k != (common + 1) % 3) || side[k] * side[(k + 1) % 3] >= 0) continue;
    if (line_passes(side_of, p, q, t) && passes_exactly(p, q, t)) return true;
  }
  return false;
}

static void normal_of(const corners *t, double out[3]) {
  double u[3], v[3];
  sub3(t->x[1], t->x[0], u), sub3(t->x[2], t->x[0], v);
  cross3(u, v, out);
}

// The axis along which the shadows of both are largest, whichever of them comes first.
static int steepest_axis(const corners *s, const corners *t) {
  double m[3], n[3];
  int axis = 0;
  normal_of(s, m), normal_of(t, n);
  for (int k = 1; k < 3; ++k) axis = fabs(m[k]) + fabs(n[k]) > fabs(m[axis]) + fabs(n[axis]) ? k : axis;
  return axis;
}

// Whether a side of s has all of t on its outer side or on it.
static bool is_parted(const corners *s, const corners *t, int u, int v) {
  int turn = side_in_plane(s->x[0], s->x[1], s->x[2], u, v);
  for (int k = 0; k < 3; ++k) {
    bool all = true;
    for (int m = 0; m < 3 && all; ++m) {
      all = turn * side_in_plane(s->x[k], s->x[(k + 1) % 3], t->x[m], u, v) <= 0;
    }
    if (all) return true;
  }
  return false;
}

static bool overlap_in_plane(const corners *s, const corners *t) {
  int axis = steepest_axis(s, t), u = (axis + 1) % 3, v = (axis + 2) % 3;
  return !is_parted(s, t, u, v) && !is_parted(t, s, u, v);
}

static bool same_point(const double *a, const double *b) {
  return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

// The number of common corners; `own` is the last one of s that t has, `other` that of t. Both sides of a
// closed crack have vertices of their own at the same points.
static int common_corners(const corners *s, const corners *t, int *own, int *other) {
  int count = 0;
  for (int k = 0; k < 9; ++k) {
    if (s->id[k / 3] != t->id[k % 3] && !same_point(s->x[k / 3], t->x[k % 3])) continue;
    *own = k / 3, *other = k % 3;
    ++count;
  }
  return count;
}

// Of triangles in one plane with two common corners: whether they are of the two sides of a closed crack,
// which face each other and have no vertex in common. Their diagonals may differ.
static bool are_sides(const corners *s, const corners *t) {
  for (int k = 0; k < 9; ++k) {
    if (s->id[k / 3] == t->id[k % 3]) return false;
  }
  int axis = steepest_axis(s, t), u = (axis + 1) % 3, v = (axis + 2) % 3;
  return side_in_plane(s->x[0], s->x[1], s->x[2], u, v) * side_in_plane(t->x[0], t->x[1], t->x[2], u, v) < 0;
}

bool mote_triangles_cross(const mote_mesh *mesh, size_t s_index, size_t t_index) {
  MOTE_ASSERT(s_index < mesh->triangles && t_index < mesh->triangles);
  corners s = corners_of(mesh, s_index), t = corners_of(mesh, t_index);
  int own = 0, other = 0, common = common_corners(&s, &t, &own, &other);
  if (common == 3) return !are_sides(&s, &t);
  int of_s[3], of_t[3];
  if (common != 1) own = other = -1;
  sides_of(&t, &s, of_s);
  if (is_beside(of_s, own)) return false;
  sides_of(&s, &t, of_t);
  if (is_beside(of_t, other)) return false;
  // In the plane of a flat triangle, and to rounding in that of a far smaller one, lies every point.
  bool one_plane = (of_s[0] | of_s[1] | of_s[2] | of_t[0] | of_t[1] | of_t[2]) == 0;
  if (one_plane) return overlap_in_plane(&s, &t) && !(common == 2 && are_sides(&s, &t));
  if (common == 2) return false;
  // The sides at a common vertex touch there and cannot pass elsewhere.
  return any_edge_passes(&s, of_s, &t, own) || any_edge_passes(&t, of_t, &s, other);
}

// --- All pairs ---------------------------------------------------------------------------------------------

typedef struct search {
  const mote_mesh *mesh;
  mote_bvh bvh;
  const uint32_t *member;  // triangles of the tree; null: all
  uint32_t *count, *partner;
  const uint32_t *group;  // of each triangle; null: all pairs count once, those of the higher one
  uint32_t count_most;    // of each triangle
  uint8_t *mark;          // of triangles that are found; may be null
} search;

static bool boxes_touch(const mote_bvh_node *node, const double low[3], const double high[3]) {
  for (int k = 0; k < 3; ++k) {
    if (node->low[k] > high[k] || node->high[k] < low[k]) return false;
  }
  return true;
}

static void search_leaf(const search *s, const mote_bvh_node *node, uint32_t t) {
  for (uint32_t k = 0; k < node->count && s->count[t] < s->count_most; ++k) {
    uint32_t other = s->bvh.order[node->first + k];
    if (s->member != NULL) other = s->member[other];
    if (s->group != NULL ? other == t || s->group[other] != s->group[t] : other <= t) continue;
    if (mote_mesh_repeats_vertex(s->mesh, other)) continue;
    if (!mote_triangles_cross(s->mesh, t, other)) continue;
    if (s->count[t]++ == 0 || other < s->partner[t]) s->partner[t] = other;
    if (s->mark != NULL) s->mark[other] = 1;
  }
}

static void search_triangle(const search *s, uint32_t t) {
  corners c = corners_of(s->mesh, t);
  double low[3], high[3];
  for (int k = 0; k < 3; ++k) {
    low[k] = min2(c.x[0][k], min2(c.x[1][k], c.x[2][k]));
    high[k] = max2(c.x[0][k], max2(c.x[1][k], c.x[2][k]));
  }
  uint32_t stack[MOTE_BVH_DEPTH], depth = 0;
  stack[depth++] = 0;
  while (depth > 0 && s->count[t] < s->count_most) {
    uint32_t index = stack[--depth];
    const mote_bvh_node *node = s->bvh.node + index;
    if (!boxes_touch(node, low, high)) continue;
    if (node->count > 0) {
      search_leaf(s, node, t);
    } else {
      stack[depth++] = node->first;
      stack[depth++] = index + 1;
    }
  }
}

static void search_triangles(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const search *s = data;
  for (size_t t = begin; t < end; ++t) {
    s->count[t] = 0;
    if (!mote_mesh_repeats_vertex(s->mesh, t)) search_triangle(s, (uint32_t)t);
  }
}

// Counts for all triangles those of `tree`; s->count is allocated, and s->partner the second half of it.
static mote_result search_all(search *s, const mote_mesh *tree, const mote_env *env, mote_error *error) {
  size_t triangles = s->mesh->triangles;
  MOTE_ALLOC(s->count, env, 2 * triangles, error);
  s->partner = s->count + triangles;
  mote_result result = mote_bvh_create(tree, env, &s->bvh, error);
  if (result == MOTE_OK) {
    mote_parallel_for(env->threads, triangles, 64, search_triangles, s);
  } else {
    mote_free(env, s->count, triangles, 2 * sizeof *s->count);
  }
  return result;
}

static void end_search(search *s, const mote_env *env) {
  mote_bvh_destroy(&s->bvh);
  mote_free(env, s->count, s->mesh->triangles, 2 * sizeof *s->count);
}

mote_result mote_mesh_crossings(const mote_mesh *mesh, const mote_env *env, mote_crossings *out,
                                mote_error *error) {
  MOTE_ASSERT(env != NULL && out != NULL);
  *out = (mote_crossings){0};
  if (mesh->triangles == 0) return MOTE_OK;
  search s = {.mesh = mesh, .count_most = COUNT_MOST};
  MOTE_TRY(search_all(&s, mesh, env, error));
  for (size_t t = mesh->triangles; t-- > 0;) {
    if (s.count[t] == 0) continue;
    out->count += s.count[t];
    out->first[0] = t, out->first[1] = s.partner[t];
  }
  end_search(&s, env);
  return MOTE_OK;
}

// The triangles that have moved, as a mesh of the same vertices, and their numbers.
static void take_moved(const mote_mesh *mesh, const uint8_t *moved, uint32_t *member, mote_mesh *tree) {
  for (size_t t = 0; t < mesh->triangles; ++t) {
    if (!moved[t]) continue;
    for (int k = 0; k < 3; ++k)
      tree->triangle[3 * tree->triangles + (size_t)k] = mesh->triangle[3 * t + (size_t)k];
    member[tree->triangles++] = (uint32_t)t;
  }
}

// All triangles ask for moved ones; those that have not moved and find some mark them.
static mote_result mark_all(search *s, const mote_mesh *tree, const uint8_t *moved, const mote_env *env,
                            uint8_t *crosses, mote_error *error) {
  MOTE_TRY(search_all(s, tree, env, error));
  for (size_t t = 0; t < s->mesh->triangles; ++t) crosses[t] = s->count[t] > 0;
  s->mark = crosses, s->count_most = UINT32_MAX;
  for (size_t t = 0; t < s->mesh->triangles; ++t)
    if (!moved[t] && s->count[t] > 0) search_triangle(s, (uint32_t)t);
  end_search(s, env);
  return MOTE_OK;
}

mote_result mote_mesh_mark_crossings(const mote_mesh *mesh, const uint32_t *group, const uint8_t *moved,
                                     const mote_env *env, uint8_t *crosses, bool *any, mote_error *error) {
  MOTE_ASSERT(group != NULL && moved != NULL && env != NULL && crosses != NULL && any != NULL);
  size_t count = 0;
  for (size_t t = 0; t < mesh->triangles; ++t) count += moved[t] != 0, crosses[t] = 0;
  *any = false;
  if (count == 0) return MOTE_OK;
  MOTE_ALLOC_NEW(uint32_t, member, env, 4 * count, error);
  search s = {.mesh = mesh, .group = group, .member = member, .count_most = 1};
  mote_mesh tree = {.vertex = mesh->vertex, .vertices = mesh->vertices, .triangle = member + count};
  take_moved(mesh, moved, member, &tree);
  mote_result result = mark_all(&s, &tree, moved, env, crosses, error);
  for (size_t t = 0; t < mesh->triangles; ++t) *any |= crosses[t] != 0;
  mote_free(env, member, 4 * count, sizeof *member);
  return result;
}
