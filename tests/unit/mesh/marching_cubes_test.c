// Marching cubes: every pattern, random fields with the worst values, known shapes, orders of convergence.
#include "mesh/marching_cubes.h"

#include <math.h>
#include <mote/mote.h>

#include "base/random.h"
#include "geom/triple.h"
#include "stingy.h"
#include "surface_kit.h"
#include "test.h"

static mote_mesh march(const kit_field *k, int threads) {
  mote_env env = mote_env_default();
  env.threads = threads;
  mote_arena arena = mote_arena_make(&env);
  mote_mesh mesh = {0};
  const mote_grid_vertex *place;
  CHECK(mote_marching_cubes(&k->field, &arena, &env, &mesh, &place, NULL) == MOTE_OK);
  for (size_t v = 1; v < mesh.vertices; ++v) {
    const mote_grid_vertex *p = place + v;
    uint64_t before = (uint64_t)p[-1].block << 32 | (uint64_t)p[-1].node << 16 | p[-1].axis;
    if (before >= ((uint64_t)p->block << 32 | (uint64_t)p->node << 16 | p->axis)) CHECK(false);
  }
  mote_arena_destroy(&arena);
  return mesh;
}

static double smallest_area(const mote_mesh *mesh) {
  double least = HUGE_VAL;
  for (size_t t = 0; t < mesh->triangles; ++t) {
    const double *a = mesh->vertex + 3 * (size_t)mesh->triangle[3 * t];
    const double *b = mesh->vertex + 3 * (size_t)mesh->triangle[3 * t + 1];
    const double *c = mesh->vertex + 3 * (size_t)mesh->triangle[3 * t + 2];
    double u[3], w[3], n2 = 0.0;
    for (int k = 0; k < 3; ++k) u[k] = b[k] - a[k], w[k] = c[k] - a[k];
    for (int k = 0; k < 3; ++k) {
      double n = u[(k + 1) % 3] * w[(k + 2) % 3] - u[(k + 2) % 3] * w[(k + 1) % 3];
      n2 += n * n;
    }
    least = fmin(least, 0.5 * sqrt(n2));
  }
  return least;
}

static const int one_block[3] = {1, 1, 1}, zero[3] = {0, 0, 0};

// Vertices keep 1/1024 of a cell's edge from its nodes: the least triangle cuts off a corner.
static void is_sound(const mote_mesh *mesh, double cell) {
  double legs = cell / 1024.0;
  CHECK(kit_bad_vertices(mesh) == 0);
  CHECK(mesh->triangles == 0 || smallest_area(mesh) > 0.4 * legs * legs);
}

// Kinds of values of which the corners are made; all signs are possible with each.
static float worst_value(unsigned kind, bool inside, double u) {
  switch (kind) {
    case 0: return inside ? 1.0f : -1.0f;     // every saddle is a tie
    case 1: return inside ? 1.0f : 0.0f;      // zeros are outside
    case 2: return inside ? 1e-45f : -3e38f;  // everything grazes
    case 3: return inside ? 3e38f : -1e-45f;
    case 4: return (float)((inside ? 1.0 : -1.0) * (0.01 + u));                           // ordinary
    default: return (float)((inside ? 1.0 : -1.0) * ldexp(1.0, (int)(200.0 * u) - 100));  // all sizes
  }
}

static void test_patterns(void) {
  for (unsigned pattern = 0; pattern < 256; ++pattern) {
    kit_field k = kit_field_create(zero, one_block, 1.0);
    for (unsigned seed = 0; seed < (TEST_SHORT ? 6 : 12); ++seed) {
      unsigned kind = seed % 6;
      for (int i = 0; i < 512; ++i) {
        int x = i % 8, y = i / 8 % 8, z = i / 64;
        bool in_cube = x / 2 == 1 && y / 2 == 1 && z / 2 == 1;
        unsigned corner = (unsigned)((x & 1) | (y & 1) << 1 | (z & 1) << 2);
        bool inside = mote_random_unit(seed, pattern, (uint64_t)i) < 0.5;
        if (in_cube) inside = pattern >> corner & 1;
        if (kit_at_border(&k, x, y, z)) inside = false;
        *kit_node(&k, x, y, z) =
            worst_value(kind, inside, mote_random_unit(seed, pattern, (uint64_t)i + 512));
      }
      mote_mesh mesh = march(&k, 1);
      is_sound(&mesh, 1.0);
      mote_mesh_free(&mesh, NULL);
    }
    kit_field_free(&k);
  }
}

// Noise over 2 x 2 x 2 blocks: borders, corners of blocks, and signs of any share.
static void test_noise(void) {
  const int two[3] = {2, 2, 2}, low[3] = {-1, -1, -1};
  kit_field k = kit_field_create(low, two, 0.5);
  for (unsigned seed = 0; seed < 140; ++seed) {
    double share = mote_random_unit(seed, 1, 0);
    for (int i = 0; i < 4096; ++i) {
      int x = i % 16, y = i / 16 % 16, z = i / 256;
      bool inside = !kit_at_border(&k, x, y, z) && mote_random_unit(seed, 2, (uint64_t)i) < share;
      unsigned kind = seed % 7 == 6 ? (unsigned)(6.0 * mote_random_unit(seed, 4, (uint64_t)i)) : seed % 7;
      *kit_node(&k, x, y, z) = worst_value(kind, inside, mote_random_unit(seed, 3, (uint64_t)i));
    }
    mote_mesh mesh = march(&k, 2);
    is_sound(&mesh, 0.5);
    mote_mesh_free(&mesh, NULL);
  }
  kit_field_free(&k);
}

static mote_mesh_report examine_ball(kit_ball b, int blocks, double cell, const double origin[3]) {
  const int low[3] = {-blocks / 2, -blocks / 2, -blocks / 2}, size[3] = {blocks, blocks, blocks};
  kit_field k = kit_field_create(low, size, cell);
  for (int a = 0; a < 3; ++a) k.field.origin[a] = origin[a], b.centre[a] += origin[a];
  kit_field_set(&k, kit_ball_value, &b);
  mote_mesh mesh = march(&k, 2);
  CHECK(kit_bad_vertices(&mesh) == 0);
  mote_mesh_report report = {0};
  CHECK(mote_mesh_examine(&mesh, NULL, &report, NULL) == MOTE_OK);
  mote_mesh_free(&mesh, NULL);
  kit_field_free(&k);
  return report;
}

static void test_shapes(void) {
  const double here[3] = {0.0, 0.0, 0.0}, far_away[3] = {1e6, -1e6, 1e6};
  kit_ball sphere = {.centre = {0.013, 0.021, -0.017}, .radius = 1.0};
  kit_ball torus = {.centre = {0.013, 0.021, -0.017}, .radius = 1.0, .tube = 0.4};
  double exact = 4.0 / 3.0 * MOTE_PI, error[3];
  for (int i = 0; i < 3; ++i) {
    mote_mesh_report r = examine_ball(sphere, 4 << i, 0.1 / (1 << i), here);
    CHECK(r.parts == 1 && r.euler == 2 && r.genus == 0 && r.crossings == 0);
    error[i] = exact - r.volume;
  }
  // Chords lie inside the sphere, by an eighth of their square: second order.
  CHECK(error[0] > 0.0 && error[0] < 0.01 * exact);
  CHECK_NEAR(log2(error[0] / error[1]), 2.0, 0.1);
  CHECK_NEAR(log2(error[1] / error[2]), 2.0, 0.05);
  mote_mesh_report r = examine_ball(torus, 6, 0.1, here);
  CHECK(r.parts == 1 && r.euler == 0 && r.genus == 1 && r.crossings == 0);
  CHECK_NEAR(r.volume, 2.0 * MOTE_PI * MOTE_PI * 0.16, 0.05);  // (h / tube)^2 / 4 of it
  double near = examine_ball(sphere, 4, 0.1, here).volume;
  // Values are floats, and the centre moved to 1e6 has lost 1e-10.
  CHECK_NEAR(examine_ball(sphere, 4, 0.1, far_away).volume, near, 1e-5);
}

static void test_threads(void) {
  const int three[3] = {3, 3, 3};
  kit_field k = kit_field_create(zero, three, 1.0);
  for (int i = 0; i < 24 * 24 * 24; ++i) {
    int x = i % 24, y = i / 24 % 24, z = i / 576;
    double u = mote_random_between(1, 2, (uint64_t)i, -1.0, 1.0);
    *kit_node(&k, x, y, z) = kit_at_border(&k, x, y, z) ? -1.0f : (float)u;
  }
  mote_mesh one = march(&k, 1);
  CHECK(one.triangles > 20000);
  for (int threads = 2; threads <= 7; threads += 5) {
    mote_mesh many = march(&k, threads);
    CHECK(many.vertices == one.vertices && many.triangles == one.triangles);
    CHECK(memcmp(many.vertex, one.vertex, 24 * one.vertices) == 0);
    CHECK(memcmp(many.triangle, one.triangle, 12 * one.triangles) == 0);
    mote_mesh_free(&many, NULL);
  }
  mote_mesh_free(&one, NULL);
  kit_field_free(&k);
}

// A field that ends where the surface is: refused, not read beyond.
static void test_broken(void) {
  kit_field k = kit_field_create(zero, one_block, 1.0);
  for (int i = 0; i < 512; ++i) k.field.value[i] = i % 8 == 7 && i / 64 == 3 ? 1.0f : -1.0f;
  mote_arena arena = mote_arena_make(NULL);
  mote_mesh mesh = {.vertices = 7};
  const mote_grid_vertex *place;
  mote_error error = {0};
  CHECK(mote_marching_cubes(&k.field, &arena, NULL, &mesh, &place, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.text, "the surface crosses the end of the field at block 0");
  CHECK(mesh.vertices == 7);
  k.field.blocks = 0;
  CHECK(mote_marching_cubes(&k.field, &arena, NULL, &mesh, &place, &error) == MOTE_OK);
  CHECK(mesh.vertices == 0 && mesh.triangles == 0);
  mote_mesh_free(&mesh, NULL);
  mote_arena_destroy(&arena);
  kit_field_free(&k);
}

static void test_memory(void) {
  kit_field k = kit_field_create(zero, one_block, 1.0);
  for (int i = 0; i < 512; ++i) k.field.value[i] = i == 219 ? 1.0f : -1.0f;
  mote_result result = MOTE_ERROR_MEMORY;
  for (int granted = 0; granted < 20 && result; ++granted) {
    stingy s;
    mote_env env = stingy_env(&s, granted);
    mote_arena arena = mote_arena_make(&env);
    mote_mesh mesh = {0};
    const mote_grid_vertex *place;
    result = mote_marching_cubes(&k.field, &arena, &env, &mesh, &place, NULL);
    CHECK(result == MOTE_OK || result == MOTE_ERROR_MEMORY);
    if (!result) CHECK(mesh.triangles == 8 && mesh.vertices == 6);
    if (!result) mote_mesh_free(&mesh, &env);
    mote_arena_destroy(&arena);
    CHECK(s.held == 0);
  }
  CHECK(result == MOTE_OK);
  kit_field_free(&k);
}

int main(void) {
  test_patterns();
  test_noise();
  test_shapes();
  test_threads();
  test_broken();
  test_memory();
  return test_end();
}
