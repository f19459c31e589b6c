// The grid of tetrahedra: its tables, inside and outside, cut edges against a search over all, components.
#include "fragments/cut_grid.h"

#include <mote/mote.h>
#include <stdlib.h>

#include "base/random.h"
#include "geom/triple.h"
#include "test.h"

static void test_tables(void) {
  mote_tetra_table t;
  mote_tetra_table_fill(&t);
  for (int k = 0; k < MOTE_TETRAS; ++k) {
    double x[4][3], u[3], w[3], z[3], n[3];
    for (int c = 0; c < 4; ++c)
      for (int axis = 0; axis < 3; ++axis) x[c][axis] = t.corner[k][c][axis];
    sub3(x[1], x[0], u), sub3(x[2], x[0], w), sub3(x[3], x[0], z);
    cross3(u, w, n);
    CHECK(dot3(n, z) == 4.0);  // six times 2/3: twelve are the cube of two half edges
    for (int f = 0; f < 4; ++f) {
      mote_tetra_at beyond = t.beyond[k][f];
      int back = 0;
      for (int g = 0; g < 4; ++g) {
        mote_tetra_at again = t.beyond[beyond.tetra][g];
        back += again.tetra == k && again.offset[0] == -beyond.offset[0] &&
                again.offset[1] == -beyond.offset[1] && again.offset[2] == -beyond.offset[2];
      }
      CHECK(back == 1);
    }
  }
  for (int parity = 0; parity < 2; ++parity)
    for (int type = 0; type < MOTE_NODE_EDGES; ++type) CHECK(t.ring_size[parity][type] == (type < 3 ? 4 : 6));
}

static double box(void *user, const double x[3]) {
  (void)user;
  return max2(max2(fabs(x[0]) - 1.0, fabs(x[1]) - 0.8), fabs(x[2]) - 0.6);
}

static mote_cut_grid *make_grid(double edge) {
  mote_cut_grid_def def = {.distance = box, .low = {-1, -0.8, -0.6}, .high = {1, 0.8, 0.6}, .edge = edge};
  mote_cut_grid *grid = NULL;
  CHECK(mote_cut_grid_create(&def, NULL, &grid, NULL) == MOTE_OK);
  return grid;
}

// A distance that is negative far outside of the bounds would make nodes whose neighbours are not in the
// grid.
static double everywhere(void *user, const double x[3]) {
  (void)user, (void)x;
  return -1.0;
}

static void test_beyond_bounds(void) {
  mote_cut_grid_def def = {.distance = everywhere, .high = {1, 1, 1}, .edge = 0.1};
  mote_cut_grid *grid = NULL;
  mote_error error = {0};
  CHECK(mote_cut_grid_create(&def, NULL, &grid, &error) == MOTE_ERROR_ARGUMENT && grid == NULL);
  CHECK_TEXT(error.key, "shape");
}

static void test_nodes(void) {
  mote_cut_grid *g = make_grid(0.1);
  size_t inner = 0;
  for (uint32_t n = 0; n < g->nodes; ++n) {
    double x[3];
    mote_cut_grid_position(g, n, x);
    CHECK(g->inside[n] == (box(NULL, x) < 0.0));
    inner += g->inside[n];
  }
  CHECK_NEAR((double)inner, 2.0 * 2.0 * 1.6 * 1.2 / 0.001, 500.0);  // two in each cube
  for (size_t s = 0; s < g->surfaces; ++s) CHECK_NEAR(box(NULL, g->point + 3 * s), 0.0, 0.03 * 0.1);
  mote_cut_grid_destroy(g);
}

// Every edge crossed by any triangle is cut, none else: brute force over all edges and all triangles.
static bool crosses(const double *c, const double a[3], const double b[3]) {
  double u[3], w[3], n[3], off[3], ab[3], p[3], q[3];
  sub3(c + 3, c, u), sub3(c + 6, c, w), cross3(u, w, n), sub3(b, a, ab), sub3(c, a, off);
  double at = dot3(n, off) / dot3(n, ab);
  if (!(at > 0.0 && at < 1.0)) return false;
  step3(a, at, ab, p);
  for (int k = 0; k < 3; ++k) {
    double side[3], turn[3];
    sub3(c + 3 * ((k + 1) % 3), c + 3 * k, side), sub3(p, c + 3 * k, q);
    cross3(side, q, turn);
    if (dot3(turn, n) < 0.0) return false;
  }
  return true;
}

static bool same_cuts(const mote_cut_grid *g, const mote_cut_grid *h) {
  bool same = g->cuts == h->cuts;
  for (size_t k = 0; k < g->cuts && same; ++k) {
    const mote_edge_cut *a = &g->cut[k], *b = &h->cut[k];
    same = a->edge == b->edge && a->at == b->at && memcmp(a->normal, b->normal, sizeof a->normal) == 0;
  }
  return same;
}

static void test_cuts(void) {
  mote_cut_grid *g = make_grid(0.2), *h = make_grid(0.2);
  double corner[9 * 12];
  for (uint64_t k = 0; k < 108; ++k) corner[k] = mote_random_between(7, 0, k, -1.0, 1.0);
  CHECK(mote_cut_grid_add(g, corner, 12, NULL) == MOTE_OK);
  for (int t = 0; t < 12; ++t) CHECK(mote_cut_grid_add(h, corner + 9 * t, 1, NULL) == MOTE_OK);
  CHECK(same_cuts(g, h));
  for (uint32_t e = 0; e < MOTE_NODE_EDGES * g->nodes; ++e) {
    uint32_t a = e / MOTE_NODE_EDGES, b = mote_cut_grid_end(g, e);
    double x[3], y[3];
    bool cut = false;
    if (b == MOTE_CUT_NONE || !g->inside[a] || !g->inside[b]) continue;
    mote_cut_grid_position(g, a, x), mote_cut_grid_position(g, b, y);
    for (int t = 0; t < 12; ++t) cut |= crosses(corner + 9 * t, x, y);
    CHECK(cut == (g->mark[e] != MOTE_CUT_NONE));
  }
  mote_cut_grid_destroy(g), mote_cut_grid_destroy(h);
}

static bool crosses_plane(void *user, const double a[3], const double b[3]) {
  double at = *(double *)user;
  return (a[0] < at) != (b[0] < at);
}

// A slab thinner than two edges at an end is rejoined, and so is a part without any of the given nodes.
static void test_joining(void) {
  mote_cut_grid *g = make_grid(0.1);
  const double two[18] = {0.05, -9, -9, 0.05, 9, -9, 0.05, 0, 20, 0.95, -9, -9, 0.95, 9, -9, 0.95, 0, 20};
  CHECK(mote_cut_grid_add(g, two, 2, NULL) == MOTE_OK);
  CHECK(mote_cut_grid_divide(g, 8, NULL, NULL) == MOTE_OK && g->fragments == 3);
  CHECK(mote_cut_grid_divide(g, 500, NULL, NULL) == MOTE_OK && g->fragments == 2 && g->joined_cuts > 0);
  double left[3] = {-0.5, 0.0, 0.0}, right[3] = {0.045, 0.0, 0.0}, plane = 0.05;
  uint32_t node[2] = {mote_cut_grid_nearest(g, left, NULL, NULL),
                      mote_cut_grid_nearest(g, right, crosses_plane, &plane)};
  double at[3];
  mote_cut_grid_position(g, node[1], at);
  CHECK(at[0] < 0.05 && distance3(at, right) < 0.1);
  mote_cut_matter matter = {.node = node, .count = 2, .least = 1};
  CHECK(mote_cut_grid_divide(g, 8, &matter, NULL) == MOTE_OK && g->fragments == 1);
  double far[3] = {5.0, 0.0, 0.0};
  CHECK(mote_cut_grid_nearest(g, far, NULL, NULL) == MOTE_CUT_NONE);
  CHECK(mote_cut_grid_divide(g, 8, NULL, NULL) == MOTE_OK && g->fragments == 3 && g->joined_cuts == 0);
  mote_cut_grid_destroy(g);
}

static bool is_always(void *user, uint32_t p, uint32_t q) {
  return *(bool *)user && p != q;
}

// A box without cracks, with two particles: of two labels, or apart, it is cut halfway between them; homes
// are on their sides. A sliver between two cracks that holds nothing goes with one side, also where both
// sides are one component.
static void test_labels(void) {
  mote_cut_grid *g = make_grid(0.1);
  const double x[6] = {-0.5, 0.0, 0.0, 0.1, 0.0, 0.0};
  uint32_t node[2] = {mote_cut_grid_nearest(g, x, NULL, NULL), mote_cut_grid_nearest(g, x + 3, NULL, NULL)};
  uint32_t label[2] = {7, 7};
  bool apart = false;
  mote_cut_matter matter = {.node = node, .label = label, .position = x, .count = 2, .least = 1};
  CHECK(mote_cut_grid_divide(g, 8, &matter, NULL) == MOTE_OK && g->fragments == 1 && g->cuts == 0);
  label[1] = 8;
  CHECK(mote_cut_grid_divide(g, 8, &matter, NULL) == MOTE_OK && g->fragments == 2 && g->cuts > 0);
  label[1] = 7, matter.homes = true, matter.apart = is_always, matter.user = &apart;
  CHECK(mote_cut_grid_divide(g, 8, &matter, NULL) == MOTE_OK && g->fragments == 1 && g->cuts == 0);
  apart = true;
  CHECK(mote_cut_grid_divide(g, 8, &matter, NULL) == MOTE_OK && g->fragments == 2);
  for (uint32_t n = 0; n < g->nodes; ++n) {
    double at[3];
    mote_cut_grid_position(g, n, at);
    if (g->inside[n]) CHECK(g->home[n] == (at[0] < -0.2 ? 0u : 1u));
  }
  for (size_t c = 0; c < g->cuts; ++c) {
    double a[3], b[3];
    mote_cut_grid_position(g, g->cut[c].edge / MOTE_NODE_EDGES, a);
    mote_cut_grid_position(g, mote_cut_grid_end(g, g->cut[c].edge), b);
    CHECK_NEAR(a[0] + g->cut[c].at * (b[0] - a[0]), -0.2, 0.006);
  }
  const double two[18] = {-0.3, 9, -9, -0.3, 9, 9, -0.3, -0.5, 0, -0.1, 9, -9, -0.1, 9, 9, -0.1, -0.5, 0};
  CHECK(mote_cut_grid_add(g, two, 2, NULL) == MOTE_OK && g->label_cuts == 0);
  CHECK(mote_cut_grid_divide(g, 8, &matter, NULL) == MOTE_OK && g->fragments == 2);
  mote_cut_grid_destroy(g);
}

static void test_refusals(void) {
  mote_cut_grid_def def = {.distance = box, .low = {-1, -0.8, -0.6}, .high = {1, 0.8, 0.6}, .edge = 0.0};
  mote_cut_grid *grid = NULL;
  CHECK(mote_cut_grid_create(&def, NULL, &grid, NULL) == MOTE_ERROR_ARGUMENT);
  def.edge = 1e-4;
  CHECK(mote_cut_grid_create(&def, NULL, &grid, NULL) == MOTE_ERROR_ARGUMENT);
  def.edge = 0.1, def.high[0] = HUGE_VAL;
  CHECK(mote_cut_grid_create(&def, NULL, &grid, NULL) == MOTE_ERROR_ARGUMENT);
  def.high[0] = 3.0, def.low[0] = 2.0;
  CHECK(mote_cut_grid_create(&def, NULL, &grid, NULL) == MOTE_ERROR_ARGUMENT && grid == NULL);
}

int main(void) {
  test_tables();
  test_beyond_bounds();
  test_nodes();
  test_cuts();
  test_joining();
  test_labels();
  test_refusals();
  return test_end();
}
