// Shells: flat walls continue the packing exactly, curved ones weigh what the solid does, thin ones as thick
// ones; regions, limits.
#include <mote/mote.h>

#include "mesh_kit.h"
#include "shape_kit.h"
#include "stingy.h"
#include "test.h"

static const double everywhere[2][3] = {{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, HUGE_VAL, HUGE_VAL}};

static mote_samples shell(const mote_shape *shape, double d, double depth, const double *low,
                          const double *high) {
  mote_samples samples = {0};
  mote_error error = {0};
  if (!CHECK(mote_shape_shell(shape, d, depth, low, high, 1000000, NULL, &samples, &error) == MOTE_OK)) {
    fprintf(stderr, "  %s: %s\n", error.key, error.text);
  }
  return samples;
}

// A tank filled to the brim: every particle sees the same, the sum over an endless packing.
static void test_tank(int dimensions, double angle, double support_in_d) {
  mote_shape_def def = mote_shape_def_box(0, 0, 0, 0.8, 0.5, 0.33);
  def.angle = angle;
  if (dimensions == 3) def.axis[0] = 1.0;
  mote_shape *body = kit_shape(&def, dimensions);
  def.inverted = true;
  mote_shape *tank = kit_shape(&def, dimensions);
  double d = 0.1, support = support_in_d * d;
  mote_samples fluid = {0}, wall = shell(tank, d, support, everywhere[0], everywhere[1]);
  CHECK(mote_shape_fill(body, d, MOTE_FILL_CUBIC, 0, 10000, NULL, &fluid, NULL) == MOTE_OK);
  double step[3] = {0.1, 0.1, 0.11}, packing = 0.0;
  for (int k = 0; k < 9 * 9 * 9; ++k) {
    double x[3] = {(k % 9 - 4) * step[0], (k / 9 % 9 - 4) * step[1], (k / 81 - 4) * step[2]};
    const double origin[3] = {0};
    if (dimensions == 2 && k / 81 != 4) continue;
    packing += step[0] * step[1] * (dimensions == 2 ? 1.0 : step[2]) *
               kit_spline(kit_distance(x, origin), support, dimensions);
  }
  CHECK_NEAR(packing, 1.0, 0.02);
  for (size_t i = 0; i < fluid.count; ++i) {
    const double *x = fluid.position + 3 * i;
    CHECK_NEAR(kit_sum(&fluid, x, support, dimensions) + kit_sum(&wall, x, support, dimensions), packing,
               1e-12);
  }
  for (size_t j = 0; j < wall.count; ++j) CHECK(mote_shape_distance(tank, wall.position + 3 * j) < 0.0);
  mote_samples_free(&fluid, NULL);
  mote_samples_free(&wall, NULL);
  mote_shape_destroy(body);
  mote_shape_destroy(tank);
}

// What a particle at half a spacing sees: the samples, and a fluid without particles outside of the solid.
static double seen(const mote_shape *shape, const mote_samples *s, const double x[3], double d,
                   double support, int dimensions) {
  double h = d / 5.0, sum = kit_sum(s, x, support, dimensions);
  int reach = (int)(support / h) + 1, deep = dimensions == 2 ? 0 : reach;
  for (int k = -deep; k <= deep; ++k) {
    for (int j = -reach; j <= reach; ++j) {
      for (int i = -reach; i <= reach; ++i) {
        double y[3] = {x[0] + i * h, x[1] + j * h, x[2] + k * h},
               w = kit_spline(kit_distance(x, y), support, dimensions);
        if (w == 0.0) continue;
        double outside = fmin(1.0, fmax(0.0, 0.5 + mote_shape_distance(shape, y) / h));
        sum += outside * w * h * h * (dimensions == 2 ? 1.0 : h);
      }
    }
  }
  return sum;
}

typedef struct view {
  double mean, low, high;
  int count;
} view;

// Over places near the surface, at d/2 from it.
static view look(const mote_shape *shape, const mote_samples *s, double d, double support, int dimensions,
                 int places) {
  view v = {.low = HUGE_VAL, .high = -HUGE_VAL};
  for (uint64_t i = 0; v.count < places && i < 1000; ++i) {
    double x[3], n[3];
    kit_point(3, i, -1.0, 1.0, x);
    if (dimensions == 2) x[2] = 0.0;
    for (int k = 0; k < 10; ++k) {
      double f = mote_shape_closest(shape, x, n);
      for (int m = 0; m < 3; ++m) x[m] -= (f - 0.5 * d) * n[m];
    }
    if (fabs(mote_shape_distance(shape, x) - 0.5 * d) > 1e-9 * d) continue;
    double w = seen(shape, s, x, d, support, dimensions);
    v.mean += w, v.low = fmin(v.low, w), v.high = fmax(v.high, w);
    ++v.count;
  }
  v.mean /= v.count;
  return v;
}

// The samples of curved solids and containers weigh within 1 % what the solid does.
static void test_curved(const mote_shape_def *def, int dimensions, double slack) {
  double d = dimensions == 2 ? 0.04 : 0.08, volume;
  mote_shape *shape = kit_shape(def, dimensions);
  if (!CHECK(shape != NULL)) return;
  mote_samples s = shell(shape, d, 3.0 * d, everywhere[0], everywhere[1]);
  for (size_t j = 0; j < s.count; ++j) {
    double f = mote_shape_distance(shape, s.position + 3 * j);
    CHECK(f < -0.24 * d && f > -3.01 * d);
  }
  for (int k = 2; k <= 3; ++k) {
    view v = look(shape, &s, d, k * d, dimensions, 25);
    CHECK(v.count >= 20);
    CHECK_NEAR(v.mean, 1.0, 0.5 * slack);
    CHECK_NEAR(v.low, 1.0, slack);
    CHECK_NEAR(v.high, 1.0, slack);
  }
  CHECK(mote_shape_volume(shape, &volume, NULL) == MOTE_OK);
  CHECK(kit_total(&s) < 1.01 * volume);  // of a thin one the layers are all of it
  mote_samples_free(&s, NULL);
  mote_shape_destroy(shape);
}

static void test_all_curved(void) {
  const mote_shape_kind kinds[] = {MOTE_SHAPE_SPHERE, MOTE_SHAPE_TORUS, MOTE_SHAPE_CAPSULE};
  for (int k = 0; k < 3; ++k) {
    mote_shape_def def = kit_single(kinds[k], 3);
    def.thickness = 0.3;
    test_curved(&def, 3, 0.02);
    def = kit_single(kinds[k], 2);
    def.thickness = 0.3;
    test_curved(&def, 2, 0.02);
    def.inverted = true;
    test_curved(&def, 2, 0.02);
  }
  mote_shape_def def = kit_single(MOTE_SHAPE_SPHERE, 3);
  def.inverted = true;
  test_curved(&def, 3, 0.02);
  def = kit_single(MOTE_SHAPE_CYLINDER, 3);
  test_curved(&def, 3, 0.06);  // with edges
}

// The L-shaped prism as a mesh and as two boxes, filled and as a tank: one packing with its walls.
static void test_corner_tank(void) {
  mote_mesh mesh = kit_corner();
  mote_shape_def parts[2] = {mote_shape_def_box(0, 0, 0, 2, 1, 1), mote_shape_def_box(0, 0, 0, 1, 2, 1)};
  mote_shape_def defs[2] = {mote_shape_def_default(), mote_shape_def_default()};
  defs[0].kind = MOTE_SHAPE_MESH, defs[0].mesh = mesh;
  defs[1].kind = MOTE_SHAPE_UNION, defs[1].part = parts, defs[1].parts = 2;
  double d = 0.167, support = 2.0 * d;
  for (int k = 0; k < 2; ++k) {
    defs[k].angle = 0.4;
    mote_shape *body = kit_shape(defs + k, 3);
    defs[k].inverted = true;
    mote_shape *tank = kit_shape(defs + k, 3);
    mote_samples fluid = {0}, wall = shell(tank, d, support, everywhere[0], everywhere[1]);
    CHECK(mote_shape_fill(body, d, MOTE_FILL_CUBIC, 0, 10000, NULL, &fluid, NULL) == MOTE_OK);
    double first = 0.0;
    for (size_t i = 0; i < fluid.count; ++i) {
      const double *x = fluid.position + 3 * i;
      double sum = kit_sum(&fluid, x, support, 3) + kit_sum(&wall, x, support, 3);
      if (i == 0) first = sum;
      CHECK_NEAR(sum, first, 0.004);  // counted volumes of joined shapes are right to 0.2 %
    }
    CHECK_NEAR(first, 1.0, 0.01);
    mote_samples_free(&fluid, NULL);
    mote_samples_free(&wall, NULL);
    mote_shape_destroy(body);
    mote_shape_destroy(tank);
  }
  kit_free(&mesh);
}

static void test_mesh(void) {
  mote_mesh mesh = kit_sphere(3);
  mote_shape_def def = mote_shape_def_default();
  def.kind = MOTE_SHAPE_MESH, def.mesh = mesh;
  def.scale = 0.7;
  test_curved(&def, 3, 0.03);
  def.inverted = true;
  test_curved(&def, 3, 0.03);
  kit_free(&mesh);
}

// A plate of a tenth of the spacing, as a box and as a joined shape: a particle in the middle of it sees as
// many samples' weight as before a thick one.
static void test_thin(void) {
  double d = 0.05, x[3] = {0.02, 0.01, 0.5 * d}, weight[3];
  mote_shape_def parts[2] = {mote_shape_def_box(-0.5, -0.5, -0.4, 0.5, 0.5, 0.0),
                             mote_shape_def_box(-0.5, -0.5, -0.1 * d, 0.5, 0.5, 0.4)};
  mote_shape_def plates[3] = {parts[0], mote_shape_def_default(), parts[0]};
  plates[1].kind = MOTE_SHAPE_INTERSECTION, plates[1].part = parts, plates[1].parts = 2;
  plates[2].low[2] = -0.1 * d;
  for (int k = 0; k < 3; ++k) {
    mote_shape *shape = kit_shape(plates + k, 3);
    mote_samples s = shell(shape, d, 2.0 * d, everywhere[0], everywhere[1]);
    weight[k] = 0.0;
    for (int m = 0; m < 16; ++m) {  // over a cell of the packing
      double y[3] = {x[0] + 0.25 * d * (m % 4), x[1] + 0.25 * d * (m / 4), x[2]};
      weight[k] += kit_sum(&s, y, 2.0 * d, 3) / 16.0;
    }
    mote_samples_free(&s, NULL);
    mote_shape_destroy(shape);
  }
  CHECK_NEAR(weight[0], 0.15, 0.003);  // M(1) of the theory
  CHECK_NEAR(weight[1], weight[0], 0.04 * weight[0]);
  CHECK_NEAR(weight[2], weight[0], 0.01 * weight[0]);
}

static void test_region(void) {
  mote_shape_def def = kit_single(MOTE_SHAPE_HALF_SPACE, 3);
  mote_shape *plane = kit_shape(&def, 3);
  mote_samples samples = {0};
  mote_error error;
  const double low[3] = {-0.3, -0.2, -0.4}, high[3] = {0.3, 0.5, 0.4};
  CHECK(mote_shape_shell(plane, 0.05, 0.1, everywhere[0], everywhere[1], 1000, NULL, &samples, &error) ==
        MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, "low");
  mote_shape_def ball = mote_shape_def_sphere(0.2, 0, 0, 0.5);
  mote_shape *shapes[2] = {plane, kit_shape(&ball, 3)};
  for (int k = 0; k < 2; ++k) {
    samples = shell(shapes[k], 0.05, 0.1, low, high);
    CHECK(samples.count > 100);
    for (size_t j = 0; j < samples.count; ++j) {
      for (int m = 0; m < 3; ++m) {
        double x = samples.position[3 * j + m];
        CHECK(x >= low[m] - 1e-9 && x <= high[m] + 1e-9);
      }
    }
    mote_samples_free(&samples, NULL);
    mote_shape_destroy(shapes[k]);
  }
}

static void test_limits(void) {
  mote_shape_def defs[3] = {mote_shape_def_sphere(0, 0, 0, 1), mote_shape_def_box(0, 0, 0, 1, 1, 1),
                            kit_single(MOTE_SHAPE_HALF_SPACE, 3)};
  const double low[3] = {-2, -2, -2}, high[3] = {2, 2, 2};
  for (int k = 0; k < 3; ++k) {
    mote_shape *shape = kit_shape(defs + k, 3);
    mote_samples s = {0};
    mote_error error = {0};
    stingy memory;
    mote_env env = stingy_env(&memory, 0);
    CHECK(mote_shape_shell(shape, 1e-5, 1e-4, low, high, 1000000, &env, &s, &error) == MOTE_ERROR_ARGUMENT);
    CHECK_TEXT(error.key, "spacing");
    CHECK(mote_shape_shell(shape, 1e-12, 1.0, low, high, 1000000, &env, &s, &error) == MOTE_ERROR_ARGUMENT);
    CHECK(mote_shape_shell(shape, 0.0, 1.0, low, high, 1000000, &env, &s, &error) == MOTE_ERROR_ARGUMENT);
    CHECK(mote_shape_shell(shape, 0.1, (double)NAN, low, high, 1000000, &env, &s, &error) ==
          MOTE_ERROR_ARGUMENT);
    for (int granted = 0; granted < 60; ++granted) {
      env = stingy_env(&memory, granted);
      mote_result result = mote_shape_shell(shape, 0.25, 0.5, low, high, 1000000, &env, &s, &error);
      CHECK(result == MOTE_OK || result == MOTE_ERROR_MEMORY);
      if (!result) mote_samples_free(&s, &env);
      CHECK(memory.held == 0);
      if (!result) break;
    }
    mote_shape_destroy(shape);
  }
}

// Of a compound shape far larger than the region only the part inside is sampled, as that of a smaller one
// is.
static void test_far_larger(void) {
  const double low[3] = {-0.5, -0.5, -0.5}, high[3] = {0.5, 0.5, 0.5};
  size_t count[2];
  for (int k = 0; k < 2; ++k) {
    double size = k == 0 ? 2.0 : 2000.0;
    mote_shape_def part[2] = {mote_shape_def_box(-size, -size, -size, size, 0.0, size),
                              mote_shape_def_box(-size, -size, -size, 0.0, size, size)};
    mote_shape_def def = mote_shape_def_default();
    def.kind = MOTE_SHAPE_UNION, def.part = part, def.parts = 2;
    mote_shape *shape = kit_shape(&def, 3);
    mote_samples samples = shell(shape, 0.05, 0.1, low, high);
    double estimate = mote_shape_shell_estimate(shape, 0.05, 0.1, low, high);
    count[k] = samples.count;
    CHECK(estimate > 0.4 * (double)count[k] && estimate < 2.5 * (double)count[k]);
    mote_samples_free(&samples, NULL);
    mote_shape_destroy(shape);
  }
  CHECK(count[0] > 500 && count[0] == count[1]);
}

int main(void) {
  for (int support = 2; support <= 3; ++support) {
    test_tank(3, 0.0, support);
    test_tank(3, 0.7, support);
    test_tank(2, 0.7, support);
  }
  test_all_curved();
  test_mesh();
  test_corner_tank();
  test_thin();
  test_region();
  test_limits();
  test_far_larger();
  return test_end();
}
