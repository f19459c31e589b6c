// Creation and its errors: several parts, duplicated vertices, overlapping parts, shells, flat and open
// meshes; a pose from vertices; normals; bad arguments.
#include <math.h>

#include "deform_kit.h"
#include "geom/triple.h"
#include "test.h"

static mote_result create(const mote_mesh *mesh, double thickness, size_t nodes, mote_deform **out,
                          mote_error *error) {
  mote_deform_def def = mote_deform_def_default();
  def.mesh = *mesh, def.thickness = thickness, def.nodes = nodes;
  *out = NULL;
  return mote_deform_create(&def, NULL, out, error);
}

// A rotation of all by two handles is a rotation of every vertex and normal.
static void check_rigid(mote_deform *d, const mote_mesh *mesh) {
  mote_pose pose = kit_pose(0.6, 0.8, 1.0);
  size_t n = mesh->vertices;
  double *x = malloc(3 * n * sizeof *x), *normal = malloc(3 * n * sizeof *normal), worst = 0.0;
  uint32_t *all = malloc(n * sizeof *all);
  for (size_t i = 0; i < n; ++i) all[i] = (uint32_t)i;
  mote_deform_handle h;
  mote_deform_report r;
  CHECK(mote_deform_add_region(d, all, n, &h, NULL) == MOTE_OK);
  CHECK(mote_deform_set_pose(d, h, &pose, NULL) == MOTE_OK);
  CHECK(mote_deform_solve(d, NULL, &r, NULL) == MOTE_OK && r.arrived);
  CHECK(mote_deform_read(d, x, normal, NULL) == MOTE_OK);
  for (size_t i = 0; i < n; ++i) {
    double off[3], to[3];
    sub3(mesh->vertex + 3 * i, pose.pivot, off);
    turn3(pose.rotation, off, to);
    for (int k = 0; k < 3; ++k)
      worst = max2(worst, fabs(to[k] + pose.pivot[k] + pose.move[k] - x[3 * i + (size_t)k]));
    CHECK_NEAR(length3(normal + 3 * i), 1.0, 1e-5);
  }
  CHECK_NEAR(worst, 0.0, 1e-4 * mote_deform_size(d));
  free(x), free(normal), free(all);
}

static void test_mesh(int nx, int ny, int nz, kit_inside_fn *inside, bool split, double thickness) {
  kit_boxes b = kit_boxes_make(nx, ny, nz, 0.1, inside, split);
  mote_deform *d;
  mote_error error = {0};
  if (CHECK(create(&b.mesh, thickness, 60, &d, &error) == MOTE_OK)) {
    CHECK(mote_deform_nodes(d) >= 60 && mote_deform_nodes(d) < 80 &&
          mote_deform_vertices(d) == b.mesh.vertices);
    check_rigid(d, &b.mesh);
  } else {
    fprintf(stderr, "  %s: %s\n", error.key, error.text);
  }
  mote_deform_destroy(d);
  kit_boxes_free(&b);
}

static bool two_parts(int i, int j, int k) {
  (void)i, (void)j;
  return k < 8 || k > 10;
}

static bool small_part(int i, int j, int k) {
  (void)i, (void)j;
  return k < 18 || k == 19;
}

static bool slabs(int i, int j, int k) {
  (void)i, (void)j;
  return k % 2 == 0;
}

static void test_errors(void) {
  kit_boxes b = kit_boxes_make(6, 6, 12, 0.1, NULL, false);
  mote_deform *d;
  mote_error error;
  mote_mesh mesh = b.mesh;
  mesh.triangles = 0;
  CHECK(create(&mesh, 0.0, 60, &d, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, "mesh");
  mesh = b.mesh, mesh.triangles /= 2;
  CHECK(create(&mesh, 0.0, 60, &d, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, "mesh");
  CHECK(strstr(error.text, "open") != NULL);
  CHECK(create(&mesh, 0.05, 60, &d, &error) == MOTE_OK);  // a shell
  mote_deform_destroy(d);
  CHECK(create(&b.mesh, 0.0, 3, &d, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, "nodes");
  CHECK(create(&b.mesh, (double)NAN, 60, &d, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, "thickness");
  double was = b.mesh.vertex[5];
  b.mesh.vertex[5] = (double)NAN;
  CHECK(create(&b.mesh, 0.0, 60, &d, &error) == MOTE_ERROR_ARGUMENT);
  b.mesh.vertex[5] = was;
  for (size_t i = 0; i < b.mesh.vertices; ++i) b.mesh.vertex[3 * i] = 1.0;
  CHECK(create(&b.mesh, 0.0, 60, &d, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, "mesh");
  kit_boxes_free(&b);
}

static void test_arguments(void) {
  kit_boxes b;
  mote_deform *d = kit_bar(&b, 40, 1);
  mote_error error;
  uint32_t bad = (uint32_t)b.mesh.vertices;
  mote_pose pose = kit_pose(1.0, 0.5, 0.0);
  double nan3[3] = {(double)NAN, 0.0, 0.0};
  if (!CHECK(d != NULL)) return;
  CHECK(mote_deform_add_region(d, &bad, 1, NULL, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_deform_add_region(d, &bad, 0, NULL, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_deform_set_pose(d, 0, &pose, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, "rotation");
  CHECK(mote_deform_set_pose(d, 2, &pose, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, "handle");
  CHECK(mote_deform_add_point(d, nan3, NULL, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_deform_set_state(d, NULL, &error) == MOTE_ERROR_ARGUMENT);
  mote_deform_solve_opts opts = mote_deform_solve_opts_default();
  opts.walk_angle = 0.0;
  CHECK(mote_deform_solve(d, &opts, NULL, &error) == MOTE_ERROR_ARGUMENT);
  mote_deform_destroy(d);
  kit_boxes_free(&b);
}

// A bent bar is found again from its vertices.
static void test_fit(void) {
  kit_boxes b;
  mote_deform *d = kit_bar(&b, 60, 1);
  if (!CHECK(d != NULL)) return;
  mote_pose pose = kit_pose(0.6, 0.8, 0.0);
  size_t n = 3 * b.mesh.vertices;
  double *x = malloc(n * sizeof *x), distance;
  mote_deform_set_pose(d, 1, &pose, NULL);
  CHECK(mote_deform_solve(d, NULL, NULL, NULL) == MOTE_OK);
  mote_deform_read(d, x, NULL, NULL);
  mote_deform_reset(d);
  CHECK(mote_deform_fit(d, x, &distance, NULL) == MOTE_OK);
  CHECK(distance < 1e-3 * mote_deform_size(d));
  CHECK(mote_deform_handles(d) == 2);
  free(x);
  mote_deform_destroy(d);
  kit_boxes_free(&b);
}

// Values of the nodes at points inside: exact for linear fields, and the mesh's own vertices.
static void test_interpolate(void) {
  kit_boxes b;
  mote_deform *d = kit_bar(&b, 40, 1);
  if (!CHECK(d != NULL)) return;
  size_t nodes = mote_deform_nodes(d);
  const double *rest = mote_deform_rest(d);
  double *value = malloc(3 * nodes * sizeof *value), *out = malloc(3 * b.mesh.vertices * sizeof *out),
         *read = malloc(3 * b.mesh.vertices * sizeof *read);
  for (size_t a = 0; a < nodes; ++a) {
    value[3 * a] = 1.0 + 2.0 * rest[3 * a] - rest[3 * a + 2];
    value[3 * a + 1] = rest[3 * a + 1] + 0.5 * rest[3 * a], value[3 * a + 2] = 3.0;
  }
  const double point[6] = {0.3, 0.4, 1.7, 0.9, 0.1, 3.2};
  CHECK(mote_deform_interpolate(d, value, point, 2, out, NULL) == MOTE_OK);
  for (int k = 0; k < 2; ++k) {
    const double *x = point + 3 * k;
    CHECK_NEAR(out[3 * k], 1.0 + 2.0 * x[0] - x[2], 1e-12);
    CHECK_NEAR(out[3 * k + 1], x[1] + 0.5 * x[0], 1e-12);
    CHECK_NEAR(out[3 * k + 2], 3.0, 1e-12);
  }
  mote_pose pose = kit_pose(0.6, 0.8, 0.3);
  CHECK(mote_deform_set_pose(d, 1, &pose, NULL) == MOTE_OK &&
        mote_deform_solve(d, NULL, NULL, NULL) == MOTE_OK);
  CHECK(mote_deform_read(d, read, NULL, NULL) == MOTE_OK);
  CHECK(mote_deform_interpolate(d, mote_deform_state(d), b.mesh.vertex, b.mesh.vertices, out, NULL) ==
        MOTE_OK);
  double worst = 0.0;
  for (size_t k = 0; k < 3 * b.mesh.vertices; ++k) worst = fmax(worst, fabs(out[k] - read[k]));
  CHECK_NEAR(worst, 0.0, 1e-5);  // single precision of the mesh's table
  value[4] = (double)NAN;
  mote_error error = {0};
  CHECK(mote_deform_interpolate(d, value, point, 2, out, &error) == MOTE_ERROR_ARGUMENT);
  free(value), free(out), free(read);
  mote_deform_destroy(d);
  kit_boxes_free(&b);
}

int main(void) {
  test_mesh(6, 6, 20, NULL, false, 0.0);
  test_mesh(6, 6, 20, NULL, true, 0.0);
  test_mesh(6, 6, 20, two_parts, false, 0.0);
  test_mesh(6, 6, 20, small_part, true, 0.0);
  test_mesh(6, 6, 31, slabs, false, 0.0);
  test_mesh(6, 6, 20, NULL, false, 0.08);
  test_errors();
  test_arguments();
  test_fit();
  test_interpolate();
  return test_end();
}
