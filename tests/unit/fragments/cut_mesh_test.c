// Surfaces of the fragments of a cut grid: closed, every edge once each way, one fan a vertex, and together
// the volume of the uncut mesh, for random soups in a ball and in a shell, and for soups made to be
// difficult.
#include "fragments/cut_mesh.h"

#include <mote/mote.h>
#include <stdlib.h>

#include "base/random.h"
#include "geom/triple.h"
#include "mesh/half_edges.h"
#include "test.h"

#define EDGE 0.1  // of a ball of radius 1: 20 edges across

// A ball of radius 1; hollow where *user is not 0: the radius of the hole.
static double ball(void *user, const double x[3]) {
  double r = length3(x), hole = *(double *)user;
  return hole > 0.0 ? max2(r - 1.0, hole - r) : r - 1.0;
}

static mote_cut_grid *make_grid(double *hole, double edge) {
  mote_cut_grid_def def = {
      .distance = ball, .user = hole, .low = {-1, -1, -1}, .high = {1, 1, 1}, .edge = edge};
  mote_cut_grid *grid = NULL;
  CHECK(mote_cut_grid_create(&def, NULL, &grid, NULL) == MOTE_OK);
  return grid;
}

static bool is_closed(const mote_mesh *mesh) {
  mote_env env = mote_env_default();
  mote_arena arena = mote_arena_make(&env);
  mote_half_edges edges;
  mote_error error;
  mote_result result = mote_half_edges_create(mesh, 1, &arena, &edges, &error);
  if (result) fprintf(stderr, "%s\n", error.text);
  mote_arena_destroy(&arena);
  return result == MOTE_OK;
}

// Checks the mesh of a grid as a whole and each fragment alone; returns the number of fragments.
static size_t check_mesh(mote_cut_grid *grid, double uncut, double tolerance, bool each) {
  mote_cut_mesh made = {0};
  double sum = 0.0;
  CHECK(mote_cut_grid_divide(grid, 8, NULL, NULL) == MOTE_OK);
  CHECK(mote_cut_mesh_make(grid, &made, NULL) == MOTE_OK);
  CHECK(is_closed(&made.mesh));
  CHECK_NEAR(mote_mesh_volume(&made.mesh) / uncut, 1.0, tolerance);
  for (uint32_t f = 0; f < grid->fragments && each; ++f) {
    mote_mesh one;
    CHECK(mote_cut_mesh_take(&made, f, NULL, &one, NULL) == MOTE_OK);
    double volume = mote_mesh_volume(&one);
    CHECK(is_closed(&one) && volume > 0.0);
    sum += volume;
    mote_mesh_free(&one, NULL);
  }
  if (each) CHECK_NEAR(sum / uncut, 1.0, tolerance);
  for (size_t v = 0; v < made.mesh.vertices; ++v) CHECK(grid->inside[made.inner[v]]);
  size_t vertices = made.mesh.vertices, outside = 0;
  for (size_t t = 0; t < 3 * made.mesh.triangles; ++t) {
    uint32_t inner = made.inner[made.mesh.triangle[t]];
    outside += grid->fragment[inner] != made.fragment[t / 3];
  }
  CHECK(vertices > 0 && outside == 0);
  mote_cut_mesh_free(&made, NULL);
  return grid->fragments;
}

static double uncut_volume(double hole, double edge) {
  mote_cut_grid *grid = make_grid(&hole, edge);
  mote_cut_mesh made = {0};
  CHECK(mote_cut_mesh_make(grid, &made, NULL) == MOTE_OK && grid->fragments == 1);
  CHECK(is_closed(&made.mesh));
  double volume = mote_mesh_volume(&made.mesh);
  for (size_t t = 0; t < made.mesh.triangles; ++t) CHECK(!made.wall[t] && made.fragment[t] == 0);
  mote_cut_mesh_free(&made, NULL);
  mote_cut_grid_destroy(grid);
  return volume;
}

// `count` random triangles of this size.
static void make_soup(uint64_t seed, size_t count, double size, double *corner) {
  for (uint64_t k = 0; k < 9 * count; ++k) {
    double middle = mote_random_between(seed, 1, 9 * (k / 9) + k % 3, -1.0, 1.0);
    corner[k] = middle + mote_random_between(seed, 2, k, -size, size);
  }
}

static void test_random(double hole, size_t count, double size, int soups, double tolerance) {
  double *corner = malloc(9 * count * sizeof *corner), uncut = uncut_volume(hole, EDGE);
  size_t broken = 0;
  for (uint64_t seed = 0; seed < (uint64_t)soups; ++seed) {
    mote_cut_grid *grid = make_grid(&hole, EDGE);
    make_soup(seed, count, size, corner);
    CHECK(mote_cut_grid_add(grid, corner, count, NULL) == MOTE_OK);
    broken += check_mesh(grid, uncut, tolerance, seed % 4 == 0) > 1;
    mote_cut_grid_destroy(grid);
  }
  printf("%d soups of %zu triangles, hole %g: %zu broken\n", soups, count, hole, broken);
  free(corner);
}

// Two triangles that make a square of half side `size` through `middle`, spanned by u and w.
static void make_square(const double middle[3], const double u[3], const double w[3], double size,
                        double *c) {
  static const double sign[6][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, -1}, {1, 1}, {-1, 1}};
  for (int k = 0; k < 6; ++k) {
    step3(middle, size * sign[k][0], u, c + 3 * k);
    step3(c + 3 * k, size * sign[k][1], w, c + 3 * k);
  }
}

static size_t cut_by(const double *corner, size_t triangles, double *hole, double uncut) {
  mote_cut_grid *grid = make_grid(hole, EDGE);
  CHECK(mote_cut_grid_add(grid, corner, triangles, NULL) == MOTE_OK);
  size_t fragments = check_mesh(grid, uncut, 0.01, true);
  mote_cut_grid_destroy(grid);
  return fragments;
}

// A plane through rows of nodes, planes at every distance from them, the same plane thrice, a half plane.
static void test_planes(void) {
  static const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, z[3] = {0, 0, 1}, slope[3] = {0, 1, 1};
  double hole = 0.0, uncut = uncut_volume(hole, EDGE), corner[54], node[3];
  mote_cut_grid *grid = make_grid(&hole, EDGE);
  mote_cut_grid_position(grid, (uint32_t)grid->nodes / 2, node);
  mote_cut_grid_destroy(grid);
  for (int k = 0; k < 4; ++k) {
    double middle[3] = {node[0], node[1], node[2] + 0.25 * k * 0.5 * EDGE};
    make_square(middle, x, y, 3.0, corner);
    CHECK(cut_by(corner, 2, &hole, uncut) == 2);
    make_square(middle, x, slope, 3.0, corner);
    CHECK(cut_by(corner, 2, &hole, uncut) == 2);
  }
  make_square(node, y, z, 3.0, corner), make_square(node, z, x, 3.0, corner + 18);
  make_square(node, x, y, 3.0, corner + 36);
  CHECK(cut_by(corner, 6, &hole, uncut) == 8);
  make_square(node, x, y, 3.0, corner), make_square(node, y, x, 3.0, corner + 18);
  make_square(node, x, y, 3.0, corner + 36);
  CHECK(cut_by(corner, 6, &hole, uncut) == 2);
  double aside[3] = {-3.0, 0.01, 0.02};  // ends in the middle
  make_square(aside, x, slope, 3.0, corner);
  CHECK(cut_by(corner, 2, &hole, uncut) == 1);
}

// Nothing at all, triangles without area, and triangles far away leave the surface as it is, to the bit.
static void test_nothing(void) {
  double hole = 0.0, uncut = uncut_volume(hole, EDGE);
  const double flat[27] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 0.5, 0.5, 0, 0.5, 0.5,
                           0, 1, 0, 0, 9, 9, 9, 9, 8, 9,   9,   9, 8};
  mote_cut_grid *grid = make_grid(&hole, EDGE);
  CHECK(mote_cut_grid_add(grid, NULL, 0, NULL) == MOTE_OK);
  CHECK(mote_cut_grid_add(grid, flat, 3, NULL) == MOTE_OK);
  CHECK(grid->cuts == 0 && check_mesh(grid, uncut, 0.0, true) == 1);
  double bad[9] = {0, 0, 0, 1, 0, 0, 0, (double)NAN, 0};
  CHECK(mote_cut_grid_add(grid, bad, 1, NULL) == MOTE_ERROR_ARGUMENT);
  mote_cut_grid_destroy(grid);
}

// A disc inside: one fragment; both walls have its area and meet in its rim.
static void test_front(void) {
  double hole = 0.0, uncut = uncut_volume(hole, EDGE), corner[9 * 32], area[2] = {0.0, 0.0};
  for (int k = 0; k < 32; ++k) {
    double a = MOTE_PI / 16.0 * k, b = MOTE_PI / 16.0 * (k + 1);
    const double points[9] = {0.0,   0.0,          0.013,        0.6 * cos(a), 0.6 * sin(a),
                              0.013, 0.6 * cos(b), 0.6 * sin(b), 0.013};
    memcpy(corner + 9 * k, points, sizeof points);
  }
  mote_cut_grid *grid = make_grid(&hole, 0.5 * EDGE);
  mote_cut_mesh made = {0};
  CHECK(mote_cut_grid_add(grid, corner, 32, NULL) == MOTE_OK);
  CHECK(check_mesh(grid, uncut, 0.01, true) == 1);
  CHECK(mote_cut_mesh_make(grid, &made, NULL) == MOTE_OK);
  for (size_t t = 0; t < made.mesh.triangles; ++t) {
    const double *a = made.mesh.vertex + 3 * (size_t)made.mesh.triangle[3 * t];
    const double *b = made.mesh.vertex + 3 * (size_t)made.mesh.triangle[3 * t + 1];
    const double *c = made.mesh.vertex + 3 * (size_t)made.mesh.triangle[3 * t + 2];
    double u[3], w[3], n[3];
    if (!made.wall[t]) continue;
    sub3(b, a, u), sub3(c, a, w), cross3(u, w, n);
    CHECK_NEAR(a[2], 0.013, 0.05 * EDGE);
    area[n[2] > 0.0] += 0.5 * fabs(n[2]);
  }
  CHECK_NEAR(area[0], area[1], 1e-12);
  CHECK_NEAR(area[0] / (MOTE_PI * 0.36), 1.0, 0.1);
  mote_cut_mesh_free(&made, NULL);
  mote_cut_grid_destroy(grid);
}

int main(void) {
  test_nothing();
  test_planes();
  test_front();
  test_random(0.0, 10, 2.0, 10, 0.01);
  test_random(0.6, 20, 2.0, 10, 0.02);  // a shell four edges thick
  TEST_LONG(test_random(0.0, 150, 2.0, 1, 0.01));
  TEST_LONG(test_random(0.0, 500, 0.3, 1, 0.01));
  return test_end();
}
