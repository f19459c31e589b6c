// Meshes as solids: distances against all triangles one by one, signs against the solids they stand for,
// segments.
#include "geom/mesh_tree.h"

#include <mote/mote.h>

#include "geom/tri_closest.h"
#include "mesh_kit.h"
#include "shape_kit.h"
#include "test.h"

static mote_shape *solid(mote_mesh mesh) {
  mote_shape_def def = mote_shape_def_default();
  def.kind = MOTE_SHAPE_MESH, def.mesh = mesh;
  return kit_shape(&def, 3);
}

static double brute_distance(const mote_mesh *mesh, const double x[3]) {
  double best = HUGE_VAL;
  for (size_t t = 0; t < mesh->triangles; ++t) {
    const double *c[3];
    double p[3];
    for (int k = 0; k < 3; ++k) c[k] = mesh->vertex + 3 * (size_t)mesh->triangle[3 * t + k];
    tri_closest(c[0], c[1], c[2], x, p);
    best = fmin(best, kit_distance(x, p));
  }
  return best;
}

// A triangle's closest point against a search of its points.
static void test_triangle(void) {
  for (uint64_t i = 0; i < 300; ++i) {
    double c[3][3], x[3], p[3], best = HUGE_VAL;
    for (uint64_t k = 0; k < 3; ++k) kit_point(1, 4 * i + k, -1.0, 1.0, c[k]);
    kit_point(1, 4 * i + 3, -1.5, 1.5, x);
    int feature = tri_closest(c[0], c[1], c[2], x, p);
    double d = kit_distance(x, p);
    for (int a = 0; a <= 60; ++a) {
      for (int b = 0; a + b <= 60; ++b) {
        double y[3];
        for (int k = 0; k < 3; ++k)
          y[k] = c[0][k] + a / 60.0 * (c[1][k] - c[0][k]) + b / 60.0 * (c[2][k] - c[0][k]);
        best = fmin(best, kit_distance(x, y));
      }
    }
    CHECK(d <= best + 1e-12 && d >= best - 0.06);
    if (feature < 3) CHECK(kit_distance(p, c[feature]) == 0.0);
  }
}

static void test_against_brute_force(mote_mesh mesh) {
  mote_shape *shape = solid(mesh);
  if (!CHECK(shape != NULL)) return;
  for (uint64_t i = 0; i < 400; ++i) {
    double x[3], n[3];
    kit_point(2, i, -1.6, 2.4, x);
    double f = mote_shape_closest(shape, x, n);
    CHECK_NEAR(fabs(f), brute_distance(&mesh, x), 1e-12);
    double foot[3] = {x[0] - f * n[0], x[1] - f * n[1], x[2] - f * n[2]};
    CHECK_NEAR(brute_distance(&mesh, foot), 0.0, 1e-9);
  }
  mote_shape_destroy(shape);
}

// Signs: a mesh between two solids must agree with both where they agree.
static void test_signs(mote_mesh mesh, const mote_shape_def *inner, const mote_shape_def *outer) {
  mote_shape *shape = solid(mesh), *in = kit_shape(inner, 3), *out = kit_shape(outer, 3);
  if (!CHECK(shape != NULL && in != NULL && out != NULL)) return;
  int inside = 0;
  for (uint64_t i = 0; i < 20000; ++i) {
    double x[3];
    kit_point(3, i, -1.4, 2.2, x);
    double f = mote_shape_distance(shape, x);
    if (mote_shape_distance(in, x) < 0.0) CHECK(f < 0.0), ++inside;
    if (mote_shape_distance(out, x) > 0.0) CHECK(f > 0.0);
  }
  CHECK(inside > 100);
  mote_shape_destroy(shape);
  mote_shape_destroy(in);
  mote_shape_destroy(out);
}

static void test_all_signs(void) {
  mote_mesh mesh = kit_sphere(3);
  mote_shape_def inner = mote_shape_def_sphere(0, 0, 0, 0.98), outer = mote_shape_def_sphere(0, 0, 0, 1.0);
  test_against_brute_force(mesh);
  test_signs(mesh, &inner, &outer);
  kit_free(&mesh);
  mesh = kit_torus(0.8, 0.3, 60, 30);
  inner = outer = mote_shape_def_default();
  inner.kind = outer.kind = MOTE_SHAPE_TORUS;
  inner.radius = outer.radius = 0.8;
  inner.thickness = 0.29, outer.thickness = 0.31;
  test_against_brute_force(mesh);
  test_signs(mesh, &inner, &outer);
  kit_free(&mesh);
  mesh = kit_corner();
  mote_shape_def parts[2] = {mote_shape_def_box(0, 0, 0, 2, 1, 1), mote_shape_def_box(0, 0, 0, 1, 2, 1)};
  inner = mote_shape_def_default();
  inner.kind = MOTE_SHAPE_UNION, inner.part = parts, inner.parts = 2;
  test_against_brute_force(mesh);
  test_signs(mesh, &inner, &inner);
  kit_free(&mesh);
}

// Very near to corners, edges and faces of a thin sharp mesh the sign is that of the side.
static void test_sharp(void) {
  mote_mesh mesh = kit_mesh(4, 4);  // a flat needle of a tetrahedron
  kit_vertex(&mesh, 0, 0, 0), kit_vertex(&mesh, 1, 0, 0), kit_vertex(&mesh, 0.5, 0.01, 0);
  kit_vertex(&mesh, 0.5, 0.005, 0.01);
  kit_triangle(&mesh, 0, 2, 1), kit_triangle(&mesh, 0, 1, 3), kit_triangle(&mesh, 1, 2, 3);
  kit_triangle(&mesh, 2, 0, 3);
  mote_shape *shape = solid(mesh);
  for (uint64_t i = 0; i < 20000; ++i) {
    double w[4], x[3] = {0}, sum = 0.0;
    for (uint64_t k = 0; k < 4; ++k) w[k] = kit_random(4, 4 * i + k, -0.3, 1.0), sum += w[k];
    bool inside = true;
    if (fabs(sum) < 0.1) continue;
    for (int k = 0; k < 4; ++k) {
      w[k] /= sum;
      inside = inside && w[k] > 0.0;
      for (int m = 0; m < 3; ++m) x[m] += w[k] * mesh.vertex[3 * k + m];
    }
    double f = mote_shape_distance(shape, x);
    if (fabs(f) > 1e-12) CHECK((f < 0.0) == inside);
  }
  mote_shape_destroy(shape);
  kit_free(&mesh);
}

// Every segment from inside to outside meets the surface, aimed at vertices and edges as well.
static void test_meets(void) {
  mote_mesh mesh = kit_sphere(2);
  mote_shape *shape = solid(mesh);
  for (size_t k = 0; k < 3 * mesh.triangles; ++k) {
    const double *v = mesh.vertex + 3 * (size_t)mesh.triangle[k];
    const double *w = mesh.vertex + 3 * (size_t)mesh.triangle[k / 3 * 3 + (k + 1) % 3];
    double inside[3] = {0}, at_vertex[3], at_edge[3];
    for (int m = 0; m < 3; ++m) at_vertex[m] = 3.0 * v[m], at_edge[m] = 1.5 * (v[m] + w[m]);
    double t = mote_shape_sweep(shape, at_vertex, inside, 0.0);
    CHECK_NEAR(t, 2.0 / 3.0, 1e-12);
    CHECK(mote_shape_sweep(shape, at_edge, inside, 0.0) < 1.0);
  }
  mote_shape_destroy(shape);
  kit_free(&mesh);
}

static void test_measures(void) {
  mote_mesh mesh = kit_corner();
  mote_shape_def def = mote_shape_def_default();
  def.kind = MOTE_SHAPE_MESH, def.mesh = mesh;
  def.scale = 2.0, def.angle = 0.3, def.move[0] = 1000.0;
  mote_shape *shape = kit_shape(&def, 3);
  double volume, low[3], high[3];
  CHECK(mote_shape_volume(shape, &volume, NULL) == MOTE_OK);
  CHECK_NEAR(volume, 24.0, 1e-9);
  mote_shape_bounds(shape, low, high);
  CHECK_NEAR(high[2] - low[2], 2.0, 1e-12);
  mote_shape_destroy(shape);
  kit_free(&mesh);
}

typedef struct meter {
  mote_env plain;
  size_t now, most;
} meter;

static void *meter_resize(void *user, void *block, size_t old_size, size_t size) {
  meter *m = user;
  size_t both = old_size > 0 && size > 0 ? old_size : 0;  // a block that grows may be copied
  m->now = m->now + size - old_size;
  m->most = m->now + both > m->most ? m->now + both : m->most;
  return m->plain.resize(m->plain.resize_user, block, old_size, size);
}

// Bytes a triangle, at the peak of making it and asking it.
static double peak_bytes(mote_mesh mesh, bool clean) {
  meter m = {.plain = mote_env_default()};
  mote_env env = m.plain;
  env.resize = meter_resize, env.resize_user = &m;
  mote_shape_def def = mote_shape_def_default();
  def.kind = MOTE_SHAPE_MESH, def.mesh = mesh;
  mote_shape *shape;
  if (!CHECK(mote_shape_create(&def, 3, &env, &shape, NULL) == MOTE_OK)) return HUGE_VAL;
  const double x[3] = {0.1, 0.2, 0.3};
  CHECK(mote_shape_distance(shape, x) < 0.0);
  CHECK(mote_shape_mesh_mending(shape)->united != clean);
  mote_shape_destroy(shape);
  CHECK(m.now == 0);
  return (double)m.most / (double)mesh.triangles;
}

// Clean and united, beyond the caller's arrays: half of what each took when normals of all features were
// kept, and when all triangles became pieces.
static void test_memory(void) {
  mote_mesh one = kit_sphere(5), two = {.vertices = 2 * one.vertices, .triangles = 2 * one.triangles};
  CHECK(peak_bytes(one, true) <= 200.0);
  two.vertex = malloc(2 * 3 * one.vertices * sizeof(double));
  two.triangle = malloc(2 * 3 * one.triangles * sizeof(uint32_t));
  for (size_t k = 0; k < 6 * one.vertices; ++k) {
    bool second = k >= 3 * one.vertices;
    two.vertex[k] = second ? one.vertex[k - 3 * one.vertices] + 0.7 : one.vertex[k];
  }
  for (size_t k = 0; k < 6 * one.triangles; ++k) {
    bool second = k >= 3 * one.triangles;
    two.triangle[k] = second ? one.triangle[k - 3 * one.triangles] + (uint32_t)one.vertices : one.triangle[k];
  }
  CHECK(peak_bytes(two, false) <= 250.0);
  free(two.vertex), free(two.triangle);
  kit_free(&one);
}

int main(void) {
  test_memory();
  test_triangle();
  test_all_signs();
  test_sharp();
  test_meets();
  test_measures();
  return test_end();
}
