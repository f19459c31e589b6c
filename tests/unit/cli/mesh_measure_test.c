// The measures of meshes, on meshes of which all is known.
// Links apps/validate/surfaces/mesh_measure.c apps/validate/surfaces/mesh_census.c
#include "validate/surfaces/mesh_measure.h"

#include <math.h>

#include "mesh_kit.h"
#include "test.h"

#define PI 3.14159265358979323846

static void counts_closed_meshes(void) {
  mote_mesh sphere = kit_sphere(4), torus = kit_torus(3.0, 1.0, 60, 24), both = kit_join(&sphere, &torus);
  mesh_census census;
  mesh_census_take(&both, &census);
  CHECK(mesh_census_defects(&census) == 0);
  CHECK(census.parts == 2 && census.euler == 2 && census.not_spheres == 1);
  CHECK(census.part[0].euler == 2 && census.part[1].euler == 0);
  CHECK(census.part[0].triangles == sphere.triangles && census.part[1].triangles == torus.triangles);
  // Inscribed polyhedra miss O(edge^2) of volume and area.
  CHECK_NEAR(census.part[0].volume / (4.0 / 3.0 * PI), 1.0, 0.02);
  CHECK(census.part[0].volume < 4.0 / 3.0 * PI);
  CHECK_NEAR(census.part[1].volume / (2.0 * PI * PI * 3.0), 1.0, 0.02);
  CHECK_NEAR(census.volume, census.part[0].volume + census.part[1].volume, 1e-12);
  CHECK_NEAR(census.area / (4.0 * PI + 4.0 * PI * PI * 3.0), 1.0, 0.01);
  mesh_census_free(&census);
  kit_free(&both), kit_free(&torus), kit_free(&sphere);
}

static void counts_defects(void) {
  mote_mesh box = kit_box(0, 0, 0, 1, 1, 1);
  mesh_census census;
  --box.triangles;  // three open edges
  mesh_census_take(&box, &census);
  CHECK(census.open_edges == 3 && census.crowded_edges == 0 && census.parts == 1 && census.euler == 1);
  mesh_census_free(&census);
  ++box.triangles;
  uint32_t swap = box.triangle[1];  // one turned triangle: three edges disagree
  box.triangle[1] = box.triangle[2], box.triangle[2] = swap;
  mesh_census_take(&box, &census);
  CHECK(census.flipped_edges == 3 && census.open_edges == 0 && census.euler == 2 && census.extra_fans == 0);
  mesh_census_free(&census);
  box.triangle[2] = box.triangle[1], box.triangle[1] = swap;
  box.triangle[2] = box.triangle[1];  // names a vertex twice
  mesh_census_take(&box, &census);
  CHECK(census.flat_triangles == 1 && census.open_edges == 3);
  mesh_census_free(&census);
  kit_free(&box);
}

// Two boxes that share a corner, then an edge.
static void counts_pinches(void) {
  mote_mesh a = kit_box(0, 0, 0, 1, 1, 1), b = kit_box(1, 1, 1, 2, 2, 2), both = kit_join(&a, &b);
  mesh_census census;
  for (size_t k = 3 * a.triangles; k < 3 * both.triangles; ++k)
    if (both.triangle[k] == 8) both.triangle[k] = 7;
  mesh_census_take(&both, &census);
  CHECK(census.extra_fans == 1 && census.unused_vertices == 1 && census.crowded_edges == 0);
  CHECK(census.parts == 2 && census.euler == 4 && census.not_spheres == 0);
  mesh_census_free(&census);
  kit_free(&both);
  both = kit_join(&a, &a);
  for (size_t k = 3 * a.triangles; k < 3 * both.triangles; ++k)
    if (both.triangle[k] == 8 || both.triangle[k] == 9) both.triangle[k] -= 8;
  mesh_census_take(&both, &census);
  CHECK(census.crowded_edges == 1);
  mesh_census_free(&census);
  kit_free(&both), kit_free(&a), kit_free(&b);
}

static void counts_nothing(void) {
  mote_mesh none = {0};
  mesh_census census;
  mesh_census_take(&none, &census);
  CHECK(mesh_census_defects(&census) == 0 && census.parts == 0 && census.euler == 0);
  mesh_census_free(&census);
  CHECK(mesh_angles_measure(&none).below_10 == 0.0);
}

static void measures_angles(void) {
  mote_mesh box = kit_box(0, 0, 0, 1, 1, 1);
  mesh_angles angles = mesh_angles_measure(&box);
  CHECK_NEAR(angles.least, 45.0, 1e-12);
  CHECK_NEAR(angles.first_percent, 45.0, 0.1 + 1e-9);
  CHECK(angles.below_10 == 0.0);
  kit_free(&box);
  box = kit_box(0, 0, 0, 10, 1, 1);  // four of six sides have angles of atan(1/10) = 5.71 degrees
  angles = mesh_angles_measure(&box);
  CHECK_NEAR(angles.least, atan(0.1) * 180.0 / PI, 1e-9);
  CHECK_NEAR(angles.below_10, 2.0 / 3.0, 1e-12);
  kit_free(&box);
}

// --- Distances --------------------------------------------------------------------------------------------

static mote_shape *sphere_shape(double radius) {
  mote_shape_def def = mote_shape_def_sphere(0, 0, 0, radius);
  mote_shape *shape = NULL;
  CHECK(mote_shape_create(&def, 3, NULL, &shape, NULL) == MOTE_OK);
  return shape;
}

static mesh_weight upper_half(const void *user, const double x[3]) {
  (void)user;
  return x[1] > 0.0 ? MESH_PLACE_AND_NORMAL : MESH_SKIP;
}

// A unit sphere whose vertices lie at 1 + e Y with Y = x y / (its root mean square over the sphere), and
// whose normals are turned by 3 degrees.
static void fits_a_bumpy_sphere(void) {
  mote_mesh mesh = kit_sphere(5);
  const double e = 0.01, rms = sqrt(1.0 / 15.0), turn = 3.0 * PI / 180.0;
  float *normal = malloc(3 * mesh.vertices * sizeof *normal);
  for (size_t i = 0; i < mesh.vertices; ++i) {
    double *x = mesh.vertex + 3 * i, n[3] = {x[0], x[1], x[2]}, scale = 1.0 + e * x[0] * x[1] / rms;
    double t[3] = {-n[1], n[0], 0.0}, length = sqrt(n[0] * n[0] + n[1] * n[1]);
    if (length == 0.0) t[0] = length = 1.0;
    for (int k = 0; k < 3; ++k) {
      normal[3 * i + k] = (float)(cos(turn) * n[k] + sin(turn) * t[k] / length);
      x[k] *= scale;
    }
  }
  mote_surface surface = {.mesh = mesh, .normal = normal};
  mote_shape *exact = sphere_shape(1.0), *large = sphere_shape(1.1);
  mesh_fit fit = mesh_fit_shape(&surface, exact, NULL, NULL);
  CHECK_NEAR(fit.mean, 0.0, 3e-4);  // e^2 and the areas of flat triangles
  CHECK_NEAR(fit.scatter, e, 0.02 * e);
  CHECK_NEAR(fit.error, e, 0.02 * e);
  CHECK_NEAR(fit.worst, 0.5 * e / rms, 0.02 * e);
  CHECK_NEAR(fit.normal, 3.0, 1e-4);
  CHECK_NEAR(fit.area, 4.0 * PI, 0.02 * 4.0 * PI);
  fit = mesh_fit_shape(&surface, large, upper_half, NULL);
  CHECK_NEAR(fit.mean, -0.1, 3e-4);
  CHECK_NEAR(fit.scatter, e, 0.05 * e);
  CHECK_NEAR(fit.area, 2.0 * PI, 0.1 * 2.0 * PI);  // the equator's vertices are left out
  mote_shape_destroy(exact), mote_shape_destroy(large);
  free(normal), kit_free(&mesh);
}

static void sees_holes(void) {
  mote_mesh torus = kit_torus(3.0, 1.0, 200, 60);
  const double origin[3] = {-4, -4, 7}, u[3] = {1, 0, 0}, v[3] = {0, 1, 0}, lengths[2] = {8, 8};
  // Seen along its axis: a ring between the radii 2 and 4.
  CHECK_NEAR(mesh_uncovered(&torus, origin, u, v, lengths, 0.02), 1.0 - 12.0 * PI / 64.0, 0.002);
  const double centre[3] = {-0.5, -0.5, 0}, small[2] = {1, 1}, ring[3] = {2.5, -0.5, 0};
  CHECK(mesh_uncovered(&torus, centre, u, v, small, 0.02) == 1.0);
  CHECK(mesh_uncovered(&torus, ring, u, v, small, 0.02) == 0.0);
  const double zero[3] = {0, 0, 0};
  CHECK_NEAR(mesh_reach(&torus, zero, u, 0.5, HUGE_VAL), 4.0, 0.02);
  CHECK_NEAR(mesh_reach(&torus, centre, u, 0.6, HUGE_VAL), 4.5, 0.02);
  CHECK_NEAR(mesh_reach(&torus, zero, u, 0.5, 3.0), 3.0 - sqrt(0.75), 0.02);  // the inner side
  CHECK(mesh_reach(&torus, zero, (double[3]){0, 0, 1}, 0.5, HUGE_VAL) == -HUGE_VAL);
  kit_free(&torus);
}

static void curves(void) {
  mote_mesh sphere = kit_sphere(5), inside;
  for (size_t k = 0; k < 3 * sphere.vertices; ++k) sphere.vertex[k] *= 2.0;
  double *H = mesh_curvature(&sphere), *mean = mesh_kernel_mean(&sphere, H, 0.4), worst = 0.0;
  CHECK(mesh_relative_rms(&sphere, H, 0.5) < 0.05);
  CHECK(mesh_relative_rms(&sphere, mean, 0.5) < mesh_relative_rms(&sphere, H, 0.5));
  inside = sphere;  // turned inside out the curvature is negative
  for (size_t t = 0; t < inside.triangles; ++t) {
    uint32_t swap = inside.triangle[3 * t];
    inside.triangle[3 * t] = inside.triangle[3 * t + 1], inside.triangle[3 * t + 1] = swap;
  }
  double *turned = mesh_curvature(&inside);
  for (size_t i = 0; i < sphere.vertices; ++i) worst = fmax(worst, fabs(turned[i] + H[i]));
  CHECK(worst < 1e-9);
  for (size_t i = 0; i < sphere.vertices; ++i) H[i] = 0.75;
  CHECK_NEAR(mesh_relative_rms(&sphere, H, 0.5), 0.5, 1e-12);
  free(H), free(mean), free(turned), kit_free(&sphere);
}

int main(void) {
  counts_closed_meshes();
  counts_defects();
  counts_pinches();
  counts_nothing();
  measures_angles();
  fits_a_bumpy_sphere();
  sees_holes();
  curves();
  return test_end();
}
