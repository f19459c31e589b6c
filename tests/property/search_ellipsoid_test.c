// Ellipsoid queries equal brute force over random sets: sizes over many orders of magnitude, one giant, 1D to
// 3D.
#include <math.h>
#include <mote/mote.h>
#include <stdlib.h>

#include "base/random.h"
#include "test.h"

#define MOST 300

typedef struct set {
  int dimensions;
  size_t count;
  double centre[3 * MOST], G[6 * MOST];
} set;

static double draw(uint64_t seed, uint64_t stream, size_t i, double low, double high) {
  return mote_random_between(seed, stream, i, low, high);
}

// G = A A^T + small multiple of I, scaled: positive definite with any axes.
static void draw_matrix(uint64_t seed, size_t i, double size, double *G) {
  double a[3][3], m[3][3];
  for (int k = 0; k < 9; ++k) a[k / 3][k % 3] = draw(seed, 10 + (uint64_t)k, i, -1, 1);
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) {
      m[r][c] = (a[r][0] * a[c][0] + a[r][1] * a[c][1] + a[r][2] * a[c][2] + (r == c ? 0.1 : 0)) / size;
    }
  }
  double upper[6] = {m[0][0], m[0][1], m[0][2], m[1][1], m[1][2], m[2][2]};
  memcpy(G, upper, sizeof upper);
}

static void draw_set(set *s, uint64_t seed) {
  s->dimensions = 1 + (int)(seed % 3);
  s->count = seed % 7 == 0 ? seed / 7 % 3 : MOST;
  for (size_t i = 0; i < s->count; ++i) {
    double offset = seed % 5 == 0 ? 1e6 : 0;
    for (int a = 0; a < 3; ++a) s->centre[3 * i + a] = offset + draw(seed, (uint64_t)a, i, -1, 1);
    double size = seed % 2 == 0 ? 0.2 : pow(10, draw(seed, 3, i, -4, 0));
    draw_matrix(seed, i, i == 0 ? 1e3 : size, s->G + 6 * i);
  }
}

static bool inside(const set *s, size_t i, const double x[3]) {
  const double *G = s->G + 6 * i;
  double d[3] = {0, 0, 0}, m[9] = {G[0], G[1], G[2], G[1], G[3], G[4], G[2], G[4], G[5]}, sum = 0;
  for (int a = 0; a < s->dimensions; ++a) d[a] = x[a] - s->centre[3 * i + a];
  for (int a = 0; a < s->dimensions; ++a) {
    double y = m[3 * a] * d[0] + m[3 * a + 1] * d[1] + m[3 * a + 2] * d[2];
    sum += y * y;
  }
  return sum <= 1.0;
}

static void check_query(const set *s, const mote_ellipsoid_grid *grid, const double x[3]) {
  uint32_t index[MOST];
  size_t found = mote_ellipsoid_grid_query(grid, x, index, MOST), expected = 0;
  for (size_t i = 0; i < s->count; ++i) {
    if (!inside(s, i, x)) continue;
    CHECK(expected < found && index[expected] == i);
    ++expected;
  }
  CHECK(found == expected);
}

int main(void) {
  static set s;
  for (uint64_t seed = 0; seed < 210; ++seed) {
    draw_set(&s, seed);
    mote_ellipsoid_grid *grid = NULL;
    mote_error error;
    if (!CHECK(mote_ellipsoid_grid_create(s.dimensions, s.centre, s.G, s.count, NULL, &grid, &error) ==
               MOTE_OK)) {
      fprintf(stderr, "%s\n", error.text);
      continue;
    }
    for (size_t q = 0; q < 60; ++q) {
      double x[3];
      for (int a = 0; a < 3; ++a)
        x[a] = draw(seed, 30 + (uint64_t)a, q, -1.1, 1.1) + (seed % 5 == 0 ? 1e6 : 0);
      check_query(&s, grid, q % 4 == 0 && s.count > 0 ? s.centre + 3 * (q % s.count) : x);
    }
    mote_ellipsoid_grid_destroy(grid);
  }
  return test_end();
}
