// Triangles in loops: as many as they must be, no diagonal in a face, the best of all triangulations.
#include "mesh/loop_fill.h"

#include "base/random.h"
#include "mesh/tri_quality.h"
#include "test.h"

// The best worst quality of any triangulation of i .. j, by trying all.
static double best(const mote_loop *loop, const double *x, unsigned i, unsigned j) {
  if (j - i < 2) return HUGE_VAL;
  if (j - i < loop->length - 1 && (loop->faces[i] & loop->faces[j])) return -1.0;
  double found = -1.0, n[3];
  for (unsigned k = i + 1; k < j; ++k) {
    double q = tri_quality(x + 3 * (size_t)i, x + 3 * (size_t)k, x + 3 * (size_t)j, n);
    found = max2(found, min2(q, min2(best(loop, x, i, k), best(loop, x, k, j))));
  }
  return found;
}

static void test_best(void) {
  mote_marching_table table;
  mote_marching_table_fill(&table);
  for (unsigned c = 0; c < MOTE_CUBE_CASES; ++c) {
    const mote_cube_case *found = table.cases + c;
    for (unsigned l = 0, used = 0; l < found->loops; used += found->length[l++]) {
      if (found->centred >> l & 1) continue;
      mote_loop loop = {.length = found->length[l]};
      double x[36], n[3], worst = HUGE_VAL;
      for (unsigned i = 0; i < loop.length; ++i) {
        unsigned e = found->edge[used + i], low = table.lower[e];
        loop.vertex[i] = i, loop.faces[i] = table.faces[e];
        for (unsigned k = 0; k < 3; ++k) x[3 * i + k] = low >> k & 1;
        x[3 * i + e / 4] += mote_random_between(c, l, i, 0.001, 0.999);
      }
      uint32_t t[36];
      CHECK(mote_loop_fill(&loop, x, t) == loop.length - 2);
      for (unsigned k = 0; k + 2 < loop.length; ++k) {
        const uint32_t *v = t + 3 * (size_t)k;
        worst = min2(worst, tri_quality(x + 3 * v[0], x + 3 * v[1], x + 3 * v[2], n));
      }
      CHECK_NEAR(worst, best(&loop, x, 0, loop.length - 1), 1e-15);
      CHECK(worst > 0.0);
    }
  }
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
  test_best();
  test_fan();
  test_quality();
  return test_end();
}
