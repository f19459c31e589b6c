// Edges of a cut grid that triangles cross: see cut_grid.h.
//
// A closed set of triangles separates the grid watertightly. Points in the plane of a triangle are perturbed
// by an infinitesimal step along +x (then +y, +z), independent of the triangle's orientation. A line that
// passes a side of a triangle is on the same side of it for both triangles that share it, because the signed
// volume is computed from the side's ends in a fixed order.
#include <math.h>

#include "base/memory.h"
#include "fragments/cut_grid.h"
#include "fragments/tuning.inc"
#include "geom/triple.h"

typedef struct crack {
  const double *corner[3];
  double normal[3];
} crack;

static double height_over(const crack *c, const double x[3]) {
  double off[3];
  sub3(x, c->corner[0], off);
  return dot3(c->normal, off);
}

static bool is_above(const crack *c, double height) {
  const double *n = c->normal;
  if (height != 0.0) return height > 0.0;
  return n[0] != 0.0 ? n[0] > 0.0 : n[1] != 0.0 ? n[1] > 0.0 : n[2] > 0.0;
}

static bool is_before(const double a[3], const double b[3]) {
  for (int k = 0; k < 3; ++k)
    if (a[k] != b[k]) return a[k] < b[k];
  return false;
}

// The side of the line through a and b on which the triangle side from p to q passes.
static double turn_of(const double a[3], const double ab[3], const double p[3], const double q[3]) {
  bool swapped = is_before(q, p);
  double u[3], w[3], n[3];
  sub3(swapped ? q : p, a, u), sub3(swapped ? p : q, a, w);
  cross3(u, w, n);
  return swapped ? -dot3(ab, n) : dot3(ab, n);
}

static bool line_meets(const crack *c, const double a[3], const double b[3]) {
  double ab[3];
  int left = 0, right = 0;
  sub3(b, a, ab);
  for (int k = 0; k < 3; ++k) {
    double turn = turn_of(a, ab, c->corner[k], c->corner[(k + 1) % 3]);
    left += turn >= 0.0, right += turn <= 0.0;
  }
  return left == 3 || right == 3;
}

static mote_result cut_edge(mote_cut_grid *g, const crack *c, uint32_t edge, double from, double to,
                            mote_error *error) {
  MOTE_TRY(mote_reserve(&g->env, &g->cut, &g->cut_capacity, g->cuts + 1, sizeof *g->cut, error));
  mote_edge_cut *cut = g->cut + g->cuts;
  double at = from == to ? 0.5 : from / (from - to);
  *cut =
      (mote_edge_cut){.edge = edge, .at = min2(max2(at, MOTE_CUT_LEAST_SHARE), 1.0 - MOTE_CUT_LEAST_SHARE)};
  copy3(c->normal, cut->normal);
  g->mark[edge] = (uint32_t)g->cuts++;
  return MOTE_OK;
}

// Gradient of the distance by finite differences, outward, not normalised.
static void find_outward(const mote_cut_grid *g, const double x[3], double out[3]) {
  for (int k = 0; k < 3; ++k) {
    double low[3], high[3];
    copy3(x, low), copy3(x, high);
    low[k] -= 0.1 * g->half, high[k] += 0.1 * g->half;
    out[k] = g->distance(g->user, high) - g->distance(g->user, low);
  }
}

// A surface point beyond the crack, seen from its inner node, would make the rim of the crack as jagged as
// the grid. It is moved back along the surface.
static void draw_back(mote_cut_grid *g, const crack *c, uint32_t mark, const double inner[3]) {
  double *x = g->point + 3 * (size_t)mark, outward[3], along[3];
  const double *n = c->normal;
  double height = height_over(c, x);
  if (is_above(c, height) == is_above(c, height_over(c, inner)) || !line_meets(c, inner, x)) return;
  find_outward(g, x, outward);
  double square = dot3(outward, outward);
  if (!(square > 0.0)) return;
  step3(n, -dot3(n, outward) / square, outward, along);
  double rise = dot3(n, along);
  if (!(rise > LEAST_SLOPE * dot3(n, n))) return;
  double edge = 2.0 * g->half * length3(n) * (height > 0.0 ? 1.0 : -1.0);
  double by = (DRAWN_SHARE * (height - edge) - height) / rise;
  if (!(fabs(height) < fabs(edge)) || !(fabs(by) * length3(along) < 3.0 * g->half)) return;
  step3(x, by, along, x);
  g->drawn[mark] = 1;
}

// Cuts the edges of one node.
static mote_result cut_node(mote_cut_grid *g, const crack *c, uint32_t node, double height, const double x[3],
                            mote_error *error) {
  for (uint32_t e = MOTE_NODE_EDGES * node; e < MOTE_NODE_EDGES * (node + 1); ++e) {
    double to[3];
    uint32_t end = mote_cut_grid_end(g, e), mark = g->mark[e];
    if (end == MOTE_CUT_NONE || (!g->inside[node] && !g->inside[end])) continue;
    bool surface = !g->inside[node] || !g->inside[end];
    if (surface ? g->drawn[mark] : mark != MOTE_CUT_NONE) continue;
    mote_cut_grid_position(g, end, to);
    if (surface) {
      draw_back(g, c, mark, g->inside[node] ? x : to);
      continue;
    }
    double other = height_over(c, to);
    if (is_above(c, height) != is_above(c, other) && line_meets(c, x, to))
      MOTE_TRY(cut_edge(g, c, e, height, other, error));
  }
  return MOTE_OK;
}

// First and last sites along an axis whose edges may reach the triangle, in half edges.
static bool find_range(const mote_cut_grid *g, const crack *c, int axis, int64_t *first, int64_t *last) {
  double low = HUGE_VAL, high = -HUGE_VAL, most = (double)g->size[axis] * (axis < 2 ? 2.0 : 1.0) - 1.0;
  for (int k = 0; k < 3; ++k) {
    double at = (c->corner[k][axis] - g->origin[axis]) / g->half;
    low = min2(low, at), high = max2(high, at);
  }
  low = max2(floor(low) - 2.0, 0.0), high = min2(ceil(high) + 2.0, most);
  if (!(low <= high)) return false;
  *first = (int64_t)low, *last = (int64_t)high;
  return true;
}

static mote_result cut_row(mote_cut_grid *g, const crack *c, size_t row, int64_t first, int64_t last,
                           double reach, mote_error *error) {
  for (int64_t i = first / 2; i <= last / 2; ++i) {
    double x[3];
    uint32_t node = g->number[row + (size_t)i];
    if (node == MOTE_CUT_NONE) continue;
    mote_cut_grid_position(g, node, x);
    double height = height_over(c, x);
    if (fabs(height) <= reach) MOTE_TRY(cut_node(g, c, node, height, x, error));
  }
  return MOTE_OK;
}

static mote_result add_triangle(mote_cut_grid *g, const double *corner, mote_error *error) {
  crack c = {.corner = {corner, corner + 3, corner + 6}};
  double u[3], w[3];
  int64_t first[3], last[3];
  sub3(c.corner[1], c.corner[0], u), sub3(c.corner[2], c.corner[0], w);
  cross3(u, w, c.normal);
  double reach = 2.001 * g->half * length3(c.normal);
  if (!(reach > 0.0)) return MOTE_OK;
  for (int k = 0; k < 3; ++k)
    if (!find_range(g, &c, k, first + k, last + k)) return MOTE_OK;
  for (int64_t z = first[2]; z <= last[2]; ++z) {
    for (int64_t y = first[1] / 2; y <= last[1] / 2; ++y) {
      size_t row = ((size_t)z * g->size[1] + (size_t)y) * g->size[0];
      MOTE_TRY(cut_row(g, &c, row, first[0], last[0], reach, error));
    }
  }
  return MOTE_OK;
}

void mote_cut_grid_restore(mote_cut_grid *grid) {
  for (; grid->label_cuts > 0; --grid->label_cuts) grid->mark[grid->cut[--grid->cuts].edge] = MOTE_CUT_NONE;
  if (grid->joined_cuts == 0) return;
  for (size_t c = 0; c < grid->cuts; ++c) grid->mark[grid->cut[c].edge] = (uint32_t)c;
  grid->joined_cuts = 0;
}

mote_result mote_cut_grid_add(mote_cut_grid *grid, const double *corner, size_t count, mote_error *error) {
  MOTE_ASSERT(grid != NULL && (corner != NULL || count == 0));
  mote_cut_grid_restore(grid);
  for (size_t k = 0; k < 9 * count; ++k)
    if (!isfinite(corner[k])) return mote_fail_key(error, "corner", "of triangle %zu is not finite", k / 9);
  for (size_t t = 0; t < count; ++t) MOTE_TRY(add_triangle(grid, corner + 9 * t, error));
  return MOTE_OK;
}

// --- Nearest node -----------------------------------------------------------------------------------------

#define NEAR_MOST 64  // nodes within three half edges: 2 * 27 / 4 * 4.2 on average

typedef struct near_node {
  double square;
  uint32_t node;
} near_node;

// Inner nodes within three half edges of x, the nearest first.
static int list_near(const mote_cut_grid *g, const double x[3], near_node *near) {
  int64_t low[3];
  int count = 0;
  for (int k = 0; k < 3; ++k) {
    double at = ceil((x[k] - g->origin[k]) / g->half - 3.0);
    double most = (double)g->size[k] * (k < 2 ? 2.0 : 1.0) - 7.0;
    if (!(at >= 0.0) || at > most) return 0;
    low[k] = (int64_t)at;
  }
  for (int64_t code = 0; code < 216; ++code) {
    int64_t X = low[0] + code % 6, Y = low[1] + code / 6 % 6, Z = low[2] + code / 36;
    double at[3];
    if (((X ^ Y) & 1) != 0 || ((Y ^ Z) & 1) != 0) continue;
    uint32_t node = g->number[((size_t)Z * g->size[1] + (size_t)(Y >> 1)) * g->size[0] + (size_t)(X >> 1)];
    if (node == MOTE_CUT_NONE || !g->inside[node]) continue;
    mote_cut_grid_position(g, node, at);
    sub3(at, x, at);
    near_node found = {dot3(at, at), node};
    if (found.square > 9.0 * g->half * g->half || count == NEAR_MOST) continue;
    int k = count++;
    for (; k > 0 && near[k - 1].square > found.square; --k) near[k] = near[k - 1];
    near[k] = found;
  }
  return count;
}

uint32_t mote_cut_grid_nearest(const mote_cut_grid *grid, const double x[3],
                               bool (*blocked)(void *user, const double a[3], const double b[3]),
                               void *user) {
  MOTE_ASSERT(grid != NULL && x != NULL);
  near_node near[NEAR_MOST];
  int count = list_near(grid, x, near);
  for (int k = 0; k < count; ++k) {
    double at[3];
    mote_cut_grid_position(grid, near[k].node, at);
    if (blocked == NULL || !blocked(user, x, at)) return near[k].node;
  }
  return count > 0 ? near[0].node : MOTE_CUT_NONE;
}
