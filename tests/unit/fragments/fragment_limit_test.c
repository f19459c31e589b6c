// Triangles that are drawn out are shortened, those beside them hardly move, and others not at all.
#include "fragments/fragment_limit.h"

#include <math.h>
#include <mote/mote.h>

#include "geom/triple.h"
#include "test.h"

enum { SIDE = 12 };

static double rest[3 * SIDE * SIDE], now[3 * SIDE * SIDE];
static uint32_t triangle[6 * (SIDE - 1) * (SIDE - 1)];

// A square of triangles of size 1; the corners of one of them lie within 0.001.
static mote_mesh make_square(void) {
  mote_mesh mesh = {.vertex = rest, .triangle = triangle, .vertices = SIDE * SIDE};
  for (uint32_t k = 0; k < SIDE * SIDE; ++k) {
    set3(k % SIDE, k / SIDE, 0.0, rest + 3 * k);
    if (k % SIDE == SIDE - 1 || k / SIDE == SIDE - 1) continue;
    const uint32_t two[6] = {k, k + 1, k + SIDE, k + 1, k + SIDE + 1, k + SIDE};
    memcpy(triangle + 3 * mesh.triangles, two, sizeof two);
    mesh.triangles += 2;
  }
  uint32_t tiny = 5 + 5 * SIDE;
  set3(5.001, 5.0, 0.0, rest + 3 * (tiny + 1)), set3(5.0, 5.001, 0.0, rest + 3 * (tiny + SIDE));
  memcpy(now, rest, sizeof rest);
  return mesh;
}

static double stretch_of(const mote_mesh *mesh, size_t t) {
  double before = 0.0, after = 0.0;
  for (int k = 0; k < 3; ++k) {
    size_t a = mesh->triangle[3 * t + (size_t)k], b = mesh->triangle[3 * t + (size_t)(k + 1) % 3];
    before = fmax(before, distance3(rest + 3 * a, rest + 3 * b));
    after = fmax(after, distance3(now + 3 * a, now + 3 * b));
  }
  return after / before;
}

static void check_limit(const mote_mesh *mesh) {
  mote_env env = mote_env_default();
  size_t left = 1;
  CHECK(mote_fragment_limit(mesh, 2.9, &env, now, &left, NULL) == MOTE_OK);
  CHECK(left == 0);
  for (size_t t = 0; t < mesh->triangles; ++t) CHECK(stretch_of(mesh, t) <= 2.9);
}

// A crack has moved a part of the square away: by 0.3 across the tiny triangle, by 5 for the rest of it.
static void test_torn(double by) {
  mote_mesh mesh = make_square();
  for (uint32_t k = 0; k < SIDE * SIDE; ++k)
    if (k % SIDE > 5) now[3 * k + 2] += by;
  CHECK(stretch_of(&mesh, 2 * (5 + 5 * (SIDE - 1))) > 100.0);
  check_limit(&mesh);
  CHECK(distance3(now, rest) == 0.0);
}

static void test_nothing(void) {
  mote_mesh mesh = make_square();
  for (size_t k = 0; k < 3 * mesh.vertices; ++k) now[k] = 2.0 * rest[k];
  double before[3 * SIDE * SIDE];
  memcpy(before, now, sizeof now);
  check_limit(&mesh);
  CHECK(memcmp(before, now, sizeof now) == 0);
}

int main(void) {
  test_torn(0.3);
  test_torn(5.0);
  test_nothing();
  return test_end();
}
