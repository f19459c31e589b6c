// The proof of no crossings counts what the search through a tree of boxes counts.
#include "track/tracked_cross.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "geom/tri_cross.h"
#include "mesh_kit.h"
#include "test.h"
#include "track/tracked_mesh.h"

static mote_tracked *tracked_of(const mote_mesh *mesh, double edge) {
  mote_surface surface = {.mesh = *mesh};
  mote_track_def def = mote_track_def_default();
  def.edge = edge;
  mote_tracked *t = NULL;
  CHECK(mote_tracked_create(&def, &surface, NULL, &t, NULL) == MOTE_OK);
  return t;
}

static size_t compare(const mote_mesh *mesh, double edge) {
  mote_tracked *t = tracked_of(mesh, edge);
  mote_env env = mote_env_default();
  mote_crossings twin;
  size_t count = 0;
  CHECK(mote_tracked_crossings(t, &count, NULL) == MOTE_OK);
  CHECK(mote_mesh_crossings(mesh, &env, &twin, NULL) == MOTE_OK);
  CHECK(count == twin.count);
  mote_tracked_destroy(t);
  return count;
}

// A ball whose vertices are moved at random: from none to thousands of crossings, cells of all sizes.
static void test_noise(void) {
  size_t most = 0;
  for (int k = 0; k < 12; ++k) {
    mote_mesh ball = kit_sphere(4);
    for (size_t i = 0; i < 3 * ball.vertices; ++i)
      ball.vertex[i] =
          100.0 * (k % 3) + ball.vertex[i] + mote_random_between(3, (uint64_t)k, i, -0.02 * k, 0.02 * k);
    size_t count = compare(&ball, k % 2 ? 0.07 : 0.4);
    if (k == 0) CHECK(count == 0);
    most = count > most ? count : most;
    kit_free(&ball);
  }
  CHECK(most > 1000);
}

// Two balls, apart, touching and through each other; one of them coarse.
static void test_two(void) {
  for (int k = 0; k < 8; ++k) {
    mote_mesh a = kit_sphere(3), b = kit_sphere(1);
    for (size_t v = 0; v < b.vertices; ++v) b.vertex[3 * v] += 2.2 - 0.1 * k;
    mote_mesh both = kit_join(&a, &b);
    size_t count = compare(&both, 0.15);
    CHECK((count == 0) == (k <= 2));  // apart, apart, one point
    kit_free(&a), kit_free(&b), kit_free(&both);
  }
}

// Folds: neighbours that lie on each other.
static void test_fold(void) {
  mote_mesh box = kit_box(0, 0, 0, 1, 1, 1);
  CHECK(compare(&box, 0.5) == 0);
  for (size_t v = 0; v < 8; ++v) box.vertex[3 * v + 2] = 0.0;
  CHECK(compare(&box, 0.5) > 0);
  kit_free(&box);
}

// A ball with a few vertices pushed through the other side of their neighbours; `away`, m: from the origin.
static void test_untangle(double away) {
  mote_mesh ball = kit_sphere(4);
  for (size_t v = 0; v < ball.vertices; ++v) ball.vertex[3 * v] += away;
  for (size_t v = 40; v < ball.vertices; v += 150) {
    ball.vertex[3 * v + v % 3] += 0.3;
  }
  size_t count = compare(&ball, 0.07), left = 99;
  CHECK(count > 0);
  mote_tracked *t = tracked_of(&ball, 0.07);
  CHECK(mote_tracked_untangle(t, &left, NULL) == MOTE_OK && left == 0);
  CHECK(mote_tracked_crossings(t, &left, NULL) == MOTE_OK && left == 0);
  double volume = mote_tracked_volume(t);
  CHECK_NEAR(volume, 4.0 / 3.0 * 3.14159265358979, 0.05);
  CHECK(mote_tracked_untangle(t, &left, NULL) == MOTE_OK);
  CHECK(mote_tracked_volume(t) == volume);  // nothing to do, nothing done
  mote_tracked_destroy(t);
  kit_free(&ball);
}

// Only pairs with a fresh triangle are counted, and their vertices marked.
static void test_fresh(void) {
  mote_env env = mote_env_default();
  mote_mesh ball = kit_sphere(3);
  for (size_t i = 0; i < 3 * ball.vertices; ++i) ball.vertex[i] += mote_random_between(5, 1, i, -0.3, 0.3);
  uint8_t *fresh = malloc(ball.triangles), *marked = malloc(ball.vertices), *twin = malloc(ball.vertices);
  for (int part = 1; part < 40; part += 7) {
    mote_arena arena = mote_arena_make(&env);
    size_t pairs = 0, count = 0;
    memset(marked, 0, ball.vertices), memset(twin, 0, ball.vertices);
    for (size_t f = 0; f < ball.triangles; ++f)
      fresh[f] = mote_random_between(6, (uint64_t)part, f, 0.0, 1.0) * part < 1.0;
    for (uint32_t f = 0; f < ball.triangles; ++f) {
      for (uint32_t g = f + 1; g < ball.triangles; ++g) {
        if ((!fresh[f] && !fresh[g]) || !mote_triangles_cross(&ball, f, g)) continue;
        ++pairs;
        for (size_t k = 0; k < 3; ++k)
          twin[ball.triangle[3 * (size_t)f + k]] = twin[ball.triangle[3 * (size_t)g + k]] = 1;
      }
    }
    CHECK(mote_cross_mark(&ball, 0.15, fresh, 3, &arena, marked, &count, NULL) == MOTE_OK);
    CHECK(pairs > 0);
    CHECK(count == pairs);
    CHECK(memcmp(marked, twin, ball.vertices) == 0);
    mote_arena_destroy(&arena);
  }
  free(fresh), free(marked), free(twin);
  kit_free(&ball);
}

int main(void) {
  test_untangle(0.0);
  test_untangle(0x1p30);  // 4e9 cells
  test_fresh();
  test_noise();
  test_two();
  test_fold();
  return test_end();
}
