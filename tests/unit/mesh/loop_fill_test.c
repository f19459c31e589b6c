// Triangles in loops: as many as they must be, no diagonal in a face, none that cross, the best of all such
// triangulations; no crossing between the loops of a cube.
#include "mesh/loop_fill.h"

#include <string.h>

#include "base/random.h"
#include "geom/tri_cross.h"
#include "mesh/tri_quality.h"
#include "test.h"

enum { CORNERS = MOTE_CUBE_EDGES + 1, SEEDS = 300 };

static bool cross_any(double *x, uint32_t *triangle, size_t count) {
  const mote_mesh mesh = {.vertex = x, .triangle = triangle, .vertices = CORNERS, .triangles = count};
  for (size_t s = 1; s < count; ++s)
    for (size_t t = 0; t < s; ++t)
      if (mote_triangles_cross(&mesh, s, t)) return true;
  return false;
}

// All triangulations of a loop whose diagonals lie in no face, those that cross left out.
typedef struct twin {
  const mote_loop *loop;
  double *x, best;  // best: the worst quality in the best one
  uint32_t triangle[3 * CORNERS];
  unsigned span[CORNERS][2];
} twin;

static void try_all(twin *w, unsigned spans, size_t made, double worst) {
  if (spans == 0) {
    if (worst > w->best && !cross_any(w->x, w->triangle, made)) w->best = worst;
    return;
  }
  unsigned i = w->span[spans - 1][0], j = w->span[spans - 1][1];
  if (j - i < 2) {
    try_all(w, spans - 1, made, worst);
  } else if (j - i == w->loop->length - 1 || !(w->loop->faces[i] & w->loop->faces[j])) {
    for (unsigned k = i + 1; k < j; ++k) {
      double n[3], q = tri_quality(w->x + 3 * (size_t)i, w->x + 3 * (size_t)k, w->x + 3 * (size_t)j, n);
      uint32_t *t = w->triangle + 3 * made;
      t[0] = i, t[1] = k, t[2] = j;
      unsigned below[CORNERS][2];
      memcpy(below, w->span, sizeof below);
      w->span[spans - 1][0] = i, w->span[spans - 1][1] = k;
      w->span[spans][0] = k, w->span[spans][1] = j;
      try_all(w, spans + 1, made + 1, min2(worst, q));
      memcpy(w->span, below, sizeof below);
    }
  }
}

static double best_of_all(const mote_loop *loop, double *x) {
  twin w = {.loop = loop, .x = x, .best = -1.0, .span = {{0, loop->length - 1}}};
  try_all(&w, 1, 0, HUGE_VAL);
  return w.best;
}

static double worst_of(const double *x, const uint32_t *triangle, size_t count) {
  double worst = HUGE_VAL, n[3];
  for (const uint32_t *v = triangle; v < triangle + 3 * count; v += 3)
    worst = min2(worst, tri_quality(x + 3 * (size_t)v[0], x + 3 * (size_t)v[1], x + 3 * (size_t)v[2], n));
  return worst;
}

// Anywhere on an edge, or close to its ends.
static double random_place(uint64_t seed, uint64_t edge) {
  double u = mote_random_between(seed, edge, 0, 0.001, 0.999), kind = mote_random_unit(seed, edge, 1);
  return seed % 2 == 0 || kind > 0.8 ? u : kind < 0.4 ? 0.001 + 0.05 * u : 0.999 - 0.05 * u;
}

// Fills a loop on its own and compares with all triangulations; then puts it to the others of its cube.
static size_t fill_loop(const mote_marching_table *table, const mote_cube_case *found, unsigned l,
                        uint64_t seed, double *x, uint32_t *triangle) {
  unsigned used = 0;
  for (unsigned before = 0; before < l; ++before) used += found->length[before];
  mote_loop loop = {.length = found->length[l]};
  double own[3 * CORNERS], *middle = x + 3 * (size_t)(CORNERS - 1);
  for (unsigned i = 0; i < loop.length; ++i) {
    unsigned e = found->edge[used + i], low = table->lower[e];
    loop.vertex[i] = i, loop.faces[i] = table->faces[e];
    for (unsigned k = 0; k < 3; ++k) own[3 * i + k] = low >> k & 1;
    own[3 * i + e / 4] += random_place(seed, e);
  }
  memcpy(x + 3 * (size_t)used, own, 3 * loop.length * sizeof *x);
  size_t count;
  if (found->centred >> l & 1) {
    for (unsigned k = 0; k < 3; ++k) {
      middle[k] = 0.0;
      for (unsigned i = 0; i < loop.length; ++i) middle[k] += own[3 * i + k] / loop.length;
    }
    for (unsigned i = 0; i < loop.length; ++i) loop.vertex[i] = used + i;
    return mote_loop_fan(&loop, CORNERS - 1, triangle);
  }
  count = mote_loop_fill(&loop, own, triangle);
  CHECK(count == loop.length - 2);
  double worst = worst_of(own, triangle, count);
  CHECK(worst > 0.0 && !cross_any(own, triangle, count));
  CHECK_NEAR(worst, best_of_all(&loop, own), 1e-15);
  for (size_t k = 0; k < 3 * count; ++k) triangle[k] += used;
  return count;
}

// Where all six faces are ambiguous, two faces that lie opposite are joined only if the product of the four
// inside values is larger than that of the outside ones, and apart only if it is not: no values give one pair
// that is joined and another that is apart.
static bool is_possible(const mote_marching_table *table, unsigned pattern, unsigned reading) {
  bool joined = false, apart = false;
  if (table->ambiguous[pattern] != 63) return true;
  for (unsigned a = 0; a < 3; ++a) {
    unsigned both = reading >> 2 * a & 3;
    joined = joined || both == 3, apart = apart || both == 0;
  }
  return !joined || !apart;
}

static void test_cubes(void) {
  static mote_marching_table table;
  mote_marching_table_fill(&table);
  unsigned possible = 0;
  for (unsigned pattern = 0; pattern < 256; ++pattern) {
    unsigned end = pattern == 255 ? MOTE_CUBE_CASES : table.first[pattern + 1];
    for (unsigned c = table.first[pattern]; c < end; ++c) {
      if (!is_possible(&table, pattern, c - table.first[pattern])) continue;
      ++possible;
      for (uint64_t seed = 0; seed < SEEDS; ++seed) {
        double x[3 * CORNERS];
        uint32_t triangle[3 * 4 * CORNERS];
        size_t count = 0;
        for (unsigned l = 0; l < table.cases[c].loops; ++l)
          count += fill_loop(&table, table.cases + c, l, SEEDS * c + seed, x, triangle + 3 * count);
        CHECK(count == table.cases[c].triangles);
        CHECK(!cross_any(x, triangle, count));
      }
    }
  }
  CHECK(possible == MOTE_CUBE_CASES - 36);
}

static void test_fan(void) {
  mote_loop loop = {.vertex = {5, 6, 7, 8}, .length = 4};
  uint32_t t[12];
  CHECK(mote_loop_fan(&loop, 9, t) == 4);
  CHECK(t[0] == 5 && t[1] == 6 && t[2] == 9 && t[9] == 8 && t[10] == 5 && t[11] == 9);
}

// 30, 60 and 90 degrees: the smallest has sine 1/2.
static void test_quality(void) {
  const double a[3] = {0, 0, 0}, b[3] = {1, 0, 0}, c[3] = {0, sqrt(3.0), 0}, d[3] = {2, 0, 0};
  double n[3];
  CHECK_NEAR(tri_quality(a, b, c, n), 0.25, 1e-15);
  CHECK_NEAR(n[2], sqrt(3.0), 1e-15);
  CHECK(tri_quality(a, b, d, n) == 0.0 && tri_quality(a, a, a, n) == 0.0);
}

int main(void) {
  test_cubes();
  test_fan();
  test_quality();
  return test_end();
}
