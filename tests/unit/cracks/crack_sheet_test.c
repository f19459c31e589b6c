// Sheets of cracks: queries against brute force over all triangles with independent formulas, the same bits
// whatever the grouping of additions, no leak between triangles, fronts of cracks that are there at first.
#include "cracks/crack_sheet.h"

#include <mote/mote.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/random.h"
#include "geom/triple.h"
#include "test.h"

static double random_at(uint64_t stream, uint64_t index) {
  return mote_random_between(27, stream, index, -1.0, 1.0);
}

static void random_point(int dimensions, uint64_t stream, uint64_t index, double x[3]) {
  for (uint64_t k = 0; k < 3; ++k) x[k] = random_at(stream, 3 * index + k);
  if (dimensions == 2) x[2] = 0.0;
}

static void random_triangle(int dimensions, uint64_t t, double corner[9]) {
  double centre[3];
  random_point(dimensions, 1, t, centre);
  for (uint64_t k = 0; k < 3; ++k) {
    double x[3];
    random_point(dimensions, 2, 3 * t + k, x);
    step3(centre, 0.3, x, corner + 3 * k);
  }
  if (dimensions == 2) copy3(corner + 3, corner + 6);
}

static mote_crack_sheets random_soup(int dimensions, size_t count, size_t group) {
  mote_env env = mote_env_resolve(NULL);
  mote_crack_sheets c = mote_crack_sheets_make(dimensions, &env);
  double corner[9 * 512];
  for (size_t t = 0; t < count;) {
    size_t n = 0;
    for (; n < group && t < count; ++n, ++t) random_triangle(dimensions, t, corner + 9 * n);
    CHECK(mote_crack_add_triangles(&c, 0, corner, n, NULL) == MOTE_OK);
  }
  return c;
}

// Cramer's rule for p + s (q - p) = a + u (b - a) + v (c - a).
static bool meets_by_cramer(int dimensions, const double *t, const double p[3], const double q[3],
                            double *s) {
  double d[3], u[3], v[3], r[3], n[3], m[3];
  sub3(q, p, d), sub3(t + 3, t, u), sub3(t + 6, t, v), sub3(p, t, r);
  if (dimensions == 2) set3(0.0, 0.0, 1.0, v);
  cross3(u, v, n);
  double below = -dot3(d, n);
  *s = dot3(r, n) / below;
  cross3(r, d, m);
  double a = dot3(v, m) / below, b = -dot3(u, m) / below;
  if (dimensions == 2) return *s >= 0.0 && *s <= 1.0 && a >= 0.0 && a <= 1.0;
  return *s >= 0.0 && *s <= 1.0 && a >= 0.0 && b >= 0.0 && a + b <= 1.0;
}

static void test_crossings(int dimensions) {
  mote_crack_sheets c = random_soup(dimensions, 300, 7);
  size_t seen = 0, wrong = 0;
  for (uint64_t k = 0; k < 2000; ++k) {
    double p[3], q[3], at, back;
    random_point(dimensions, 3, k, p), random_point(dimensions, 4, k, q);
    step3(p, 0.4, q, q);
    mote_crack_crossing some[64];
    size_t count = mote_crack_crossings(&c, p, q, 64, some), brute = 0;
    double first = 2.0;
    for (size_t t = 0; t < c.triangles; ++t) {
      double s;
      if (!meets_by_cramer(dimensions, c.corner + 9 * t, p, q, &s)) continue;
      wrong += brute >= count || some[brute].triangle != t || fabs(some[brute].at - s) > 1e-9;
      ++brute, first = min2(first, s);
    }
    wrong += brute != count || mote_crack_cuts(&c, p, q, &at) != (brute > 0);
    wrong += mote_crack_cuts(&c, q, p, &back) != (brute > 0);
    if (brute == 1) wrong += fabs(at + back - 1.0) > 1e-12;
    if (brute > 0) wrong += fabs(at - first) > 1e-9;
    seen += brute;
    mote_crack_crossing few[2];
    wrong += mote_crack_crossings(&c, p, q, 2, few) != count;
    for (size_t m = 0; m < 2 && m < count; ++m) wrong += few[m].triangle != some[m].triangle;
  }
  CHECK(wrong == 0);
  CHECK(seen > 500);
  mote_crack_sheets_destroy(&c);
}

// One hundred sheets across x = 100, 99, ... 1, in this order: the segment from x = 0 meets the last one
// first.
static void test_many_crossings(void) {
  mote_env env = mote_env_resolve(NULL);
  mote_crack_sheets c = mote_crack_sheets_make(2, &env);
  double p[3] = {0.0, 0.0, 0.0}, q[3] = {128.0, 0.0, 0.0}, at = 0.0;
  for (uint32_t k = 0; k < 100; ++k) {
    double x = 100.0 - k, corner[9] = {x, -1.0, 0.0, x, 1.0, 0.0};
    CHECK(mote_crack_add_triangles(&c, k, corner, 1, NULL) == MOTE_OK);
  }
  CHECK(mote_crack_cuts(&c, p, q, &at) && at * 128.0 == 1.0);
  CHECK(mote_crack_cuts(&c, q, p, &at) && at * 128.0 == 28.0);
  mote_crack_sheets_destroy(&c);
}

// The nearest of many points of a triangle is hardly nearer than the one found.
static void test_nearest(int dimensions) {
  mote_crack_sheets c = random_soup(dimensions, 300, 5);
  size_t wrong = 0;
  for (uint64_t k = 0; k < 300; ++k) {
    double x[3], point[3], best = HUGE_VAL;
    random_point(dimensions, 5, k, x);
    uint32_t triangle;
    double distance = mote_crack_nearest(&c, x, HUGE_VAL, point, &triangle);
    wrong += fabs(distance3(x, point) - distance) > 1e-12;
    for (size_t t = 0; t < c.triangles; ++t) {
      const double *a = c.corner + 9 * t;
      for (int i = 0; i <= 20; ++i) {
        for (int j = 0; j <= (dimensions == 2 ? 0 : 20 - i); ++j) {
          double y[3];
          for (int m = 0; m < 3; ++m)
            y[m] = a[m] + i / 20.0 * (a[3 + m] - a[m]) + j / 20.0 * (a[6 + m] - a[m]);
          best = min2(distance3(x, y), best);
        }
      }
    }
    wrong += distance > best + 1e-12 || distance < best - 0.02;
    wrong += mote_crack_nearest(&c, x, distance, NULL, NULL) != HUGE_VAL;
    wrong += mote_crack_nearest(&c, x, 1.0001 * distance, NULL, NULL) != distance;
  }
  CHECK(wrong == 0);
  mote_crack_sheets_destroy(&c);
}

static void test_grouping(int dimensions) {
  mote_crack_sheets a = random_soup(dimensions, 400, 1), b = random_soup(dimensions, 400, 400);
  CHECK(a.trees > 1 && b.trees == 1);
  size_t wrong = 0;
  for (uint64_t k = 0; k < 1000; ++k) {
    double p[3], q[3], x = 0.0, y = 0.0;
    random_point(dimensions, 6, k, p), random_point(dimensions, 7, k, q);
    wrong += mote_crack_cuts(&a, p, q, &x) != mote_crack_cuts(&b, p, q, &y) || x != y;
    uint32_t s, t;
    double u[3], v[3];
    wrong += mote_crack_nearest(&a, p, 9.0, u, &s) != mote_crack_nearest(&b, p, 9.0, v, &t) || s != t;
    wrong += memcmp(u, v, sizeof u) != 0;
  }
  CHECK(wrong == 0);
  mote_crack_sheets_destroy(&a), mote_crack_sheets_destroy(&b);
}

// Segments through edges and vertices of a flat mesh, in 2D through the joints of a polyline.
static void test_no_leak(void) {
  mote_env env = mote_env_resolve(NULL);
  mote_crack_sheets c = mote_crack_sheets_make(3, &env), line = mote_crack_sheets_make(2, &env);
  double z[] = {0.1, 0.3, -0.2, 0.15};
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < 8; ++j) {
      double p[4][3];
      for (int k = 0; k < 4; ++k) {
        int x = i + k / 2, y = j + (k == 1 || k == 2);
        set3(0.37 * x, 0.11 * x + 0.53 * y, z[(x + y) % 4], p[k]);
      }
      double corner[18];
      copy3(p[0], corner), copy3(p[2], corner + 3), copy3(p[1], corner + 6);
      copy3(p[0], corner + 9), copy3(p[3], corner + 12), copy3(p[2], corner + 15);
      CHECK(mote_crack_add_triangles(&c, 0, corner, 2, NULL) == MOTE_OK);
    }
  }
  size_t leaks = 0;
  for (uint64_t k = 0; k < 2000; ++k) {  // towards points of edges
    int i = 1 + (int)(k % 6), j = 1 + (int)(k / 6 % 6), to = (int)(k % 3);
    double s = k % 5 == 0 ? 0.0 : 0.5 + 0.5 * random_at(8, k);
    double x = i + s * (to != 1), y = j + s * (to != 0), p[3], q[3];
    set3(0.37 * x, 0.11 * x + 0.53 * y, 0.0, p);
    double lean = 0.02 * random_at(9, k);
    set3(p[0] + lean, p[1] - lean, 2.0, q);
    set3(p[0] - lean, p[1] + lean, -2.0, p);
    leaks += !mote_crack_cuts(&c, p, q, NULL);
  }
  CHECK(leaks == 0);
  for (int k = 0; k < 20; ++k) {
    double corner[9] = {0.1 * k, 0.05 * (k % 3), 0, 0.1 * (k + 1), 0.05 * ((k + 1) % 3), 0};
    CHECK(mote_crack_add_triangles(&line, 0, corner, 1, NULL) == MOTE_OK);
  }
  for (int k = 1; k < 20; ++k) {
    double p[3] = {0.1 * k, 0.05 * (k % 3) + 0.5, 0}, q[3] = {0.1 * k, 0.05 * (k % 3) - 0.5, 0};
    leaks += !mote_crack_cuts(&line, p, q, NULL);
  }
  CHECK(leaks == 0);
  double above[3] = {0.15, 1, 0}, below[3] = {0.15, -1, 0};
  CHECK(mote_crack_cuts(&line, above, below, NULL));
  mote_crack_sheets_destroy(&c), mote_crack_sheets_destroy(&line);
}

static void test_disc(void) {
  mote_env env = mote_env_resolve(NULL);
  mote_crack_sheets c = mote_crack_sheets_make(3, &env);
  double centre[3] = {1, 2, 3}, normal[3] = {0, 0, 2}, in[3] = {1.5, 2, 3}, out[3] = {1, 4.5, 3};
  CHECK(mote_crack_add_disc(&c, centre, normal, 2.0, 0.1, NULL) == MOTE_OK);
  CHECK(c.sheets == 1 && c.fronts == 1 && c.front[0].closed == 1 && c.nodes >= 126);
  CHECK_NEAR(mote_crack_front_distance(&c, 0, in, NULL), 1.5, 2e-3);
  CHECK_NEAR(mote_crack_front_distance(&c, 0, out, NULL), 0.5, 2e-3);
  for (size_t k = 0; k < c.nodes; ++k) {
    const mote_crack_node *n = c.node + k;
    double r[3], t[3], side[3];
    sub3(n->position, centre, r);
    CHECK_NEAR(dot3(r, n->ahead), 2.0, 1e-12);
    sub3(c.node[(k + 1) % c.nodes].position, n->position, t);
    cross3(t, n->normal, side);
    CHECK(dot3(side, n->ahead) > 0.0);  // counter-clockwise from the positive side
  }
  double up[3] = {1.3, 2.2, 3.1}, down[3] = {1.3, 2.2, 2.9};
  CHECK(mote_crack_cuts(&c, up, down, NULL));
  double n[3];
  mote_crack_normal(&c, 3, n);
  CHECK_NEAR(n[2], 1.0, 1e-15);
  for (size_t k = 0; k < c.nodes; ++k) c.node[k].live = 0;
  CHECK(mote_crack_front_distance(&c, 0, in, NULL) == HUGE_VAL);
  mote_crack_sheets_destroy(&c);
}

static void test_others(void) {
  mote_env env = mote_env_resolve(NULL);
  mote_crack_sheets c = mote_crack_sheets_make(2, &env), d = mote_crack_sheets_make(3, &env);
  double tip[3] = {0}, ahead[3] = {1, 0, 0}, normal[3] = {0, 1, 0}, x[3] = {0.3, 0.4, 0};
  CHECK(mote_crack_add_half_plane(&c, tip, ahead, normal, 5.0, 0.5, NULL) == MOTE_OK);
  CHECK(c.triangles == 1 && c.nodes == 1 && c.node[0].normal[1] == 1.0 && c.node[0].ahead[0] == 1.0);
  CHECK_NEAR(mote_crack_front_distance(&c, 0, x, NULL), 0.5, 1e-15);
  CHECK(mote_crack_add_disc(&c, tip, ahead, 2.0, 0.5, NULL) == MOTE_OK);
  CHECK(c.sheets == 2 && c.fronts == 3 && c.nodes == 3);
  CHECK_NEAR(c.node[1].position[1] * c.node[2].position[1], -4.0, 1e-12);
  CHECK_NEAR(c.node[1].normal[0], 1.0, 1e-15);
  CHECK_NEAR(c.node[2].normal[0], 1.0, 1e-15);
  CHECK(mote_crack_add_half_plane(&d, tip, ahead, normal, 5.0, 0.5, NULL) == MOTE_OK);
  CHECK(d.nodes == 21 && !d.front[0].closed);
  double n[3], p[3] = {-1, 1, 2}, q[3] = {-1.2, -1, 2.1}, r[3] = {0.5, -1, 2};
  for (size_t t = 0; t < d.triangles; ++t) {
    mote_crack_normal(&d, t, n);
    CHECK_NEAR(n[1], 1.0, 1e-12);
  }
  CHECK(mote_crack_cuts(&d, p, q, NULL));
  set3(0.5, 1, 2, p);
  CHECK(!mote_crack_cuts(&d, p, r, NULL));
  double square[12] = {0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1};
  CHECK(mote_crack_add_polygon(&d, square, 4, 0.3, NULL) == MOTE_OK);
  CHECK(d.sheets == 2 && d.front[1].count == 16 && d.front[1].closed);
  CHECK(d.node[d.front[1].first + 2].ahead[1] == -1.0);
  double flat[9] = {0, 0, 0, 1, 1, 1, 2, 2, 2}, zero[3] = {0};
  mote_error error;
  CHECK(mote_crack_add_polygon(&d, flat, 3, 0.3, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_crack_add_disc(&d, tip, zero, 1.0, 0.3, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_crack_add_half_plane(&d, tip, normal, normal, 1.0, 0.3, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(d.sheets == 2);
  mote_crack_sheets_destroy(&c), mote_crack_sheets_destroy(&d);
}

int main(void) {
  test_many_crossings();
  for (int dimensions = 2; dimensions <= 3; ++dimensions) {
    test_crossings(dimensions);
    test_nearest(dimensions);
    test_grouping(dimensions);
  }
  test_no_leak();
  test_disc();
  test_others();
  return test_end();
}
