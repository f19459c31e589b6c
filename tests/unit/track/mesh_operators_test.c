// Operators of a mesh: symmetric, exact for what they must be, W x is the gradient of the area, solves solve.
#include "track/mesh_operators.h"

#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "geom/triple.h"
#include "mesh_kit.h"
#include "test.h"

static double area_of(const mote_mesh *mesh) {
  mote_mesh_report r;
  CHECK(mote_mesh_examine(mesh, NULL, &r, NULL) == MOTE_OK);
  return r.area;
}

static mote_mesh noisy_ball(void) {
  mote_mesh ball = kit_sphere(3);
  for (size_t i = 0; i < 3 * ball.vertices; ++i) ball.vertex[i] += mote_random_between(5, 1, i, -0.03, 0.03);
  return ball;
}

// Areas sum to the area; the gradient of the area by differences.
static void test_area(void) {
  mote_mesh ball = noisy_ball();
  mote_arena arena = mote_arena_make(NULL);
  mote_half_edges e;
  mote_mesh_operators o;
  CHECK(mote_half_edges_create(&ball, 1, &arena, &e, NULL) == MOTE_OK);
  CHECK(mote_mesh_operators_make(&e, ball.vertex, 1, &arena, &o, NULL) == MOTE_OK);
  double sum = 0.0, *gradient = malloc(3 * ball.vertices * sizeof *gradient), total[3] = {0, 0, 0};
  for (size_t v = 0; v < ball.vertices; ++v) sum += o.area[v];
  CHECK_NEAR(sum, area_of(&ball), 1e-12);
  mote_mesh_operators_apply(&o, ball.vertex, 3, gradient);
  for (size_t i = 0; i < 3 * ball.vertices; ++i) total[i % 3] += gradient[i];
  for (int k = 0; k < 3; ++k) CHECK_NEAR(total[k], 0.0, 1e-12);
  for (size_t i = 0; i < 3 * ball.vertices; i += 37) {
    double x = ball.vertex[i], step = 1e-5;
    ball.vertex[i] = x + step;
    double more = area_of(&ball);
    ball.vertex[i] = x - step;
    double less = area_of(&ball);
    ball.vertex[i] = x;
    CHECK_NEAR((more - less) / (2.0 * step), gradient[i], 1e-8);
  }
  free(gradient);
  mote_arena_destroy(&arena);
  kit_free(&ball);
}

// On a fine sphere the linear functions are harmonics of the eigenvalue 2; the largest eigenvalue bounds all.
static void test_eigenvalues(void) {
  mote_mesh ball = kit_sphere(5);
  mote_arena arena = mote_arena_make(NULL);
  mote_half_edges e;
  mote_mesh_operators o;
  CHECK(mote_half_edges_create(&ball, 1, &arena, &e, NULL) == MOTE_OK);
  CHECK(mote_mesh_operators_make(&e, ball.vertex, 1, &arena, &o, NULL) == MOTE_OK);
  size_t n = ball.vertices;
  double *work = malloc(4 * n * sizeof *work), *x = work + 2 * n, *y = work + 3 * n;
  for (size_t v = 0; v < n; ++v) x[v] = ball.vertex[3 * v];
  mote_mesh_operators_laplace(&o, x, y);
  for (size_t v = 0; v < n; ++v) CHECK_NEAR(y[v], 2.0 * x[v], 0.015);  // worst where halvings meet
  double largest = mote_mesh_operators_largest(&o, work);
  double edge2 = 4.0 * MOTE_PI / (double)n * 2.0 / sqrt(3.0);
  CHECK(largest > 5.0 / edge2 && largest < 25.0 / edge2);
  for (int trial = 0; trial < 5; ++trial) {
    double top = 0.0, bottom = 0.0;
    for (size_t v = 0; v < n; ++v) x[v] = mote_random_between(9, (uint64_t)trial, v, -1.0, 1.0);
    mote_mesh_operators_laplace(&o, x, y);
    for (size_t v = 0; v < n; ++v) top += o.area[v] * x[v] * y[v], bottom += o.area[v] * x[v] * x[v];
    CHECK(top / bottom < largest);
  }
  free(work);
  mote_arena_destroy(&arena);
  kit_free(&ball);
}

// b from a known x; in the end with vertices that are held at 0, where b does not count.
static void test_solve(void) {
  mote_mesh ball = noisy_ball();
  mote_arena arena = mote_arena_make(NULL);
  mote_half_edges e;
  mote_mesh_operators o;
  CHECK(mote_half_edges_create(&ball, 1, &arena, &e, NULL) == MOTE_OK);
  CHECK(mote_mesh_operators_make(&e, ball.vertex, 2, &arena, &o, NULL) == MOTE_OK);
  size_t n = ball.vertices;
  double *x = calloc(4 * n, sizeof *x), *y = x + n, *b = x + 2 * n, *found = x + 3 * n;
  for (size_t v = 0; v < n; ++v) x[v] = mote_random_between(3, 1, v, -1.0, 1.0);
  uint8_t *free_rows = malloc(n);
  for (int trial = 0; trial < 3; ++trial) {
    int power = trial == 0 ? 1 : 2;
    for (size_t v = 0; v < n && trial == 2; ++v)
      free_rows[v] = ball.vertex[3 * v] > -0.2, x[v] *= free_rows[v];
    mote_mesh_operators_laplace(&o, x, y);
    for (size_t v = 0; v < n; ++v) b[v] = y[v], found[v] = 0.0;
    if (power == 2) mote_mesh_operators_laplace(&o, b, y);
    for (size_t v = 0; v < n; ++v) b[v] = 1.5 * x[v] + 0.01 * y[v];
    CHECK(mote_mesh_operators_solve(&o, power, 1.5, 0.01, NULL, trial == 2 ? free_rows : NULL, b, found,
                                    1e-12, &arena, NULL) == MOTE_OK);
    for (size_t v = 0; v < n; ++v) CHECK_NEAR(found[v], x[v], 1e-9);
  }
  free(x), free(free_rows);
  mote_arena_destroy(&arena);
  kit_free(&ball);
}

int main(void) {
  test_area();
  test_eigenvalues();
  test_solve();
  return test_end();
}
