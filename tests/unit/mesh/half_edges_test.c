// Half-edges: twins of twins, rings that close, and meshes that are not manifolds refused by name.
#include "mesh/half_edges.h"

#include "mesh_kit.h"
#include "stingy.h"
#include "test.h"

static mote_result make(const mote_mesh *mesh, mote_error *error) {
  mote_arena arena = mote_arena_make(NULL);
  mote_half_edges e;
  mote_result result = mote_half_edges_create(mesh, 2, &arena, &e, error);
  if (!result) {
    size_t corners = 0;
    for (uint32_t h = 0; h < 3 * mesh->triangles; ++h) {
      if (e.twin[e.twin[h]] != h || e.origin[e.twin[h]] != mote_edge_end(&e, h)) CHECK(false);
      CHECK(mote_edge_previous(mote_edge_next(h)) == h && mote_edge_next(h) / 3 == h / 3);
    }
    for (uint32_t v = 0; v < mesh->vertices; ++v) {
      uint32_t h = e.first[v];
      if (h == MOTE_NO_EDGE) continue;
      do {
        ++corners;
        CHECK(e.origin[h] == v);
        h = mote_edge_around(&e, h);
      } while (h != e.first[v]);
    }
    CHECK(corners == 3 * mesh->triangles);
  }
  mote_arena_destroy(&arena);
  return result;
}

static void refuses(const mote_mesh *mesh, const char *text) {
  mote_error error = {0};
  CHECK(make(mesh, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.text, text);
}

static void test_good(void) {
  mote_mesh mesh = kit_sphere(3);
  kit_vertex(&mesh, 9.0, 9.0, 9.0);  // without triangles
  CHECK(make(&mesh, NULL) == MOTE_OK);
  mesh.triangles = 0;
  CHECK(make(&mesh, NULL) == MOTE_OK);
  kit_free(&mesh);
}

static void test_bad(void) {
  mote_mesh mesh = kit_box(0, 0, 0, 1, 1, 1);
  uint32_t *t = mesh.triangle, swap = t[0];
  mesh.triangles = 11;
  refuses(&mesh, "the mesh is not a closed manifold at vertex 1");
  mesh.triangles = 12;
  t[0] = t[1], t[1] = swap;
  refuses(&mesh, "the mesh is not a closed manifold at vertex 0");
  t[1] = t[0], t[0] = swap;
  t[35] = t[34];
  CHECK(make(&mesh, NULL) == MOTE_ERROR_ARGUMENT);
  t[35] = 8;
  CHECK(make(&mesh, NULL) == MOTE_ERROR_ARGUMENT);
  kit_free(&mesh);
  // Two tetrahedra that share a vertex: every edge is right, the vertex is not.
  uint32_t pinched[24] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3, 3, 5, 4, 3, 4, 6, 4, 5, 6, 5, 3, 6};
  double x[21] = {0};
  mote_mesh two = {x, pinched, 7, 8};
  refuses(&two, "the mesh is not a closed manifold at vertex 3");
  // The same triangle twice: its edges have four.
  uint32_t twice[12] = {0, 1, 2, 0, 2, 1, 0, 1, 2, 0, 2, 1};
  mote_mesh crowded = {x, twice, 3, 4};
  CHECK(make(&crowded, NULL) == MOTE_ERROR_ARGUMENT);
}

static void test_memory(void) {
  mote_mesh mesh = kit_sphere(5);
  mote_result result = MOTE_ERROR_MEMORY;
  for (int granted = 0; granted < 20 && result; ++granted) {
    stingy s;
    mote_env env = stingy_env(&s, granted);
    mote_arena arena = mote_arena_make(&env);
    mote_half_edges e;
    result = mote_half_edges_create(&mesh, 1, &arena, &e, NULL);
    CHECK(result == MOTE_OK || result == MOTE_ERROR_MEMORY);
    mote_arena_destroy(&arena);
    CHECK(s.held == 0);
  }
  CHECK(result == MOTE_OK);
  kit_free(&mesh);
}

int main(void) {
  test_good();
  test_bad();
  test_memory();
  return test_end();
}
