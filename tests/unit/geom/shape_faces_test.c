// The surface of shapes as elements: areas of boxes are exact, closed surfaces sum to zero, Gauss' integral
// of x is the volume; parts inside another shape.
#include "geom/shape_faces.h"

#include <math.h>

#include "base/memory.h"
#include "geom/triple.h"
#include "shape_kit.h"
#include "test.h"

// Sum of area vectors, of their sizes, and of x . A.
static void sums_of(const mote_faces *f, double sum[3], double *size, double *flux) {
  set3(0.0, 0.0, 0.0, sum);
  *size = *flux = 0.0;
  for (size_t k = 0; k < f->count; ++k) {
    step3(sum, 1.0, f->area + 3 * k, sum);
    *size += length3(f->area + 3 * k);
    *flux += dot3(f->area + 3 * k, f->point + 3 * k);
  }
}

static void test_box(void) {
  for (int d = 2; d <= 3; ++d) {
    mote_shape_def def = mote_shape_def_box(0.1, -0.3, 0.0, 0.47, 0.2, 0.31);
    mote_shape *shape = kit_shape(&def, d);
    mote_faces f;
    mote_env env = mote_env_resolve(NULL);
    double sum[3], size, flux, a = 0.37, b = 0.5, c = 0.31;
    CHECK(mote_shape_faces(shape, d, 0.05, &env, &f, NULL) == MOTE_OK);
    sums_of(&f, sum, &size, &flux);
    CHECK(length3(sum) < 1e-14);
    CHECK_NEAR(size, d == 2 ? 2.0 * (a + b) : 2.0 * (a * b + b * c + c * a), 1e-12);
    CHECK_NEAR(flux, d == 2 ? 2.0 * a * b : 3.0 * a * b * c, 1e-12);
    for (size_t k = 0; k < f.count; ++k) CHECK(fabs(mote_shape_distance(shape, f.point + 3 * k)) < 1e-12);
    mote_faces_free(&f, &env);
    mote_shape_destroy(shape);
  }
}

static void test_round(void) {
  for (int d = 2; d <= 3; ++d) {
    mote_shape_def def = mote_shape_def_sphere(0.3, 0.1, 0.0, 0.5);
    mote_shape *shape = kit_shape(&def, d);
    mote_faces f;
    mote_env env = mote_env_resolve(NULL);
    double sum[3], size, flux, pi = 3.14159265358979;
    CHECK(mote_shape_faces(shape, d, 0.05, &env, &f, NULL) == MOTE_OK);
    sums_of(&f, sum, &size, &flux);
    CHECK(length3(sum) < 1e-13);
    CHECK_NEAR(size, d == 2 ? pi : pi, 0.01 * pi);  // 2 pi r, 4 pi r^2
    CHECK_NEAR(flux, d == 2 ? 0.5 * pi : 0.5 * pi, 0.01 * pi);
    mote_faces_free(&f, &env);
    mote_shape_destroy(shape);
  }
}

static void test_part(void) {
  mote_shape_def def = mote_shape_def_box(0.0, -1.0, -1.0, 1.0, 1.0, 1.0);
  const double x[3] = {0.0, 0.3, 0.0}, up[3] = {0.0, 0.01, 0.0}, along[3] = {-0.01, 0.0, 0.0};
  mote_shape *shape = kit_shape(&def, 3);
  CHECK(mote_face_part_in(shape, x, up, 0.1, 3, 0.0) == 0.5);
  CHECK(mote_face_part_in(shape, x, along, 0.1, 3, 0.0) == 1.0);
  CHECK(mote_face_part_in(shape, x, along, 0.1, 3, -0.05) == 0.0);
  mote_shape_destroy(shape);
}

int main(void) {
  test_box();
  test_round();
  test_part();
  return test_end();
}
