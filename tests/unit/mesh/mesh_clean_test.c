// Cleaning: no angle below what was asked for, still a closed manifold of the same kind, near where it was,
// with its fields.
#include <mote/mote.h>

#include "stingy.h"
#include "surface_kit.h"
#include "test.h"

#define DEGREE (3.14159265358979323846 / 180.0)

static mote_mesh_report examine(const mote_surface *s) {
  mote_mesh_report r = {0};
  CHECK(mote_mesh_examine(&s->mesh, NULL, &r, NULL) == MOTE_OK);
  return r;
}

// The farthest vertex of one from the other.
static double distance(const mote_mesh *from, const mote_mesh *to) {
  mote_shape_def def = mote_shape_def_default();
  def.kind = MOTE_SHAPE_MESH, def.mesh = *to;
  mote_shape *shape;
  double worst = 0.0;
  if (!CHECK(mote_shape_create(&def, 3, NULL, &shape, NULL) == MOTE_OK)) return HUGE_VAL;
  for (size_t v = 0; v < from->vertices; ++v) {
    worst = fmax(worst, fabs(mote_shape_distance(shape, from->vertex + 3 * v)));
  }
  mote_shape_destroy(shape);
  return worst;
}

// near: in cells; 0.04 of one are vertices that were crowded (graze.c).
static void cleans(kit_ball ball, double angle, double near) {
  mote_surface before = kit_ball_surface(ball), s = kit_ball_surface(ball);
  kit_dress(&s);
  mote_mesh_report was = examine(&before);
  CHECK(was.smallest_angle < angle);
  CHECK(mote_surface_clean(&s, angle, NULL, NULL) == MOTE_OK);
  mote_mesh_report is = examine(&s);
  CHECK(is.smallest_angle >= angle * (1.0 - 1e-12));
  CHECK(kit_bad_vertices(&s.mesh) == 0 && is.crossings == 0 && is.parts == 1 && is.genus == was.genus);
  CHECK_NEAR(is.volume / was.volume, 1.0, 0.002);
  CHECK(distance(&s.mesh, &before.mesh) < near && distance(&before.mesh, &s.mesh) < near);
  // Fields went with their vertices: x is the place, also where vertices slid.
  const float *x = s.field[0].data;
  for (size_t k = 0; k < 3 * s.mesh.vertices; ++k) {
    if (fabs((double)x[k] - s.mesh.vertex[k]) > 1e-5) CHECK(false);
  }
  mote_surface_free(&before, NULL);
  mote_surface_free(&s, NULL);
}

static void test_shapes(void) {
  cleans((kit_ball){.centre = {0.31, 0.17, -0.23}, .radius = 12.5}, 10.0 * DEGREE, 0.04);
  cleans((kit_ball){.centre = {0.31, 0.17, -0.23}, .radius = 12.5}, 20.0 * DEGREE, 0.05);
  cleans((kit_ball){.centre = {0.31, 0.17, -0.23}, .radius = 12.5, .noise = 0.5}, 10.0 * DEGREE, 0.1);
  cleans((kit_ball){.centre = {0.31, 0.17, -0.23}, .radius = 10.0, .tube = 2.2}, 10.0 * DEGREE, 0.1);
}

// Pure noise is the worst there is: still a manifold of the same kind, no more crossings than there were, and
// nearly all angles are right.
static void test_noise(void) {
  const int two[3] = {2, 2, 2}, zero[3] = {0, 0, 0};
  kit_field k = kit_field_create(zero, two, 1.0);
  size_t small = 0, all = 0;
  for (unsigned seed = 0; seed < 12; ++seed) {
    for (int i = 0; i < 4096; ++i) {
      int x = i % 16, y = i / 16 % 16, z = i / 256;
      double shift = 0.1 * (seed % 6) - 0.25;
      double u = shift + mote_random_between(seed, 2, (uint64_t)i, -0.5, 0.5);
      *kit_node(&k, x, y, z) = kit_at_border(&k, x, y, z) ? -1.0f : (float)u;
    }
    mote_arena arena = mote_arena_make(NULL);
    mote_surface s = {0};
    const mote_grid_vertex *place;
    CHECK(mote_marching_cubes(&k.field, &arena, NULL, &s.mesh, &place, NULL) == MOTE_OK);
    mote_arena_destroy(&arena);
    size_t crossed = examine(&s).crossings;
    CHECK(mote_surface_clean(&s, 10.0 * DEGREE, NULL, NULL) == MOTE_OK);
    CHECK(kit_bad_vertices(&s.mesh) == 0);
    mote_mesh_report r = examine(&s);
    CHECK(r.flat_triangles == 0 && r.crossings <= crossed);
    small += (size_t)(r.thin_share * (double)s.mesh.triangles + 0.5), all += s.mesh.triangles;
    mote_surface_free(&s, NULL);
  }
  CHECK(all > 30000 && small <= all / 5000);
  kit_field_free(&k);
}

static void test_refusals(void) {
  mote_surface s = kit_ball_surface((kit_ball){.centre = {0.3, 0.2, 0.1}, .radius = 4.0}), none = {0};
  kit_dress(&s);
  CHECK(mote_surface_clean(NULL, 0.1, NULL, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_surface_clean(&s, 0.6, NULL, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_surface_clean(&s, (double)NAN, NULL, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_surface_clean(&none, 0.1, NULL, NULL) == MOTE_OK);
  mote_surface_free(&none, NULL);
  size_t before = s.mesh.vertices;
  mote_result result = MOTE_ERROR_MEMORY;
  for (int granted = 0; granted < 40 && result; ++granted) {
    stingy hard;
    mote_env env = stingy_env(&hard, granted);
    result = mote_surface_clean(&s, 10.0 * DEGREE, &env, NULL);
    CHECK(result == MOTE_OK || (result == MOTE_ERROR_MEMORY && s.mesh.vertices == before));
    CHECK(hard.held == 0);
  }
  CHECK(result == MOTE_OK && s.mesh.vertices < before);
  mote_surface_free(&s, NULL);
}

int main(void) {
  test_shapes();
  test_noise();
  test_refusals();
  return test_end();
}
