// Filling: boxes exactly, packings inside, volumes, refusals.
#include <mote/mote.h>

#include "mesh_kit.h"
#include "shape_kit.h"
#include "stingy.h"
#include "test.h"

static mote_samples fill(const mote_shape_def *def, int dimensions, double d, mote_fill_kind kind) {
  mote_shape *shape = kit_shape(def, dimensions);
  mote_samples samples = {0};
  mote_error error = {0};
  if (!CHECK(mote_shape_fill(shape, d, kind, 1, 1000000, NULL, &samples, &error) == MOTE_OK)) {
    fprintf(stderr, "  %s: %s\n", error.key, error.text);
  }
  mote_shape_destroy(shape);
  return samples;
}

// A turned box of 1 x 0.5 x 0.26 with d = 0.1: 10 x 5 x 3 points, each in its own cell.
static void test_box(void) {
  mote_shape_def def = mote_shape_def_box(0, 0, 0, 1, 0.5, 0.26);
  mote_samples straight = fill(&def, 3, 0.1, MOTE_FILL_CUBIC);
  CHECK(straight.count == 150);
  bool seen[150] = {false};
  for (size_t i = 0; i < straight.count; ++i) {
    const double *x = straight.position + 3 * i;
    double step[3] = {0.1, 0.1, 0.26 / 3};
    int cell[3];
    for (int k = 0; k < 3; ++k) {
      cell[k] = (int)floor(x[k] / step[k]);
      CHECK_NEAR(x[k], (cell[k] + 0.5) * step[k], 1e-14);
    }
    int index = (cell[2] * 5 + cell[1]) * 10 + cell[0];
    if (CHECK(index >= 0 && index < 150 && !seen[index])) seen[index] = true;
    CHECK_NEAR(straight.volume[i], 0.1 * 0.1 * 0.26 / 3, 1e-17);
  }
  def.angle = 0.8;
  mote_samples turned = fill(&def, 3, 0.1, MOTE_FILL_CUBIC);
  CHECK(turned.count == 150);
  mote_shape *shape = kit_shape(&def, 3);
  double least = 1.0;
  for (size_t i = 0; i < turned.count; ++i) {
    least = fmin(least, -mote_shape_distance(shape, turned.position + 3 * i));
  }
  CHECK_NEAR(least, 0.26 / 6, 1e-12);
  mote_shape_destroy(shape);
  mote_samples_free(&straight, NULL);
  mote_samples_free(&turned, NULL);
}

static double nearest_pair(const mote_samples *s) {
  double nearest = HUGE_VAL;
  for (size_t i = 0; i < s->count; i += 10) {
    for (size_t j = 0; j < s->count; ++j) {
      if (i == j) continue;
      nearest = fmin(nearest, kit_distance(s->position + 3 * i, s->position + 3 * j));
    }
  }
  return nearest;
}

// All kinds of shapes: inside, equal volumes with the right sum, cells that fill it.
static void test_shapes(int dimensions, mote_fill_kind kind) {
  mote_shape_def parts[2] = {kit_single(MOTE_SHAPE_BOX, dimensions),
                             kit_single(MOTE_SHAPE_SPHERE, dimensions)};
  for (int k = MOTE_SHAPE_SPHERE; k < MOTE_SHAPE_KINDS; ++k) {
    if (k == MOTE_SHAPE_HALF_SPACE || k == MOTE_SHAPE_MESH) continue;
    if (k == MOTE_SHAPE_CYLINDER && dimensions == 2) continue;  // a box
    if (k >= MOTE_SHAPE_FIGURE && kind == MOTE_FILL_HEXAGONAL) continue;
    mote_shape_def def = kit_single((mote_shape_kind)k, dimensions);
    def.part = parts, def.parts = 2;
    mote_shape *shape = kit_shape(&def, dimensions);
    double volume, d;
    mote_shape_volume(shape, &volume, NULL);
    d = dimensions == 2 ? sqrt(volume / 1500) : cbrt(volume / 2000);
    mote_samples s = fill(&def, dimensions, d, kind);
    // Packing cells, measured by the least distance, fill the volume to 1 % (cells of cylinders and of joined
    // shapes are no cubes).
    double dense = kind == MOTE_FILL_CUBIC ? 1.0
                   : dimensions == 2       ? sqrt(2.0 / sqrt(3.0))
                                           : pow(2.0, 1.0 / 6.0);
    double ratio = nearest_pair(&s) / (dense * d), wanted = mote_shape_fill_estimate(shape, d);
    CHECK_NEAR(ratio, 1.0, 0.05);
    if (k != MOTE_SHAPE_CYLINDER && k < MOTE_SHAPE_FIGURE) {
      wanted /= dimensions == 2 ? ratio * ratio : ratio * ratio * ratio;
      if (!CHECK_NEAR((double)s.count, wanted, 0.01 * wanted)) {
        fprintf(stderr, "  %dD %s\n", dimensions, mote_shape_kind_name(def.kind));
      }
    }
    CHECK_NEAR((double)s.count, wanted, 0.1 * wanted);
    CHECK_NEAR(kit_total(&s), volume, 1e-12 * volume);
    for (size_t i = 0; i < s.count; ++i) CHECK(mote_shape_distance(shape, s.position + 3 * i) < 0.0);
    mote_samples_free(&s, NULL);
    mote_shape_destroy(shape);
  }
}

// The L-shaped prism has sides of 2, 2, 1 with a corner at 1: all of it is filled side to side, turned or
// not.
static void test_sides(void) {
  mote_mesh mesh = kit_corner();
  mote_shape_def def = mote_shape_def_default();
  def.kind = MOTE_SHAPE_MESH, def.mesh = mesh;
  for (int turned = 0; turned < 2; ++turned) {
    def.angle = 0.9 * turned;
    mote_samples s = fill(&def, 3, 0.17, MOTE_FILL_CUBIC);
    mote_shape *shape = kit_shape(&def, 3);
    double least = HUGE_VAL;
    CHECK(s.count == 6 * 6 * 6 * 3);
    for (size_t i = 0; i < s.count; ++i) least = fmin(least, -mote_shape_distance(shape, s.position + 3 * i));
    CHECK_NEAR(least, 1.0 / 12.0, 1e-12);
    mote_samples_free(&s, NULL);
    mote_shape_destroy(shape);
  }
  kit_free(&mesh);
}

// A layer of one and a half spacings with a hole has two rows, side to side: no packing of whole spacings has
// its volume.
static void test_thin_layer(void) {
  mote_shape_def part[2] = {mote_shape_def_box(0, 0, 0, 25, 1.5, 25), mote_shape_def_default()};
  part[1].kind = MOTE_SHAPE_CYLINDER;
  for (int k = 0; k < 3; ++k) part[1].from[k] = k == 1 ? -1.0 : 12.5, part[1].to[k] = k == 1 ? 3.0 : 12.5;
  part[1].radius = 1.5;
  mote_shape_def def = mote_shape_def_default();
  def.kind = MOTE_SHAPE_DIFFERENCE, def.part = part, def.parts = 2;
  mote_samples s = fill(&def, 3, 1.0, MOTE_FILL_CUBIC);
  CHECK(s.count == 2 * (25 * 25 - 9));
  for (size_t i = 0; i < s.count; ++i) CHECK_NEAR(fabs(s.position[3 * i + 1] - 0.75), 0.375, 1e-12);
  mote_samples_free(&s, NULL);
}

// A closest packing in a box has the box's density, too: its own density where no wall is near is that of the
// particles' volumes.
static void test_packed_box(void) {
  mote_shape_def def = mote_shape_def_box(0, 0, 0, 1.03, 0.77, 0.51);
  for (int kind = MOTE_FILL_HEXAGONAL; kind <= MOTE_FILL_RELAXED; ++kind) {
    mote_samples s = fill(&def, 3, 0.06, (mote_fill_kind)kind);
    double sum = 0.0, middle[3] = {0.515, 0.385, 0.255};
    for (int m = 0; m < 64; ++m) {
      double x[3] = {middle[0] + 0.03 * (m % 4), middle[1] + 0.03 * (m / 4 % 4), middle[2] + 0.03 * (m / 16)};
      sum += kit_sum(&s, x, 0.18, 3) / 64.0;
    }
    CHECK_NEAR(sum, 1.0, 0.01);
    mote_samples_free(&s, NULL);
  }
}

static void refuses(const mote_shape_def *def, double d, size_t most, const char *key) {
  mote_shape *shape = kit_shape(def, 3);
  mote_samples samples = {.count = 77};
  mote_error error = {0};
  stingy s;
  mote_env env = stingy_env(&s, 0);  // refusals come before any memory is asked for
  for (int kind = 0; kind <= MOTE_FILL_RELAXED; ++kind) {
    CHECK(mote_shape_fill(shape, d, (mote_fill_kind)kind, 0, most, &env, &samples, &error) ==
          MOTE_ERROR_ARGUMENT);
    CHECK_TEXT(error.key, key);
    CHECK(samples.count == 77);
  }
  mote_shape_destroy(shape);
}

static void test_refusals(void) {
  mote_shape_def def = mote_shape_def_box(0, 0, 0, 1, 1, 1);
  refuses(&def, 0.001, 1000000, "spacing");
  refuses(&def, 1e-9, SIZE_MAX / 100, "spacing");
  refuses(&def, 0.0, 1000, "spacing");
  refuses(&def, (double)NAN, 1000, "spacing");
  refuses(&def, 100.0, 1000, "spacing");
  def = mote_shape_def_sphere(0, 0, 0, 1);
  refuses(&def, 1e-9, 1000000000, "spacing");
  def.inverted = true;
  refuses(&def, 0.1, 1000, "shape");
  mote_shape_def far[2] = {mote_shape_def_sphere(-1e6, 0, 0, 1), mote_shape_def_sphere(1e6, 3, 9, 1)};
  def = mote_shape_def_default();
  def.kind = MOTE_SHAPE_INTERSECTION, def.part = far, def.parts = 2;
  refuses(&def, 0.1, 1000, "spacing");
  CHECK(mote_shape_fill(NULL, 1, MOTE_FILL_CUBIC, 0, 1, NULL, NULL, NULL) == MOTE_ERROR_ARGUMENT);
}

// Two balls far apart, the space between them 10^14 packing points: found at once.
static void test_far_apart(void) {
  mote_shape_def far[2] = {mote_shape_def_sphere(-1e4, 0, 0, 1), mote_shape_def_sphere(1e4, 3, 9, 1)};
  mote_shape_def def = mote_shape_def_default();
  def.kind = MOTE_SHAPE_UNION, def.part = far, def.parts = 2;
  mote_shape *shape = kit_shape(&def, 3);
  mote_samples samples = {0};
  mote_error error = {0};
  mote_result result = mote_shape_fill(shape, 0.2, MOTE_FILL_CUBIC, 0, 100000, NULL, &samples, &error);
  CHECK(result == MOTE_OK);
  CHECK_NEAR((double)samples.count, 1047.2, 10.5);
  mote_samples_free(&samples, NULL);
  mote_shape_destroy(shape);
}

static void test_memory(void) {
  mote_shape_def def = mote_shape_def_sphere(0, 0, 0, 1);
  mote_shape *shape = kit_shape(&def, 3);
  for (int kind = 0; kind <= MOTE_FILL_RELAXED; ++kind) {
    for (int granted = 0; granted < 20; ++granted) {
      stingy s;
      mote_env env = stingy_env(&s, granted);
      mote_samples samples = {0};
      mote_result result = mote_shape_fill(shape, 0.3, (mote_fill_kind)kind, 0, 100000, &env, &samples, NULL);
      CHECK(result == MOTE_OK || result == MOTE_ERROR_MEMORY);
      mote_samples_free(&samples, &env);
      CHECK(s.held == 0);
      if (!result) break;
    }
  }
  mote_shape_destroy(shape);
}

int main(void) {
  test_box();
  for (int dimensions = 2; dimensions <= 3; ++dimensions) {
    test_shapes(dimensions, MOTE_FILL_CUBIC);
    test_shapes(dimensions, MOTE_FILL_HEXAGONAL);
  }
  test_sides();
  test_thin_layer();
  test_packed_box();
  test_refusals();
  test_far_apart();
  test_memory();
  return test_end();
}
