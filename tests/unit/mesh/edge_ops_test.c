// Ops on edges: what is tried is what comes out, and the mesh stays a closed manifold through any sequence.
#include "mesh/edge_ops.h"

#include "mesh/tri_quality.h"
#include "surface_kit.h"
#include "test.h"

static mote_mesh live(const mote_half_edges *e, const mote_surface *s, uint32_t *triangle) {
  mote_mesh mesh = {.vertex = s->mesh.vertex, .triangle = triangle, .vertices = s->mesh.vertices};
  for (uint32_t t = 0; t < e->triangles; ++t) {
    if (mote_triangle_is_gone(e, t)) continue;
    for (int k = 0; k < 3; ++k) triangle[3 * mesh.triangles + k] = e->origin[3 * t + k];
    ++mesh.triangles;
  }
  return mesh;
}

// The vertices of the live mesh at fault; those that went have no triangles.
static size_t faults(const mote_half_edges *e, const mote_surface *s, uint32_t *triangle) {
  mote_mesh mesh = live(e, s, triangle);
  size_t gone = 0;
  for (size_t v = 0; v < e->vertices; ++v) gone += e->first[v] == MOTE_NO_EDGE;
  return kit_bad_vertices(&mesh) - gone;
}

static double worst_about(const mote_half_edges *e, const double *x, uint32_t v) {
  uint32_t h = e->first[v];
  double worst = HUGE_VAL, n[3];
  do {
    uint32_t t = h / 3 * 3;
    const uint32_t *o = e->origin + t;
    worst = min2(worst, tri_quality(x + 3 * (size_t)o[0], x + 3 * (size_t)o[1], x + 3 * (size_t)o[2], n));
    h = mote_edge_around(e, h);
  } while (h != e->first[v]);
  return worst;
}

// Every triangle in turn, limits of all kinds.
static void test_random(void) {
  size_t done[5] = {0};
  for (unsigned seed = 0; seed < 6; ++seed) {
    mote_surface s =
        kit_ball_surface((kit_ball){.centre = {0.3, 0.1, 0.2}, .radius = 5.3, .noise = 0.3 * seed});
    mote_arena arena = mote_arena_make(NULL);
    mote_half_edges e;
    CHECK(mote_half_edges_create(&s.mesh, 1, &arena, &e, NULL) == MOTE_OK);
    uint32_t *triangle = malloc(3 * e.triangles * sizeof *triangle);
    for (uint32_t t = 0; t < e.triangles; ++t) {
      if (mote_triangle_is_gone(&e, t)) continue;
      mote_edge_limits limits = {
          .quality = 0.2, .deviation = 0.4, .bend = 0.2, .gain = seed % 2 ? 1.05 : 0.0};
      limits.moves = seed % 3 == 1;
      mote_edge_op op = mote_edge_op_best(&e, s.mesh.vertex, t, &limits);
      ++done[op.kind];
      if (op.kind == MOTE_EDGE_NONE) continue;
      uint32_t v = mote_edge_op_do(&op, &e, &s);
      if (op.kind == MOTE_EDGE_FLIP) continue;  // about the flipped edge's ends more triangles lie
      CHECK(worst_about(&e, s.mesh.vertex, v) <= op.quality * (1.0 + 1e-9));
      if (op.kind != MOTE_EDGE_COLLAPSE) CHECK_NEAR(worst_about(&e, s.mesh.vertex, v), op.quality, 1e-9);
    }
    CHECK(faults(&e, &s, triangle) == 0);
    free(triangle);
    mote_arena_destroy(&arena);
    mote_surface_free(&s, NULL);
  }
  for (int kind = 0; kind < 5; ++kind) CHECK(done[kind] > 0);
}

// A tetrahedron is the least there is: nothing may collapse.
static void test_tetrahedron(void) {
  double x[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0.01};
  uint32_t t[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
  mote_surface s = {.mesh = {x, t, 4, 4}};
  mote_arena arena = mote_arena_make(NULL);
  mote_half_edges e;
  CHECK(mote_half_edges_create(&s.mesh, 1, &arena, &e, NULL) == MOTE_OK);
  mote_edge_limits limits = {.quality = 0.2, .deviation = 10.0, .bend = 0.0, .gain = 0.0};
  for (uint32_t k = 0; k < 4; ++k) {
    CHECK(mote_edge_op_best(&e, x, k, &limits).kind == MOTE_EDGE_NONE);
  }
  mote_arena_destroy(&arena);
}

int main(void) {
  test_random();
  test_tetrahedron();
  return test_end();
}
