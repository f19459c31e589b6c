// Crowded vertices: spheres at many places of a grid have no angle below two degrees and stay where they are;
// a flat surface near a plane of nodes is not moved at all.
#include <math.h>
#include <mote/geom.h>
#include <stdlib.h>
#include <string.h>

#include "mesh/marching_cubes.h"
#include "test.h"

enum { BLOCKS = 2, NODES = BLOCKS * MOTE_BLOCK_SIDE, COUNT = BLOCKS * BLOCKS * BLOCKS };

typedef struct grid {
  int32_t at[3 * COUNT];
  uint32_t above[COUNT][8];
  float value[COUNT * MOTE_BLOCK_NODES];
} grid;

typedef double field_at(const double x[3], double shift);

static double ball(const double x[3], double shift) {
  double r = 0;
  for (int a = 0; a < 3; ++a) r += (x[a] - 7.5 - shift * (a + 1)) * (x[a] - 7.5 - shift * (a + 1));
  return 5.0 - sqrt(r);
}

// A slab whose upper side is `shift` above a plane of nodes, cut off at the sides.
static double slab(const double x[3], double shift) {
  double side = fmin(fmin(x[0] - 1.3, 13.7 - x[0]), fmin(x[1] - 1.3, 13.7 - x[1]));
  return fmin(side, fmin(8.0 + shift - x[2], x[2] - 3.4));
}

static mote_sparse_field make(grid *g, field_at *at, double shift) {
  for (int b = 0; b < COUNT; ++b) {
    int place[3] = {b % BLOCKS, b / BLOCKS % BLOCKS, b / (BLOCKS * BLOCKS)};
    for (int a = 0; a < 3; ++a) g->at[3 * b + a] = place[a];
    for (int k = 0; k < 8; ++k) {
      int x = place[0] + (k & 1), y = place[1] + (k >> 1 & 1), z = place[2] + (k >> 2);
      bool there = x < BLOCKS && y < BLOCKS && z < BLOCKS;
      g->above[b][k] = there ? (uint32_t)((z * BLOCKS + y) * BLOCKS + x) : MOTE_BLOCK_ABSENT;
    }
    for (int i = 0; i < MOTE_BLOCK_NODES; ++i) {
      double x[3] = {place[0] * 8 + i % 8, place[1] * 8 + i / 8 % 8, place[2] * 8 + i / 64};
      g->value[b * MOTE_BLOCK_NODES + i] = (float)at(x, shift);
    }
  }
  return (mote_sparse_field){
      .cell = 1, .blocks = COUNT, .at = g->at, .above = (const uint32_t(*)[8])g->above, .value = g->value};
}

static bool march(grid *g, field_at *at, double shift, mote_mesh *out) {
  mote_env env = mote_env_default();
  mote_arena arena = mote_arena_make(&env);
  const mote_grid_vertex *place;
  mote_sparse_field field = make(g, at, shift);
  bool ok = CHECK(mote_marching_cubes(&field, &arena, &env, out, &place, NULL) == MOTE_OK);
  mote_arena_destroy(&arena);
  return ok;
}

int main(void) {
  grid *g = malloc(sizeof *g);
  mote_mesh mesh;
  for (int k = 0; g != NULL && k < 60; ++k) {
    double shift = 0.0097 * k;
    mote_mesh_report report;
    if (!march(g, ball, shift, &mesh)) continue;
    CHECK(mote_mesh_examine(&mesh, NULL, &report, NULL) == MOTE_OK);
    CHECK(report.open_edges + report.crowded_edges + report.crossings == 0);
    CHECK(report.smallest_angle > 2.0 / 57.3);
    for (size_t v = 0; v < mesh.vertices; ++v) CHECK(fabs(ball(mesh.vertex + 3 * v, shift)) < 0.08);
    mote_mesh_free(&mesh, NULL);
  }
  const double shifts[] = {0.001, 0.01, 0.03, -0.01};
  for (int k = 0; g != NULL && k < 4; ++k) {
    if (!march(g, slab, shifts[k], &mesh)) continue;
    for (size_t v = 0; v < mesh.vertices; ++v) {
      const double *x = mesh.vertex + 3 * v;
      bool middle = x[0] > 3 && x[0] < 12 && x[1] > 3 && x[1] < 12 && x[2] > 6;
      if (middle) CHECK_NEAR(x[2], 8.0 + shifts[k], 1e-3);
    }
    mote_mesh_free(&mesh, NULL);
  }
  free(g);
  return test_end();
}
