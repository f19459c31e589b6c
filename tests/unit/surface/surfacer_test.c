// Surfaces of small sets of particles by every method: closed, oriented, of the right size.
#include <math.h>
#include <mote/surface.h>
#include <stdlib.h>

#include "test.h"

static mote_mesh_report build(const mote_surface_def *def, const double *x, size_t count) {
  mote_error error = {0};
  mote_mesh_report report = {0};
  mote_surfacer *surfacer;
  mote_surface surface = {0};
  if (!CHECK(mote_surfacer_create(def, NULL, &surfacer, &error) == MOTE_OK)) return report;
  mote_surface_particles particles = {.position = x, .count = count};
  CHECK(mote_surfacer_build(surfacer, &particles, &surface, &error) == MOTE_OK);
  CHECK_TEXT(error.text, "");
  CHECK(mote_mesh_examine(&surface.mesh, NULL, &report, &error) == MOTE_OK);
  CHECK(report.open_edges + report.crowded_edges + report.flipped_edges + report.flat_triangles == 0);
  CHECK(mote_surfacer_stats(surfacer).vertices == surface.mesh.vertices);
  mote_surface_free(&surface, NULL);
  mote_surfacer_destroy(surfacer);
  return report;
}

static mote_surface_def def_of(mote_surface_method method) {
  mote_surface_def def = mote_surface_def_default();
  def.method = method;
  def.spacing = 1.0;
  return def;
}

static void test_nothing(void) {
  for (int m = 0; m < MOTE_SURFACE_METHODS; ++m) {
    mote_surface_def def = def_of((mote_surface_method)m);
    CHECK(build(&def, NULL, 0).parts == 0);
  }
}

// One particle is a ball, but for blobs whose isovalue is that of a pool.
static void test_one(void) {
  const double x[3] = {0.3, -0.2, 0.1};
  for (int m = 0; m < MOTE_SURFACE_METHODS; ++m) {
    mote_surface_def def = def_of((mote_surface_method)m);
    def.cell = 0.1;
    if (m == MOTE_SURFACE_BLOBS) def.radius = 0.6;
    mote_mesh_report report = build(&def, x, 1);
    CHECK(report.parts == 1);
    double radius = (report.high[0] - report.low[0]) / 2, ball = 4.18879 * radius * radius * radius;
    CHECK(report.volume > 0.97 * ball && report.volume < ball);
    if (m == MOTE_SURFACE_BLOBS) CHECK_NEAR(radius, 0.6, 0.01);
    for (int a = 0; a < 3; ++a) CHECK_NEAR((report.low[a] + report.high[a]) / 2, x[a], 0.01);
  }
}

// A slab of the lattice is as thick as its layers are many: that is what the isovalue is chosen for.
static void test_slab(void) {
  enum { SIDE = 16, DEEP = 6 };
  static double x[3 * SIDE * SIDE * DEEP];
  size_t n = 0;
  for (int k = 0; k < DEEP; ++k) {
    for (int j = 0; j < SIDE; ++j) {
      for (int i = 0; i < SIDE; ++i, ++n) x[3 * n] = i, x[3 * n + 1] = j, x[3 * n + 2] = k;
    }
  }
  for (int m = 0; m < MOTE_SURFACE_METHODS; ++m) {
    mote_surface_def def = def_of((mote_surface_method)m);
    double inner = 4.0;
    for (int a = 0; a < 2; ++a) def.clip_low[a] = inner, def.clip_high[a] = SIDE - 1 - inner;
    mote_mesh_report report = build(&def, x, n);
    CHECK(report.parts == 1);
    double area = (SIDE - 1 - 2 * inner) * (SIDE - 1 - 2 * inner);
    if (m != MOTE_SURFACE_MASS) CHECK_NEAR(report.volume / area, DEEP, 0.25);
  }
}

int main(void) {
  test_nothing();
  test_one();
  test_slab();
  return test_end();
}
