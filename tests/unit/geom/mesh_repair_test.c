// Examining and mending meshes: every fault is found, named or mended.
#include <mote/mote.h>

#include "mesh_kit.h"
#include "shape_kit.h"
#include "stingy.h"
#include "test.h"

static mote_mesh_report examine(const mote_mesh *mesh) {
  mote_mesh_report report = {0};
  CHECK(mote_mesh_examine(mesh, NULL, &report, NULL) == MOTE_OK);
  return report;
}

static void mends(const mote_mesh *mesh, double volume) {
  mote_mesh mended;
  mote_error error = {0};
  if (!CHECK(mote_mesh_repair(mesh, NULL, &mended, NULL, &error) == MOTE_OK)) {
    fprintf(stderr, "  %s\n", error.text);
    return;
  }
  mote_mesh_report r = examine(&mended);
  CHECK(r.open_edges + r.crowded_edges + r.flipped_edges + r.flat_triangles + r.crossings == 0);
  CHECK_NEAR(r.volume, volume, 1e-12);
  mote_mesh_free(&mended, NULL);
}

static void refuses(const mote_mesh *mesh, const char *text) {
  mote_mesh mended = {.vertices = 7};
  mote_error error = {0};
  CHECK(mote_mesh_repair(mesh, NULL, &mended, NULL, &error) == MOTE_ERROR_ARGUMENT);
  if (!CHECK(strstr(error.text, text) != NULL)) fprintf(stderr, "  %s\n", error.text);
  CHECK(mended.vertices == 7);
  mote_shape_def def = mote_shape_def_default();
  def.kind = MOTE_SHAPE_MESH, def.mesh = *mesh;
  mote_shape *shape = NULL;
  CHECK(mote_shape_create(&def, 3, NULL, &shape, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, "mesh");
}

static void test_good(void) {
  mote_mesh mesh = kit_corner();
  mote_mesh_report r = examine(&mesh);
  CHECK(r.parts == 1);
  CHECK_NEAR(r.volume, 3.0, 1e-14);
  CHECK_NEAR(r.area, 14.0, 1e-14);
  CHECK(r.low[0] == 0.0 && r.high[0] == 2.0 && r.high[2] == 1.0);
  CHECK(r.open_edges + r.crowded_edges + r.flipped_edges + r.flat_triangles + r.crossings == 0);
  mends(&mesh, 3.0);
  kit_free(&mesh);
}

// Euler numbers, genus, fans and angles.
static void test_shape_report(void) {
  mote_mesh box = kit_box(0, 0, 0, 1, 1, 1), ring = kit_torus(2.0, 0.5, 24, 12);
  mote_mesh_report r = examine(&box);
  CHECK(r.euler == 2 && r.genus == 0 && r.pinched_vertices == 0 && r.thin_share == 0.0);
  CHECK_NEAR(r.smallest_angle, atan(1.0), 1e-15);
  CHECK_NEAR(r.low_angle, atan(1.0), 1e-15);
  r = examine(&ring);
  CHECK(r.euler == 0 && r.genus == 1 && r.pinched_vertices == 0);
  box.vertex[3 * 7 + 2] = 0.1;  // a lower corner: two sides have a thin triangle each
  box.triangles = 11;
  r = examine(&box);
  CHECK(r.genus == -1 && r.euler == 1 && r.smallest_angle < 0.1 && r.thin_share > 0.1);
  // Two tetrahedra that share a vertex.
  uint32_t triangle[24] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3, 3, 5, 4, 3, 4, 6, 4, 5, 6, 5, 3, 6};
  double x[21] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 0, 0, 2};
  mote_mesh two = {x, triangle, 7, 8};
  r = examine(&two);
  CHECK(r.pinched_vertices == 1 && r.open_edges == 0 && r.parts == 2 && r.genus == -1 && r.euler == 3);
  kit_free(&box), kit_free(&ring);
}

typedef bool inside_fn(const double x[3]);

// The mesh becomes the solid that `inside` describes, with this line about it; points within 0.01 of its
// surface are not asked.
static mote_mesh_mending becomes(const mote_mesh *mesh, double volume, inside_fn *inside, const char *line) {
  mote_mesh mended;
  mote_mesh_mending done = {0};
  mote_error error = {0};
  char text[256];
  if (!CHECK(mote_mesh_repair(mesh, NULL, &mended, &done, &error) == MOTE_OK)) {
    fprintf(stderr, "  %s\n", error.text);
    return done;
  }
  mote_mesh_mending_text(&done, text, sizeof text);
  if (!CHECK_TEXT(text, line)) fprintf(stderr, "  %s\n", text);
  CHECK_NEAR(mote_mesh_volume(&mended), volume, 1e-5 * volume);
  mote_mesh_free(&mended, NULL);
  mote_shape_def def = mote_shape_def_default();
  def.kind = MOTE_SHAPE_MESH, def.mesh = *mesh;
  mote_shape *shape = NULL;
  if (!CHECK(mote_shape_create(&def, 3, NULL, &shape, &error) == MOTE_OK)) return done;
  size_t wrong = 0, far = 0;
  for (uint64_t k = 0; k < 3000; ++k) {
    double x[3], d;
    kit_point(5, k, -0.5, 2.5, x);
    d = mote_shape_distance(shape, x);
    if (fabs(d) < 0.01) continue;
    wrong += (d < 0.0) != inside(x);
    // No point of the other side is nearer than the distance says, so no face inside of the solid is left.
    for (int c = 0; c < 6; ++c) {
      double y[3] = {x[0], x[1], x[2]};
      y[c / 2] += (c % 2 ? 0.99 : -0.99) * fabs(d);
      far += inside(y) != inside(x);
    }
  }
  CHECK(wrong == 0 && far == 0);
  mote_shape_destroy(shape);
  return done;
}

static bool in_box(const double x[3], double x0, double y0, double z0, double x1, double y1, double z1) {
  return x[0] > x0 && x[0] < x1 && x[1] > y0 && x[1] < y1 && x[2] > z0 && x[2] < z1;
}

static double distance_at(const mote_mesh *mesh, double x, double y, double z) {
  mote_shape_def def = mote_shape_def_default();
  mote_shape *shape = NULL;
  def.kind = MOTE_SHAPE_MESH, def.mesh = *mesh;
  if (!CHECK(mote_shape_create(&def, 3, NULL, &shape, NULL) == MOTE_OK)) return 0.0;
  double d = mote_shape_distance(shape, (const double[3]){x, y, z});
  mote_shape_destroy(shape);
  return d;
}

static bool in_unit(const double x[3]) {
  return in_box(x, 0, 0, 0, 1, 1, 1);
}

static bool in_corner(const double x[3]) {
  return in_box(x, 0, 0, 0, 2, 2, 1) && !in_box(x, 1, 1, 0, 2, 2, 1);
}

static void test_open(void) {
  mote_mesh mesh = kit_box(0, 0, 0, 1, 1, 1);
  mesh.triangles = 11;
  CHECK(examine(&mesh).open_edges == 3);
  becomes(&mesh, 1.0, in_unit, "closed 1 small hole");
  mesh.triangles = 10;  // a box without lid
  refuses(&mesh, "the mesh has no inside: it is a sheet with 4 open edges");
  mesh.triangles = 2;
  refuses(&mesh, "the mesh has no inside");
  mesh.triangles = 0;
  CHECK(examine(&mesh).parts == 0);
  refuses(&mesh, "no triangles");
  kit_free(&mesh);
}

static void test_flipped(void) {
  mote_mesh mesh = kit_box(0, 0, 0, 1, 1, 1);
  for (size_t t = 0; t < 12; ++t) {  // first one, then another, then all but one
    uint32_t *v = mesh.triangle + 3 * t, swap = v[0];
    v[0] = v[1], v[1] = swap;
    if (t < 11) CHECK(examine(&mesh).flipped_edges > 0);
    mends(&mesh, 1.0);
  }
  CHECK_NEAR(examine(&mesh).volume, -1.0, 1e-14);  // inside out
  kit_free(&mesh);
}

// As STL has it: three vertices to each triangle, numbers of its own.
static void test_unwelded(void) {
  mote_mesh good = kit_corner(), mesh = kit_mesh(84, 30);
  for (size_t k = 0; k < 3 * good.triangles; ++k) {
    const double *x = good.vertex + 3 * (size_t)good.triangle[k];
    kit_vertex(&mesh, x[0], x[1], x[2] == 0.0 ? -0.0 : x[2]);
    if (k % 3 == 2) kit_triangle(&mesh, (uint32_t)k - 2, (uint32_t)k - 1, (uint32_t)k);
  }
  kit_triangle(&mesh, 0, 0, 1);  // without area
  CHECK(examine(&mesh).open_edges == 84);
  CHECK(examine(&mesh).flat_triangles == 1);
  CHECK(examine(&mesh).parts == 28);
  mends(&mesh, 3.0);
  mesh.triangles = 27;
  becomes(&mesh, 3.0, in_corner, "closed 1 small hole");
  kit_free(&good);
  kit_free(&mesh);
}

// A side of a box cut twice: three corners in a row. The flip gives the long side its middle vertex.
static void test_flat(void) {
  mote_mesh mesh = kit_mesh(5, 6);
  kit_vertex(&mesh, 0, 0, 0), kit_vertex(&mesh, 1, 0, 0), kit_vertex(&mesh, 0, 1, 0),
      kit_vertex(&mesh, 0, 0, 1);
  kit_vertex(&mesh, 0.5, 0, 0);
  kit_triangle(&mesh, 0, 2, 4), kit_triangle(&mesh, 4, 2, 1);  // the bottom knows the middle,
  kit_triangle(&mesh, 0, 1, 3);                                // this one does not,
  kit_triangle(&mesh, 0, 4, 1);                                // so a flat one lies between
  kit_triangle(&mesh, 0, 3, 2), kit_triangle(&mesh, 1, 2, 3);
  CHECK(examine(&mesh).flat_triangles == 1);
  CHECK(examine(&mesh).open_edges == 0);
  mends(&mesh, 1.0 / 6.0);
  kit_free(&mesh);
}

static bool in_two(const double x[3]) {
  return in_unit(x) || in_box(x, 1, 1, 0, 2, 2, 1);
}

static bool in_row(const double x[3]) {
  return in_box(x, 0, 0, 0, 2, 1, 1);
}

static void test_crowded(void) {
  mote_mesh a = kit_box(0, 0, 0, 1, 1, 1), b = kit_box(1, 1, 0, 2, 2, 1), mesh = kit_join(&a, &b);
  becomes(&mesh, 2.0, in_two, "triangles touch or cross: united");  // the boxes share an edge,
  kit_free(&mesh), kit_free(&b);
  b = kit_box(1, 0, 0, 2, 1, 1);
  mesh = kit_join(&a, &b);
  becomes(&mesh, 2.0, in_row, "triangles touch or cross: united");  // a side
  CHECK_NEAR(distance_at(&mesh, 1.0, 0.5, 0.5), -0.5, 1e-12);
  kit_free(&a), kit_free(&b), kit_free(&mesh);
}

static bool in_crossed(const double x[3]) {
  return in_unit(x) || in_box(x, 0.5, 0.4, 0.3, 2, 2, 2);
}

static bool in_shifted(const double x[3]) {
  return in_box(x, 0, 0, 0, 1.5, 1, 1);
}

static bool in_tower(const double x[3]) {
  return in_unit(x) || in_box(x, 0.2, 0.2, 1, 0.8, 0.8, 2) || in_box(x, 0.2, 0.2, 0.9, 0.8, 0.8, 1.1);
}

static void turn_all(mote_mesh *mesh, size_t from) {
  for (size_t t = from; t < mesh->triangles; ++t) {
    uint32_t *v = mesh->triangle + 3 * t, swap = v[0];
    v[0] = v[1], v[1] = swap;
  }
}

static void test_crossing(void) {
  mote_mesh a = kit_box(0, 0, 0, 1, 1, 1), b = kit_box(0.5, 0.4, 0.3, 2, 2, 2), mesh = kit_join(&a, &b);
  double volume = 1.0 + 1.5 * 1.6 * 1.7 - 0.5 * 0.6 * 0.7;
  CHECK(examine(&mesh).crossings > 0);
  CHECK(examine(&mesh).parts == 2);
  becomes(&mesh, volume, in_crossed, "2 parts cross: united");
  turn_all(&mesh, 12);
  becomes(&mesh, volume, in_crossed, "2 parts cross: united, turned 12 triangles");
  kit_free(&b), kit_free(&mesh);
  b = kit_box(0.5, 0, 0, 1.5, 1, 1);  // sides in common planes
  mesh = kit_join(&a, &b);
  becomes(&mesh, 1.5, in_shifted, "2 parts cross: united");
  kit_free(&b), kit_free(&mesh);
  b = kit_box(0.2, 0.2, 1, 0.8, 0.8, 2);  // a small box standing on the top
  mesh = kit_join(&a, &b);
  becomes(&mesh, 1.36, in_tower, "2 parts cross: united");
  CHECK_NEAR(distance_at(&mesh, 0.5, 0.5, 1.0), -0.3, 1e-12);
  kit_free(&b), kit_free(&mesh);
  mesh = kit_join(&a, &a);  // twice the same
  becomes(&mesh, 1.0, in_unit, "2 parts cross: united");
  kit_free(&a), kit_free(&mesh);
}

static void test_nested(void) {
  mote_mesh a = kit_box(0, 0, 0, 1, 1, 1), b = kit_box(0.2, 0.2, 0.2, 0.8, 0.8, 0.8),
            c = kit_box(0.4, 0.4, 0.4, 0.6, 0.6, 0.6);
  mote_mesh two = kit_join(&a, &b), three = kit_join(&two, &c);
  mends(&two, 1.0 - 0.216);            // a cavity,
  mends(&three, 1.0 - 0.216 + 0.008);  // with an island in it
  kit_free(&a), kit_free(&b), kit_free(&c), kit_free(&two), kit_free(&three);
}

// A closed surface with one side: opposite edges of a grid glued with a twist (a Klein bottle, which crosses
// itself in space; its lack of an outside is found first).
static void test_one_sided(void) {
  enum { N = 6 };
  mote_mesh mesh = kit_mesh(N * N, 2 * N * N);
  for (int k = 0; k < N * N; ++k) kit_vertex(&mesh, kit_random(1, (uint64_t)k, 0, 1), k / N, k % N);
  for (int k = 0; k < N * N; ++k) {
    int i = k / N, j = k % N, i2 = (i + 1) % N, j2 = (j + 1) % N;
    int far = i2 == 0 ? (N - j) % N : j, far2 = i2 == 0 ? (N - j2) % N : j2;
    kit_triangle(&mesh, (uint32_t)k, (uint32_t)(i2 * N + far), (uint32_t)(i2 * N + far2));
    kit_triangle(&mesh, (uint32_t)k, (uint32_t)(i2 * N + far2), (uint32_t)(i * N + j2));
  }
  refuses(&mesh, "no outside");
  kit_free(&mesh);
}

static void test_malformed(void) {
  mote_mesh mesh = kit_box(0, 0, 0, 1, 1, 1), none = {.vertices = 3, .triangles = 1};
  mesh.triangle[10] = 8;
  refuses(&mesh, "triangle 3 names vertex 8 of 8");
  mesh.triangle[10] = 0;
  mesh.vertex[4] = (double)NAN;
  refuses(&mesh, "vertex 1 is not finite");
  refuses(&none, "no arrays");
  CHECK(mote_mesh_examine(NULL, NULL, NULL, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_mesh_repair(&mesh, NULL, NULL, NULL, NULL) == MOTE_ERROR_ARGUMENT);
  mote_mesh_free(NULL, NULL);
  kit_free(&mesh);
}

static void test_memory(void) {
  mote_mesh mesh = kit_corner();
  mote_shape_def def = mote_shape_def_default();
  def.kind = MOTE_SHAPE_MESH, def.mesh = mesh;
  for (int granted = 0; granted < 100; ++granted) {
    stingy s;
    mote_env env = stingy_env(&s, granted);
    mote_shape *shape = NULL;
    mote_result result = mote_shape_create(&def, 3, &env, &shape, NULL);
    CHECK(result == MOTE_OK || result == MOTE_ERROR_MEMORY);
    if (!result) mote_shape_destroy(shape);
    CHECK(s.held == 0);
    if (!result) break;
    env = stingy_env(&s, granted);
    mote_mesh_report report;
    result = mote_mesh_examine(&mesh, &env, &report, NULL);
    CHECK(result == MOTE_OK || result == MOTE_ERROR_MEMORY);
    CHECK(s.held == 0);
  }
  kit_free(&mesh);
}

int main(void) {
  test_good();
  test_shape_report();
  test_open();
  test_flipped();
  test_unwelded();
  test_flat();
  test_crowded();
  test_crossing();
  test_nested();
  test_one_sided();
  test_malformed();
  test_memory();
  return test_end();
}
