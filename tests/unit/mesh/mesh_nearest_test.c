// Nearest points of meshes: against all triangles, and the shares give the point.
#include <mote/mote.h>

#include "geom/tri_closest.h"
#include "test.h"

enum { VERTICES = 60, TRIANGLES = 200, POINTS = 400 };

static double random_at(uint64_t stream, uint64_t k) {
  return 2.0 * mote_random_uniform(3, stream, k) - 1.0;
}

static double square_to(const mote_mesh *mesh, uint32_t t, const double x[3]) {
  const uint32_t *v = mesh->triangle + 3 * (size_t)t;
  double p[3], off[3];
  tri_closest(mesh->vertex + 3 * (size_t)v[0], mesh->vertex + 3 * (size_t)v[1],
              mesh->vertex + 3 * (size_t)v[2], x, p);
  sub3(p, x, off);
  return dot3(off, off);
}

static void check_point(const mote_mesh *mesh, const double x[3], uint32_t found, const double share[3]) {
  double least = HUGE_VAL, p[3] = {0}, off[3];
  uint32_t best = 0;
  for (uint32_t t = 0; t < mesh->triangles; ++t) {
    double square = square_to(mesh, t, x);
    if (square < least) least = square, best = t;
  }
  CHECK(found == best);
  for (size_t k = 0; k < 3; ++k) {
    CHECK(share[k] >= 0.0 && share[k] <= 1.0);
    step3(p, share[k], mesh->vertex + 3 * (size_t)mesh->triangle[3 * (size_t)found + k], p);
  }
  sub3(p, x, off);
  CHECK_NEAR(dot3(off, off), least, 1e-12);
}

int main(void) {
  double vertex[3 * VERTICES], x[3 * POINTS], share[3 * POINTS];
  uint32_t triangle[3 * TRIANGLES], found[POINTS];
  mote_mesh mesh = {vertex, triangle, VERTICES, TRIANGLES};
  mote_error error;
  for (uint64_t k = 0; k < 3 * VERTICES; ++k) vertex[k] = random_at(0, k);
  for (uint64_t k = 0; k < 3 * TRIANGLES; ++k)
    triangle[k] = (uint32_t)(VERTICES * mote_random_uniform(3, 1, k));
  for (uint64_t k = 0; k < 3 * POINTS; ++k) x[k] = 1.5 * random_at(2, k);
  memcpy(x, vertex, 3 * sizeof *x);  // at a vertex of many triangles: the first of them
  for (int threads = 1; threads <= 2; ++threads) {
    mote_env env = mote_env_default();
    env.threads = threads;
    CHECK(mote_mesh_nearest(&mesh, x, POINTS, &env, found, share, &error) == MOTE_OK);
    for (size_t i = 0; i < POINTS; ++i) check_point(&mesh, x + 3 * i, found[i], share + 3 * i);
  }
  triangle[5] = VERTICES;
  CHECK(mote_mesh_nearest(&mesh, x, 1, NULL, found, share, &error) == MOTE_ERROR_ARGUMENT);
  mesh.triangles = 0;
  CHECK(mote_mesh_nearest(&mesh, x, 1, NULL, found, share, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_mesh_nearest(NULL, x, 1, NULL, found, share, &error) == MOTE_ERROR_ARGUMENT);
  return test_end();
}
