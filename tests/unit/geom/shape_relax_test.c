// Relaxed filling: even densities, nobody too near to another, all inside, by seed alone.
#include <mote/mote.h>

#include "shape_kit.h"
#include "test.h"

static void check_density(const mote_shape *shape, const mote_samples *s, double d, int dimensions) {
  double support = 3.0 * d, sum = 0.0, square = 0.0, depth = 0.0, count = 0.0, outer = 0.0;
  for (size_t i = 0; i < s->count; ++i) {
    const double *x = s->position + 3 * i;
    double f = mote_shape_distance(shape, x);
    CHECK(f < 0.0);
    if (f > -0.8 * d) depth -= f, ++outer;
    if (f > -support) continue;
    double density = kit_sum(s, x, support, dimensions);
    sum += density, square += density * density, ++count;
    // The bound of one particle is three standard deviations.
    CHECK_NEAR(density, 1.0, dimensions == 2 ? 0.07 : 0.05);
  }
  double mean = sum / count;
  CHECK(count > 30.0);
  CHECK_NEAR(mean, 1.0, 0.015);
  CHECK(sqrt(square / count - mean * mean) < (dimensions == 2 ? 0.02 : 0.01));
  CHECK_NEAR(depth / outer, 0.5 * d, 0.1 * d);  // the outermost are half a spacing inside
}

static void test_shape(mote_shape_kind kind, int dimensions) {
  mote_shape_def def = kit_single(kind, dimensions);
  mote_shape *shape = kit_shape(&def, dimensions);
  double volume, nearest = HUGE_VAL;
  mote_shape_volume(shape, &volume, NULL);
  double d = dimensions == 2 ? sqrt(volume / 900) : cbrt(volume / 1500);
  mote_samples s = {0};
  CHECK(mote_shape_fill(shape, d, MOTE_FILL_RELAXED, 5, 100000, NULL, &s, NULL) == MOTE_OK);
  check_density(shape, &s, d, dimensions);
  CHECK_NEAR(kit_total(&s), volume, 1e-12 * volume);
  for (size_t i = 0; i < s.count; ++i) {
    for (size_t j = 0; j < i; ++j) {
      nearest = fmin(nearest, kit_distance(s.position + 3 * i, s.position + 3 * j));
    }
  }
  CHECK(nearest > 0.55 * d);
  mote_samples_free(&s, NULL);
  mote_shape_destroy(shape);
}

static void test_seed(void) {
  mote_shape_def def = mote_shape_def_sphere(0, 0, 0, 1);
  mote_shape *shape = kit_shape(&def, 2);
  mote_samples a = {0}, b = {0}, c = {0};
  CHECK(mote_shape_fill(shape, 0.1, MOTE_FILL_RELAXED, 1, 100000, NULL, &a, NULL) == MOTE_OK);
  CHECK(mote_shape_fill(shape, 0.1, MOTE_FILL_RELAXED, 1, 100000, NULL, &b, NULL) == MOTE_OK);
  CHECK(mote_shape_fill(shape, 0.1, MOTE_FILL_RELAXED, 2, 100000, NULL, &c, NULL) == MOTE_OK);
  CHECK(a.count == b.count && memcmp(a.position, b.position, a.count * 24) == 0);
  CHECK(a.count == c.count && memcmp(a.position, c.position, a.count * 24) != 0);
  mote_samples_free(&a, NULL);
  mote_samples_free(&b, NULL);
  mote_samples_free(&c, NULL);
  mote_shape_destroy(shape);
}

// A plate thinner than a spacing: everyone stays inside all the same.
static void test_thin(void) {
  mote_shape_def def = mote_shape_def_box(0, 0, 0, 1, 1, 0.04);
  mote_shape *shape = kit_shape(&def, 3);
  mote_samples s = {0};
  if (mote_shape_fill(shape, 0.1, MOTE_FILL_RELAXED, 1, 100000, NULL, &s, NULL) == MOTE_OK) {
    for (size_t i = 0; i < s.count; ++i) CHECK(mote_shape_distance(shape, s.position + 3 * i) < 0.0);
  }
  mote_samples_free(&s, NULL);
  mote_shape_destroy(shape);
}

int main(void) {
  test_shape(MOTE_SHAPE_SPHERE, 2);
  test_shape(MOTE_SHAPE_BOX, 2);
  test_shape(MOTE_SHAPE_SPHERE, 3);
  test_shape(MOTE_SHAPE_BOX, 3);
  test_seed();
  test_thin();
  return test_end();
}
