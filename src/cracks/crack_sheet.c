// Sheets of cracks: see crack_sheet.h. New triangles are searched one by one until there are enough for a
// tree of boxes; a tree that is not smaller than the previous one is merged with it, so that
// construction costs n log n in total (Bentley & Saxe 1980).
#include "cracks/crack_sheet.h"

#include <string.h>

#include "base/memory.h"
#include "geom/tri_closest.h"

#define TREE_MIN 16  // triangles

mote_crack_sheets mote_crack_sheets_make(int dimensions, const mote_env *env) {
  MOTE_ASSERT(dimensions == 2 || dimensions == 3);
  return (mote_crack_sheets){.env = *env, .dimensions = dimensions};
}

void mote_crack_sheets_destroy(mote_crack_sheets *cracks) {
  mote_crack_sheets *c = cracks;
  for (size_t k = 0; k < c->trees; ++k) mote_bvh_destroy(&c->tree[k].bvh);
  mote_free(&c->env, c->corner, c->capacity[0], sizeof *c->corner);
  mote_free(&c->env, c->sheet, c->capacity[1], sizeof *c->sheet);
  mote_free(&c->env, c->front, c->capacity[2], sizeof *c->front);
  mote_free(&c->env, c->node, c->capacity[3], sizeof *c->node);
  mote_free(&c->env, c->identity, c->capacity[4], sizeof *c->identity);
  *c = (mote_crack_sheets){.env = c->env, .dimensions = c->dimensions};
}

// --- The soup ------------------------------------------------------------------------------------------

static size_t first_without_tree(const mote_crack_sheets *c) {
  return c->trees == 0 ? 0 : c->tree[c->trees - 1].first + c->tree[c->trees - 1].count;
}

static mote_result make_tree(mote_crack_sheets *c, size_t first, size_t count, mote_bvh *out,
                             mote_error *error) {
  mote_mesh mesh = {
      .vertex = c->corner + 9 * first, .triangle = c->identity, .vertices = 3 * count, .triangles = count};
  return mote_bvh_create(&mesh, &c->env, out, error);
}

// Builds a tree of the triangles without one, merged with the last trees that are not larger.
static mote_result grow_trees(mote_crack_sheets *c, mote_error *error) {
  size_t first = first_without_tree(c), merged = c->trees;
  if (c->triangles - first < TREE_MIN) return MOTE_OK;
  while (merged > 0 && c->tree[merged - 1].count <= c->triangles - first) first = c->tree[--merged].first;
  MOTE_ASSERT(merged < MOTE_CRACK_TREES);
  mote_bvh bvh;
  MOTE_TRY(make_tree(c, first, c->triangles - first, &bvh, error));
  for (size_t k = merged; k < c->trees; ++k) mote_bvh_destroy(&c->tree[k].bvh);
  c->tree[merged] = (mote_crack_tree){.first = first, .count = c->triangles - first, .bvh = bvh};
  c->trees = merged + 1;
  return MOTE_OK;
}

mote_result mote_crack_add_triangles(mote_crack_sheets *cracks, uint32_t sheet, const double *corner,
                                     size_t count, mote_error *error) {
  mote_crack_sheets *c = cracks;
  MOTE_ASSERT(sheet <= c->sheets && (corner != NULL || count == 0));
  size_t before = c->triangles, total = before + count;
  MOTE_TRY(mote_reserve(&c->env, &c->corner, c->capacity, 9 * total, sizeof *c->corner, error));
  MOTE_TRY(mote_reserve(&c->env, &c->sheet, c->capacity + 1, total, sizeof *c->sheet, error));
  size_t counted = c->capacity[4];
  MOTE_TRY(mote_reserve(&c->env, &c->identity, c->capacity + 4, 3 * total, sizeof *c->identity, error));
  for (size_t k = counted; k < c->capacity[4]; ++k) c->identity[k] = (uint32_t)k;
  for (size_t k = 0; k < count; ++k) {
    double *to = c->corner + 9 * (before + k);
    memcpy(to, corner + 9 * k, 9 * sizeof *to);
    if (c->dimensions == 2) copy3(to + 3, to + 6);
    c->sheet[before + k] = sheet;
  }
  c->triangles = total;
  mote_result result = grow_trees(c, error);
  if (result != MOTE_OK) c->triangles = before;
  if (result == MOTE_OK && sheet == c->sheets) ++c->sheets;
  return result;
}

mote_result mote_crack_set_fronts(mote_crack_sheets *cracks, const mote_crack_front *front, size_t fronts,
                                  const mote_crack_node *node, size_t nodes, mote_error *error) {
  mote_crack_sheets *c = cracks;
  MOTE_TRY(mote_reserve(&c->env, &c->front, c->capacity + 2, fronts, sizeof *c->front, error));
  MOTE_TRY(mote_reserve(&c->env, &c->node, c->capacity + 3, nodes, sizeof *c->node, error));
  for (size_t k = 0; k < fronts; ++k) {
    MOTE_ASSERT(front[k].sheet < c->sheets && front[k].first + front[k].count <= nodes);
    c->front[k] = front[k];
  }
  if (nodes > 0) memcpy(c->node, node, nodes * sizeof *node);
  c->fronts = fronts, c->nodes = nodes;
  return MOTE_OK;
}

// --- Crossings -----------------------------------------------------------------------------------------

static bool comes_first(const double a[3], const double b[3]) {
  for (int k = 0; k < 3; ++k) {
    if (a[k] != b[k]) return a[k] < b[k];
  }
  return true;
}

// The side of the line from p to q on which the edge from a to b passes; its sign changes exactly with the
// order of a and b. In 2D: the side of a.
static double edge_side(int dimensions, const double p[3], const double pq[3], const double a[3],
                        const double b[3]) {
  double pa[3], pb[3], n[3];
  sub3(a, p, pa);
  if (dimensions == 2) return pq[0] * pa[1] - pq[1] * pa[0];
  bool swapped = !comes_first(a, b);
  sub3(b, p, pb);
  if (swapped) {
    cross3(pb, pa, n);
    return -dot3(pq, n);
  }
  cross3(pa, pb, n);
  return dot3(pq, n);
}

// Positive on the positive side.
static double plane_side(int dimensions, const double *t, const double x[3]) {
  double ab[3], ac[3], ax[3], n[3];
  sub3(t + 3, t, ab), sub3(x, t, ax);
  if (dimensions == 2) return ab[0] * ax[1] - ab[1] * ax[0];
  sub3(t + 6, t, ac);
  cross3(ab, ac, n);
  return dot3(n, ax);
}

// The segment from its lower end, so that both directions give the same bits.
typedef struct ray {
  int dimensions;
  const double *p, *q;  // in order
  double pq[3], low[3], high[3];
  bool swapped;
} ray;

static ray make_ray(const mote_crack_sheets *c, const double p[3], const double q[3]) {
  ray r = {.dimensions = c->dimensions, .swapped = !comes_first(p, q)};
  r.p = r.swapped ? q : p, r.q = r.swapped ? p : q;
  sub3(r.q, r.p, r.pq);
  for (int k = 0; k < 3; ++k) r.low[k] = min2(p[k], q[k]), r.high[k] = max2(p[k], q[k]);
  return r;
}

static bool meets(const ray *r, const double *t, double *at) {
  double from = plane_side(r->dimensions, t, r->p), to = plane_side(r->dimensions, t, r->q);
  if ((from >= 0.0) == (to >= 0.0)) return false;
  double s[3];
  int edges = r->dimensions;
  for (int k = 0; k < edges; ++k)
    s[k] = edge_side(r->dimensions, r->p, r->pq, t + 3 * k, t + 3 * ((k + 1) % 3));
  bool above = false, below = false;
  for (int k = 0; k < edges; ++k) above = above || s[k] > 0.0, below = below || s[k] < 0.0;
  if (r->dimensions == 2) {
    if (above != below && s[0] != 0.0 && s[1] != 0.0) return false;
  } else if (above && below) {
    return false;
  }
  from = fabs(from), to = fabs(to);
  *at = r->swapped ? to / (from + to) : from / (from + to);
  return true;
}

static bool is_apart(const double low[3], const double high[3], const double other_low[3],
                     const double other_high[3]) {
  for (int k = 0; k < 3; ++k) {
    if (low[k] > other_high[k] || other_low[k] > high[k]) return true;
  }
  return false;
}

typedef struct crossing_list {
  mote_crack_crossing *out;
  size_t most, count;
  double nearest;  // the smallest fraction of all crossings
} crossing_list;

// Keeps the `most` first by number.
static void keep_crossing(crossing_list *l, uint32_t triangle, double at) {
  size_t end = l->count < l->most ? l->count : l->most, k = end;
  ++l->count;
  l->nearest = min2(l->nearest, at);
  while (k > 0 && l->out[k - 1].triangle > triangle) --k;
  if (k == l->most) return;
  if (end == l->most) --end;
  for (size_t m = end; m > k; --m) l->out[m] = l->out[m - 1];
  l->out[k] = (mote_crack_crossing){at, triangle};
}

static void cross_one(const mote_crack_sheets *c, const ray *r, size_t triangle, crossing_list *l) {
  double at;
  if (meets(r, c->corner + 9 * triangle, &at)) keep_crossing(l, (uint32_t)triangle, at);
}

static void cross_tree(const mote_crack_sheets *c, const mote_crack_tree *tree, const ray *r,
                       crossing_list *l) {
  uint32_t stack[MOTE_BVH_DEPTH], depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    uint32_t at = stack[--depth];
    const mote_bvh_node *node = tree->bvh.node + at;
    if (is_apart(node->low, node->high, r->low, r->high)) continue;
    for (uint32_t k = 0; k < node->count; ++k)
      cross_one(c, r, tree->first + tree->bvh.order[node->first + k], l);
    if (node->count > 0) continue;
    MOTE_ASSERT(depth + 2 <= MOTE_BVH_DEPTH);
    stack[depth++] = node->first, stack[depth++] = at + 1;
  }
}

static void cross_all(const mote_crack_sheets *c, const double p[3], const double q[3], crossing_list *l) {
  ray r = make_ray(c, p, q);
  l->nearest = HUGE_VAL;
  for (size_t k = 0; k < c->trees; ++k) cross_tree(c, c->tree + k, &r, l);
  for (size_t t = first_without_tree(c); t < c->triangles; ++t) cross_one(c, &r, t, l);
}

size_t mote_crack_crossings(const mote_crack_sheets *cracks, const double p[3], const double q[3],
                            size_t most, mote_crack_crossing *out) {
  crossing_list l = {.out = out, .most = most};
  cross_all(cracks, p, q, &l);
  return l.count;
}

bool mote_crack_cuts(const mote_crack_sheets *cracks, const double p[3], const double q[3], double *at) {
  crossing_list l = {.most = 0};
  cross_all(cracks, p, q, &l);
  if (at != NULL && l.count > 0) *at = l.nearest;
  return l.count > 0;
}

// --- Distances -----------------------------------------------------------------------------------------

// The point of the segment from a to b that is closest to x.
static void closest_of_segment(const double a[3], const double b[3], const double x[3], double out[3]) {
  double ab[3], ax[3];
  sub3(b, a, ab), sub3(x, a, ax);
  double square = dot3(ab, ab), along = square > 0.0 ? dot3(ab, ax) / square : 0.0;
  step3(a, along < 0.0 ? 0.0 : along > 1.0 ? 1.0 : along, ab, out);
}

typedef struct nearest {
  const double *x;
  double distance, point[3];
  size_t triangle;
} nearest;

static void near_one(const mote_crack_sheets *c, size_t triangle, nearest *n) {
  const double *t = c->corner + 9 * triangle;
  double point[3];
  if (c->dimensions == 2) {
    closest_of_segment(t, t + 3, n->x, point);
  } else {
    tri_closest(t, t + 3, t + 6, n->x, point);
  }
  double distance = distance3(point, n->x);
  if (!(distance < n->distance || (distance == n->distance && triangle < n->triangle))) return;
  n->distance = distance, n->triangle = triangle;
  copy3(point, n->point);
}

static bool is_farther(const mote_bvh_node *node, const nearest *n) {
  double square = 0.0;
  for (int k = 0; k < 3; ++k) {
    double away = max2(max2(node->low[k] - n->x[k], n->x[k] - node->high[k]), 0.0);
    square += away * away;
  }
  return square > n->distance * n->distance * (1.0 + 1e-12);
}

static void near_tree(const mote_crack_sheets *c, const mote_crack_tree *tree, nearest *n) {
  uint32_t stack[MOTE_BVH_DEPTH], depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    uint32_t at = stack[--depth];
    const mote_bvh_node *node = tree->bvh.node + at;
    if (is_farther(node, n)) continue;
    for (uint32_t k = 0; k < node->count; ++k) near_one(c, tree->first + tree->bvh.order[node->first + k], n);
    if (node->count > 0) continue;
    MOTE_ASSERT(depth + 2 <= MOTE_BVH_DEPTH);
    stack[depth++] = node->first, stack[depth++] = at + 1;
  }
}

double mote_crack_nearest(const mote_crack_sheets *cracks, const double x[3], double most, double point[3],
                          uint32_t *triangle) {
  const mote_crack_sheets *c = cracks;
  nearest n = {.x = x, .distance = most, .triangle = 0};  // 0: triangles at `most` itself are excluded
  for (size_t k = 0; k < c->trees; ++k) near_tree(c, c->tree + k, &n);
  for (size_t t = first_without_tree(c); t < c->triangles; ++t) near_one(c, t, &n);
  if (!(n.distance < most)) return HUGE_VAL;
  if (point != NULL) copy3(n.point, point);
  if (triangle != NULL) *triangle = (uint32_t)n.triangle;
  return n.distance;
}

double mote_crack_nearest_other(const mote_crack_sheets *cracks, uint32_t sheet, const double x[3],
                                double most, double point[3]) {
  nearest n = {.x = x, .distance = most, .triangle = 0};
  for (size_t t = 0; t < cracks->triangles; ++t) {
    if (cracks->sheet[t] != sheet) near_one(cracks, t, &n);
  }
  if (!(n.distance < most)) return HUGE_VAL;
  copy3(n.point, point);
  return n.distance;
}

void mote_crack_normal(const mote_crack_sheets *cracks, size_t triangle, double normal[3]) {
  MOTE_ASSERT(triangle < cracks->triangles);
  const double *t = cracks->corner + 9 * triangle;
  double ab[3], ac[3];
  sub3(t + 3, t, ab), sub3(t + 6, t, ac);
  if (cracks->dimensions == 2) {
    set3(-ab[1], ab[0], 0.0, normal);
  } else {
    cross3(ab, ac, normal);
  }
  double length = length3(normal);
  for (int k = 0; k < 3; ++k) normal[k] = length > 0.0 ? normal[k] / length : 0.0;
}

static void near_front(const mote_crack_sheets *c, const mote_crack_front *f, nearest *n) {
  const mote_crack_node *node = c->node + f->first;
  size_t pieces = f->count == 1 || f->closed ? f->count : f->count - 1;
  for (size_t k = 0; k < pieces; ++k) {
    const mote_crack_node *a = node + k, *b = node + (k + 1) % f->count;
    if (!a->live && !b->live) continue;
    double point[3];
    closest_of_segment(a->position, b->position, n->x, point);
    double distance = distance3(point, n->x);
    if (!(distance < n->distance)) continue;
    n->distance = distance;
    copy3(point, n->point);
  }
}

double mote_crack_front_distance(const mote_crack_sheets *cracks, uint32_t sheet, const double x[3],
                                 double point[3]) {
  nearest n = {.x = x, .distance = HUGE_VAL};
  for (size_t k = 0; k < cracks->fronts; ++k) {
    if (cracks->front[k].sheet == sheet) near_front(cracks, cracks->front + k, &n);
  }
  if (point != NULL) copy3(n.point, point);
  return n.distance;
}
