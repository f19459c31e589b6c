// Smoothing: noise goes, volume stays, on balls, drops, sheets and hollows; normals are right.
#include <mote/mote.h>

#include "stingy.h"
#include "surface_kit.h"
#include "test.h"

static mote_mesh_report examine(const mote_surface *s) {
  mote_mesh_report r = {0};
  CHECK(mote_mesh_examine(&s->mesh, NULL, &r, NULL) == MOTE_OK);
  return r;
}

// The mean square of the distance to the sphere.
static double roughness(const mote_surface *s, const kit_ball *b, double radius) {
  double sum = 0.0;
  for (size_t v = 0; v < s->mesh.vertices; ++v) {
    const double *x = s->mesh.vertex + 3 * v;
    double d = sqrt(pow(x[0] - b->centre[0], 2) + pow(x[1] - b->centre[1], 2) + pow(x[2] - b->centre[2], 2));
    sum += (d - radius) * (d - radius);
  }
  return sum / (double)s->mesh.vertices;
}

// The volume moves with the square of what one pass moves, not with it: a thousandth is allowed.
static void keeps_volume(kit_ball ball, int passes) {
  mote_surface s = kit_ball_surface(ball);
  double before = examine(&s).volume;
  CHECK(mote_surface_smooth(&s, passes, NULL, NULL) == MOTE_OK);
  mote_mesh_report after = examine(&s);
  CHECK_NEAR(after.volume / before, 1.0, 0.001);
  CHECK(kit_bad_vertices(&s.mesh) == 0 && after.crossings == 0);
  mote_surface_free(&s, NULL);
}

static void test_volume(void) {
  keeps_volume((kit_ball){.centre = {0.31, 0.17, -0.23}, .radius = 12.5}, 10);
  keeps_volume((kit_ball){.centre = {0.31, 0.17, -0.23}, .radius = 12.5, .noise = 1.0}, 50);
  keeps_volume((kit_ball){.centre = {0.31, 0.17, -0.23}, .radius = 1.5}, 50);  // a drop of 80 triangles
  keeps_volume((kit_ball){.centre = {0.31, 0.17, -0.23}, .radius = 10.0, .tube = 1.2}, 20);
}

static void test_noise(void) {
  kit_ball ball = {.centre = {0.31, 0.17, -0.23}, .radius = 12.5, .noise = 1.0};
  mote_surface s = kit_ball_surface(ball);
  kit_dress(&s);
  CHECK(mote_surface_drop_parts(&s, 1.0, NULL, NULL) == MOTE_OK);  // a speck of noise beside the ball
  double before = roughness(&s, &ball, 12.5);
  CHECK(mote_surface_smooth(&s, 10, NULL, NULL) == MOTE_OK);
  // Of a bump with Laplacian eigenvalue k, (1 - 0.4 k^2)^20 of its power is left: at k = 1/2 an eighth.
  CHECK(roughness(&s, &ball, 12.5) < 0.3 * before);
  // Normals were all along x; now they point away from the middle.
  for (size_t v = 0; v < s.mesh.vertices; ++v) {
    double dot = 0.0;
    for (int k = 0; k < 3; ++k) {
      dot += (double)s.normal[3 * v + k] * (s.mesh.vertex[3 * v + k] - ball.centre[k]) / 12.5;
    }
    if (dot <= 0.0) CHECK(false);
  }
  CHECK(s.field[1].count == s.mesh.vertices && ((uint32_t *)s.field[1].data)[17] == 17);
  mote_surface_free(&s, NULL);
}

// An octahedron is what it is: all bumps are the same.
static void test_fixed(void) {
  kit_ball ball = {.centre = {0.0, 0.0, 0.0}, .radius = 0.75};
  mote_surface s = kit_ball_surface(ball);
  CHECK(s.mesh.vertices == 6);
  CHECK(mote_surface_smooth(&s, 100, NULL, NULL) == MOTE_OK);
  CHECK_NEAR(roughness(&s, &ball, 0.75), 0.0, 1e-20);
  mote_surface_free(&s, NULL);
}

static void test_threads(void) {
  mote_surface one = {0};
  for (int threads = 1; threads <= 7; threads += 3) {
    mote_surface s = kit_ball_surface((kit_ball){.radius = 12.5, .noise = 1.0});
    kit_dress(&s);
    mote_env env = mote_env_default();
    env.threads = threads;
    CHECK(mote_surface_smooth(&s, 3, &env, NULL) == MOTE_OK);
    if (threads == 1) {
      one = s;
      continue;
    }
    CHECK(memcmp(s.mesh.vertex, one.mesh.vertex, 24 * one.mesh.vertices) == 0);
    CHECK(memcmp(s.normal, one.normal, 12 * one.mesh.vertices) == 0);
    mote_surface_free(&s, NULL);
  }
  mote_surface_free(&one, NULL);
}

static void test_refusals(void) {
  mote_surface s = kit_ball_surface((kit_ball){.radius = 2.0}), none = {0};
  kit_dress(&s);
  CHECK(mote_surface_smooth(NULL, 1, NULL, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_surface_smooth(&s, -1, NULL, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_surface_smooth(&none, 1, NULL, NULL) == MOTE_OK);
  --s.mesh.triangles;
  CHECK(mote_surface_smooth(&s, 1, NULL, NULL) == MOTE_ERROR_ARGUMENT);
  ++s.mesh.triangles;
  --s.field[0].count;
  mote_error error = {0};
  CHECK(mote_surface_smooth(&s, 1, NULL, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.text, "field 0 has not one row per vertex");
  ++s.field[0].count;
  double before = s.mesh.vertex[0];
  for (int granted = 0; granted < 2; ++granted) {
    stingy hard;
    mote_env env = stingy_env(&hard, granted);
    mote_result result = mote_surface_smooth(&s, 1, &env, NULL);
    CHECK(result == MOTE_OK || (result == MOTE_ERROR_MEMORY && s.mesh.vertex[0] == before));
    CHECK(hard.held == 0);
  }
  mote_surface_free(&s, NULL);
}

int main(void) {
  test_volume();
  test_noise();
  test_fixed();
  test_threads();
  test_refusals();
  return test_end();
}
