// Parts by vertices, and dropping the small ones with their fields; hollows are filled by their own size.
#include "mesh/surface_parts.h"

#include <mote/mote.h>

#include "stingy.h"
#include "surface_kit.h"
#include "test.h"

// A ball of radius 6 with a hollow of radius 2 in it, a drop of radius 1 in the hollow, a drop of 0.6 beside.
static double world(void *data, const double x[3]) {
  (void)data;
  double r = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
  double ball = r < 4.0 ? r - 2.5 : 6.0 - r;
  double inner = 1.0 - r, beside = 0.6 - sqrt(x[0] * x[0] + x[1] * x[1] + pow(x[2] - 8.0, 2));
  return fmax(fmax(ball, inner), beside);
}

static mote_surface make_world(void) {
  const int low[3] = {-2, -2, -2}, blocks[3] = {4, 4, 4};
  kit_field k = kit_field_create(low, blocks, 1.0);
  kit_field_set(&k, world, NULL);
  mote_arena arena = mote_arena_make(NULL);
  mote_surface s = {0};
  const mote_grid_vertex *place;
  CHECK(mote_marching_cubes(&k.field, &arena, NULL, &s.mesh, &place, NULL) == MOTE_OK);
  mote_arena_destroy(&arena);
  kit_field_free(&k);
  kit_dress(&s);
  return s;
}

static size_t parts_of(const mote_surface *s) {
  mote_mesh_report r = {0};
  CHECK(mote_mesh_examine(&s->mesh, NULL, &r, NULL) == MOTE_OK);
  CHECK(kit_bad_vertices(&s->mesh) == 0);
  return r.parts;
}

static void test_drop(void) {
  const double limit[] = {0.0, 0.5, 5.0, 100.0, 2000.0};
  const size_t left[] = {4, 3, 2, 1, 0};
  for (int i = 0; i < 5; ++i) {
    mote_surface s = make_world();
    CHECK(mote_surface_drop_parts(&s, limit[i], NULL, NULL) == MOTE_OK);
    CHECK(parts_of(&s) == left[i]);
    const float *x = s.field[0].data;
    bool same = s.field[0].count == s.mesh.vertices;
    for (size_t k = 0; k < 3 * s.mesh.vertices; ++k) same = same && x[k] == (float)s.mesh.vertex[k];
    CHECK(same);
    mote_surface_free(&s, NULL);
  }
}

static void test_parts(void) {
  mote_surface s = make_world();
  uint32_t *part = malloc(s.mesh.vertices * sizeof *part), highest = 0;
  CHECK(mote_surface_parts(&s.mesh, part) == 4);
  for (size_t v = 0; v < s.mesh.vertices; ++v) {
    CHECK(part[v] <= highest + (v > 0));
    highest = part[v] > highest ? part[v] : highest;
  }
  CHECK(part[0] == 0 && highest == 3);
  s.mesh.triangles = 0;
  CHECK(mote_surface_parts(&s.mesh, part) == s.mesh.vertices);
  free(part);
  mote_surface_free(&s, NULL);
}

static void test_refusals(void) {
  mote_surface s = make_world();
  CHECK(mote_surface_drop_parts(NULL, 1.0, NULL, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_surface_drop_parts(&s, -1.0, NULL, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_surface_drop_parts(&s, (double)NAN, NULL, NULL) == MOTE_ERROR_ARGUMENT);
  mote_result result = MOTE_ERROR_MEMORY;
  for (int granted = 0; granted < 20 && result; ++granted) {
    stingy hard;
    mote_env env = stingy_env(&hard, granted);
    size_t before = s.mesh.vertices;
    result = mote_surface_drop_parts(&s, 5.0, &env, NULL);
    CHECK(result == MOTE_OK || (result == MOTE_ERROR_MEMORY && s.mesh.vertices == before));
    // Arrays came, and as many of the plain environment went with it; the names stayed.
    CHECK(hard.held == 0);
  }
  CHECK(result == MOTE_OK && parts_of(&s) == 2);
  mote_surface_free(&s, NULL);
}

int main(void) {
  test_drop();
  test_parts();
  test_refusals();
  return test_end();
}
