// Crossing triangles: cases by hand, and random pairs against a search for common points.
#include "geom/tri_cross.h"

#include <math.h>
#include <mote/mote.h>

#include "base/random.h"
#include "geom/tri_closest.h"
#include "shape_kit.h"
#include "test.h"

static bool cross(const double *vertices, size_t count, uint32_t a, uint32_t b, uint32_t c, uint32_t d,
                  uint32_t e, uint32_t f) {
  double copy[18];
  uint32_t triangle[6] = {a, b, c, d, e, f};
  memcpy(copy, vertices, count * 24);
  mote_mesh mesh = {.vertex = copy, .triangle = triangle, .vertices = count, .triangles = 2};
  bool there = mote_triangles_cross(&mesh, 0, 1), back = mote_triangles_cross(&mesh, 1, 0);
  CHECK(there == back);
  return there;
}

static void test_by_hand(void) {
  const double v[18] = {0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, -1, 1, 1, 1, 2, 2, 5};
  CHECK(cross(v, 6, 0, 1, 2, 3, 4, 5));  // pierced
  const double above[18] = {0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, 0.1, 1, 1, 1, 2, 2, 5};
  CHECK(!cross(above, 6, 0, 1, 2, 3, 4, 5));
  const double flat[18] = {0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, 0, 5, 5, 0, 1, 5, 0};
  CHECK(cross(flat, 6, 0, 1, 2, 3, 4, 5));  // overlap in a plane
  const double beside[18] = {0, 0, 0, 4, 0, 0, 0, 4, 0, 4, 4, 0, 5, 5, 0, 4, 5, 0};
  CHECK(!cross(beside, 6, 0, 1, 2, 3, 4, 5));
  const double inner[18] = {0, 0, 0, 4, 0, 0, 0, 4, 0, 0.5, 0.5, 0, 1, 0.5, 0, 0.5, 1, 0};
  CHECK(cross(inner, 6, 0, 1, 2, 3, 4, 5));  // one within the other
  CHECK(cross(flat, 6, 0, 1, 2, 0, 2, 1));   // the same twice
}

static void test_common_vertices(void) {
  // An edge in common: a fold is none, lying on each other is.
  const double fold[12] = {0, 0, 0, 1, 0, 0, 0.5, 1, 0, 0.5, 0.5, 1};
  CHECK(!cross(fold, 4, 0, 1, 2, 1, 0, 3));
  const double plane[12] = {0, 0, 0, 1, 0, 0, 0.5, 1, 0, 0.5, -1, 0};
  CHECK(!cross(plane, 4, 0, 1, 2, 1, 0, 3));
  const double back[12] = {0, 0, 0, 1, 0, 0, 0.5, 1, 0, 0.4, 2, 0};
  CHECK(cross(back, 4, 0, 1, 2, 1, 0, 3));
  // A vertex in common: touching is none, passing through is, lying on each other is.
  const double touch[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, -1, 0, 1, 0, -1, 1};
  CHECK(!cross(touch, 5, 0, 1, 2, 0, 3, 4));
  const double through[15] = {0, 0, 0, 2, 0, 0, 0, 2, 0, 1, 1, 1, 0.2, 0.2, -1};
  CHECK(cross(through, 5, 0, 1, 2, 0, 3, 4));
  const double over[15] = {0, 0, 0, 2, 0, 0, 0, 2, 0, 1, 0.1, 0, 0.1, 1, 0};
  CHECK(cross(over, 5, 0, 1, 2, 0, 3, 4));
  const double fan[15] = {0, 0, 0, 2, 0, 0, 0, 2, 0, -2, 0, 0, 0, -2, 0};
  CHECK(!cross(fan, 5, 0, 1, 2, 0, 3, 4));
}

// Both sides of a closed crack have corners of their own at the same points.
static void test_sides(void) {
  const double v[18] = {0, 0, 0, 1, 0, 0, 0.2, 1, 0.3, 1, 0, 0, 0, 0, 0, 0.2, 1, 0.3};
  CHECK(!cross(v, 6, 0, 1, 2, 3, 4, 5));  // they face each other
  CHECK(!cross(v, 6, 0, 1, 2, 5, 3, 4));
  CHECK(cross(v, 6, 0, 1, 2, 4, 3, 5));  // the same side twice
  const double beside[18] = {0, 0, 0, 1, 0, 0, 0.2, 1, 0.3, 1, 0, 0, 0, 0, 0, 0.4, 1, 0.5};
  CHECK(!cross(beside, 6, 0, 1, 2, 3, 4, 5));  // a common side in two planes
  const double over[18] = {0, 0, 0, 1, 0, 0, 0.2, 1, 0, 1, 0, 0, 0, 0, 0, 0.4, 1, 0};
  CHECK(!cross(over, 6, 0, 1, 2, 3, 4, 5));  // in one plane: with the other diagonal
  CHECK(cross(over, 6, 0, 1, 2, 4, 3, 5));   // the same side
  CHECK(cross(over, 6, 0, 1, 2, 1, 0, 5));   // common vertices
}

// Corners of a hexagon in a plane, up to rounding: its ears lie side by side.
static void check_hexagon(const double x[18]) {
  CHECK(!cross(x, 6, 0, 1, 5, 1, 2, 3));
  CHECK(!cross(x, 6, 1, 2, 3, 3, 4, 5));
  CHECK(!cross(x, 6, 3, 4, 5, 5, 0, 1));
}

static void test_hexagons(void) {
  // A cube of a jet's surface, whose ears counted as crossing.
  const double jet[18] = {1.705033431338866,
                          1.21,
                          0.41999999999999998,
                          1.7,
                          1.21,
                          0.42815240883356304,
                          1.7,
                          1.2081859887032387,
                          0.42999999999999999,
                          1.7051477237031822,
                          1.2,
                          0.42999999999999999,
                          1.71,
                          1.2,
                          0.42214099935373767,
                          1.71,
                          1.2021020868061025,
                          0.41999999999999998};
  check_hexagon(jet);
  // Cubes of side 0.01 far from the origin, cut by planes across their diagonals.
  for (uint64_t n = 0; n < 3000; ++n) {
    double a[3], c = 0.01, x[18] = {0}, low[3];
    for (int k = 0; k < 3; ++k)
      low[k] = 0.01 * floor(mote_random_between(n, 1, (uint64_t)k, -500, 500)),
      a[k] = mote_random_between(n, 2, (uint64_t)k, 0.9, 1.1);
    // a . y = 1.5 on the six edges that meet neither (0, 0, 0) nor (1, 1, 1), one after the other.
    static const int axes[6][2] = {{0, 2}, {2, 0}, {2, 1}, {1, 2}, {1, 0}, {0, 1}};
    for (int i = 0; i < 6; ++i) {
      int one = axes[i][0], free = axes[i][1];
      for (int k = 0; k < 3; ++k) {
        double y = k == one ? 1 : k == free ? (1.5 - a[one]) / a[free] : 0;
        x[3 * i + k] = low[k] + y * c;
      }
    }
    check_hexagon(x);
  }
}

static double height_over(double t[3][3], const double x[3]) {
  double u[3], w[3], n[3], ax[3];
  for (int k = 0; k < 3; ++k) u[k] = t[1][k] - t[0][k], w[k] = t[2][k] - t[0][k], ax[k] = x[k] - t[0][k];
  n[0] = u[1] * w[2] - u[2] * w[1], n[1] = u[2] * w[0] - u[0] * w[2], n[2] = u[0] * w[1] - u[1] * w[0];
  return n[0] * ax[0] + n[1] * ax[1] + n[2] * ax[2];
}

// Planes that nearly are one: crossings at an angle are found, also those that begin at the border.
static void test_flat_angles(void) {
  for (double angle = 1e-2; angle > 1e-9; angle *= 0.1) {
    const double v[18] = {0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 0.5, -angle, 1, 2, angle, 2, 1, 0.5 * angle};
    CHECK(cross(v, 6, 0, 1, 2, 3, 4, 5));
    const double border[18] = {0, 0, 0, 4, 0, 0, 0, 4, 0, 1, -1, -angle, 1, 1, angle, 2, 3, angle};
    CHECK(cross(border, 6, 0, 1, 2, 3, 4, 5));
  }
}

// The segment of s in the plane of t, cut at many points: is one of them in t?
static bool common_point(double s[3][3], double t[3][3]) {
  double end[2][3];
  int ends = 0;
  for (int k = 0; k < 3 && ends < 2; ++k) {
    double a = height_over(t, s[k]), b = height_over(t, s[(k + 1) % 3]);
    if (a * b >= 0.0) continue;
    for (int m = 0; m < 3; ++m) end[ends][m] = s[k][m] + a / (a - b) * (s[(k + 1) % 3][m] - s[k][m]);
    ++ends;
  }
  for (int k = 0; k <= 2000 && ends == 2; ++k) {
    double x[3], p[3];
    for (int m = 0; m < 3; ++m) x[m] = end[0][m] + k / 2000.0 * (end[1][m] - end[0][m]);
    tri_closest(t[0], t[1], t[2], x, p);
    if (kit_distance(x, p) < 1e-9) return true;
  }
  return false;
}

static void test_random(void) {
  int crossing = 0, differ = 0;
  for (uint64_t i = 0; i < 2000; ++i) {
    double v[18], s[3][3], t[3][3];
    for (uint64_t k = 0; k < 6; ++k) kit_point(5, 6 * i + k, -1.0, 1.0, v + 3 * k);
    memcpy(s, v, sizeof s), memcpy(t, v + 9, sizeof t);
    bool found = cross(v, 6, 0, 1, 2, 3, 4, 5), searched = common_point(s, t);
    crossing += found;
    differ += found != searched;  // contacts shorter than a two-thousandth are not found by the search
  }
  CHECK(crossing > 200);
  CHECK(differ <= 4);
}

// A corner of either triangle: of a coarse grid, of one tilted plane to rounding, or anywhere; the second
// triangle is up to 1e9 times smaller; a third of all are flat.
static void hard_corner(uint64_t i, uint64_t k, double out[3]) {
  double x[3], scale = k < 3 ? 1.0 : pow(10.0, -floor(mote_random_between(i, 40, 0, 0.0, 10.0)));
  kit_point(i, 6 + k, -1.0, 1.0, x);
  if (i % 3 == 1) x[2] = 0.0;
  if (i / 3 % 3 == 1 && k % 3 == 2) {
    double a[3], b[3], part = floor(mote_random_between(i, 41, k, -1.0, 3.0)) / 3.0;
    hard_corner(i, k - 1, a), hard_corner(i, k - 2, b);
    for (int m = 0; m < 3; ++m) out[m] = a[m] + part * (b[m] - a[m]);
    return;
  }
  for (int m = 0; m < 3; ++m) x[m] *= scale;
  if (i % 3 == 0) {
    for (int m = 0; m < 3; ++m) out[m] = floor(2.0 * x[m] / scale);
    out[i % 5 % 3] += i % 2 == 0 ? 0.0 : 1e-16 * x[0];
    return;
  }
  out[0] = 0.3 + 0.6 * x[0] - 0.8 * x[2], out[1] = 0.7 * x[1], out[2] = 0.1 + 0.8 * x[0] + 0.6 * x[2];
}

// Either both cross each other or neither does the other.
static void test_both_ways(void) {
  int crossing = 0, count = TEST_SHORT ? 20000 : 200000;
  for (uint64_t i = 0; i < (uint64_t)count; ++i) {
    double v[18];
    for (uint64_t k = 0; k < 6; ++k) hard_corner(i, k, v + 3 * k);
    crossing += cross(v, 6, 0, 1, 2, 3, 4, 5);
    crossing += cross(v, 6, 0, 1, 2, 2, 4, 5);
    crossing += cross(v, 6, 0, 1, 2, 1, 0, 5);
  }
  CHECK(crossing > count / 50 && crossing < count);
}

// Triangles of a tilted plane, whose corners lie in it to rounding only, do not cross.
static void test_plane(void) {
  enum { SIDE = 40 };
  static double vertex[3 * SIDE * SIDE];
  static uint32_t triangle[6 * (SIDE - 1) * (SIDE - 1)];
  mote_mesh mesh = {.vertex = vertex, .triangle = triangle, .vertices = SIDE * SIDE};
  mote_env env = mote_env_default();
  mote_crossings found;
  for (uint32_t k = 0; k < SIDE * SIDE; ++k) {
    double x = 0.1 * (k % SIDE) + 0.02 * sin(k), y = 0.1 * (double)(k / SIDE) + 0.02 * cos(3.0 * k);
    double *v = vertex + 3 * k;
    v[0] = 0.3 + x, v[1] = 0.7 * x + 0.3 * y, v[2] = 1.1 - 0.6 * x + 0.9 * y;
    if (k % SIDE == SIDE - 1 || k / SIDE == SIDE - 1) continue;
    const uint32_t two[6] = {k, k + 1, k + SIDE, k + 1, k + SIDE + 1, k + SIDE};
    memcpy(triangle + 3 * mesh.triangles, two, sizeof two);
    mesh.triangles += 2;
  }
  CHECK(mote_mesh_crossings(&mesh, &env, &found, NULL) == MOTE_OK);
  CHECK(found.count == 0);
}

// Marks against a test of all pairs of which one has moved.
static void test_marks(void) {
  enum { TRIANGLES = 200 };
  double vertex[9 * TRIANGLES];
  uint32_t triangle[3 * TRIANGLES], group[TRIANGLES];
  uint8_t moved[TRIANGLES], crosses[TRIANGLES];
  mote_env env = mote_env_default();
  mote_mesh mesh = {
      .vertex = vertex, .triangle = triangle, .vertices = 3 * TRIANGLES, .triangles = TRIANGLES};
  bool any = false;
  for (uint32_t k = 0; k < 9 * TRIANGLES; ++k)
    vertex[k] = mote_random_unit(3, k % 3, k / 9) + mote_random_between(3, 3, k, -0.2, 0.2);
  for (uint32_t k = 0; k < 3 * TRIANGLES; ++k) triangle[k] = k;
  for (uint32_t t = 0; t < TRIANGLES; ++t) group[t] = t % 2, moved[t] = t % 5 == 0;
  CHECK(mote_mesh_mark_crossings(&mesh, group, moved, &env, crosses, &any, NULL) == MOTE_OK);
  size_t marked = 0;
  for (size_t t = 0; t < TRIANGLES; ++t) {
    bool expected = false;
    for (size_t s = 0; s < TRIANGLES; ++s)
      expected |=
          s != t && group[s] == group[t] && (moved[s] || moved[t]) && mote_triangles_cross(&mesh, s, t);
    CHECK(crosses[t] == expected);
    marked += expected;
  }
  CHECK(any && marked > 20 && marked < 180);
  memset(moved, 0, sizeof moved);
  CHECK(mote_mesh_mark_crossings(&mesh, group, moved, &env, crosses, &any, NULL) == MOTE_OK && !any);
}

int main(void) {
  test_plane();
  test_by_hand();
  test_common_vertices();
  test_sides();
  test_hexagons();
  test_flat_angles();
  test_random();
  test_both_ways();
  test_marks();
  return test_end();
}
