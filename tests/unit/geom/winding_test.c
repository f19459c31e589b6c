// Winding numbers: the tree against the plain sum over all triangles, and what they say of closed and open
// meshes.
#include "geom/winding.h"

#include "base/memory.h"
#include "mesh_kit.h"
#include "shape_kit.h"
#include "stingy.h"
#include "test.h"

static double plain_sum(const mote_mesh *mesh, const double x[3]) {
  double sum = 0.0;
  for (size_t t = 0; t < mesh->triangles; ++t) {
    const uint32_t *v = mesh->triangle + 3 * t;
    sum += mote_winding_of_triangle(mesh->vertex + 3 * (size_t)v[0], mesh->vertex + 3 * (size_t)v[1],
                                    mesh->vertex + 3 * (size_t)v[2], x);
  }
  return sum;
}

// The largest difference between tree and plain sum at points in and around the mesh; *whole: the largest
// distance of the plain sum from a whole number.
static double worst_of(const mote_mesh *mesh, int threads, double *whole) {
  mote_env env = {.threads = threads};
  mote_bvh bvh;
  mote_winding w;
  double worst = 0.0;
  *whole = 0.0;
  env = mote_env_resolve(&env);
  if (!CHECK(mote_bvh_create(mesh, &env, &bvh, NULL) == MOTE_OK)) return 1.0;
  if (CHECK(mote_winding_create(mesh, &bvh, &env, &w, NULL) == MOTE_OK)) {
    for (uint64_t k = 0; k < 400; ++k) {
      double x[3];
      for (uint64_t c = 0; c < 3; ++c) x[c] = kit_random(7 + c, k, -3.0, 3.0);
      double sum = plain_sum(mesh, x), fast = mote_winding_at(&w, x);
      worst = fmax(worst, fabs(sum - fast));
      *whole = fmax(*whole, fabs(sum - round(sum)));
    }
    mote_winding_destroy(&w);
  }
  mote_bvh_destroy(&bvh);
  return worst;
}

static void test_closed(void) {
  mote_mesh mesh[2] = {kit_sphere(4), kit_torus(2.0, 0.5, 60, 30)};
  for (int k = 0; k < 2; ++k) {
    double whole, worst = worst_of(mesh + k, 1, &whole);
    CHECK(whole < 1e-12);
    if (!CHECK(worst < 0.05)) fprintf(stderr, "  %g\n", worst);
    CHECK(worst == worst_of(mesh + k, 3, &whole));
    kit_free(mesh + k);
  }
}

// A triangle of a box seen from its middle covers a twelfth of the sphere; seen from behind, less than
// nothing.
static void test_triangle(void) {
  mote_mesh box = kit_box(-1, -1, -1, 1, 1, 1);
  double middle[3] = {0, 0, 0};
  for (size_t t = 0; t < box.triangles; ++t) {
    const uint32_t *v = box.triangle + 3 * t;
    const double *x[3];
    for (int k = 0; k < 3; ++k) x[k] = box.vertex + 3 * (size_t)v[k];
    CHECK_NEAR(mote_winding_of_triangle(x[0], x[1], x[2], middle), 1.0 / 12.0, 1e-15);
    CHECK_NEAR(mote_winding_of_triangle(x[0], x[2], x[1], middle), -1.0 / 12.0, 1e-15);
  }
  box.triangles = 10;  // without a side a sixth is missing
  CHECK_NEAR(plain_sum(&box, middle), 5.0 / 6.0, 1e-15);
  kit_free(&box);
}

static void test_memory(void) {
  mote_mesh mesh = kit_sphere(1);
  stingy s;
  mote_env plenty = mote_env_resolve(NULL), none = stingy_env(&s, 0);
  mote_bvh bvh;
  mote_winding w;
  CHECK(mote_bvh_create(&mesh, &plenty, &bvh, NULL) == MOTE_OK);
  CHECK(mote_winding_create(&mesh, &bvh, &none, &w, NULL) == MOTE_ERROR_MEMORY);
  mote_bvh_destroy(&bvh);
  kit_free(&mesh);
}

int main(void) {
  test_closed();
  test_triangle();
  test_memory();
  return test_end();
}
