// Force fields: constants and formulas, shapes, times, threads, formulas that fail.
#include "things/field_force.h"

#include <math.h>
#include <mote/numeric.h>

#include "test.h"

#define COUNT 3000

static double position[3 * COUNT];
static float acceleration[3 * COUNT], other[3 * COUNT];

static void fill(void) {
  for (uint64_t k = 0; k < 3 * COUNT; ++k) {
    position[k] = 2.0 * mote_random_uniform(1, 0, k) - 1.0;
    acceleration[k] = 0.5f;
  }
}

static mote_field_force *make(const mote_force_def *def, int dimensions) {
  mote_field_force *force = NULL;
  mote_error error = {0};
  mote_result result = mote_field_force_create(def, dimensions, NULL, &force, &error);
  if (!CHECK(result == MOTE_OK)) fprintf(stderr, "  %s: %s\n", error.key, error.text);
  return force;
}

static mote_force_def everywhere(void) {
  mote_force_def def = mote_force_def_default();
  def.acceleration = mote_value3_make(1.0, 2.0, 3.0);
  def.start = 1.0, def.end = 2.0;
  return def;
}

static void constants(void) {
  mote_force_def def = everywhere();
  mote_field_force *force = make(&def, 2);
  fill();
  CHECK(mote_field_force_add(force, 0.5, COUNT, position, acceleration, 1) == SIZE_MAX);
  CHECK(mote_field_force_add(force, 2.0, COUNT, position, acceleration, 1) == SIZE_MAX);
  CHECK(acceleration[0] == 0.5f);
  CHECK(mote_field_force_add(force, 1.0, COUNT, position, acceleration, 2) == SIZE_MAX);
  size_t right = 0;
  for (size_t i = 0; i < COUNT; ++i) {
    const float *a = acceleration + 3 * i;
    right += a[0] == 1.5f && a[1] == 2.5f && a[2] == 0.5f;  // nothing along z in 2D
  }
  CHECK(right == COUNT);
  mote_field_force_destroy(force);
}

static void formulas(void) {
  mote_force_def def = everywhere();
  def.acceleration.x.formula = "x*y + t";
  def.acceleration.y.formula = "-10*z";
  def.shape = mote_shape_def_sphere(0, 0, 0, 0.8);
  mote_field_force *force = make(&def, 3);
  fill();
  CHECK(mote_field_force_add(force, 1.25, COUNT, position, acceleration, 1) == SIZE_MAX);
  size_t wrong = 0, inside = 0;
  for (size_t i = 0; i < COUNT; ++i) {
    const double *x = position + 3 * i;
    const float *a = acceleration + 3 * i;
    bool in = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] < 0.64;
    double expected[3] = {0.5 + (in ? x[0] * x[1] + 1.25 : 0.0), 0.5 - (in ? 10.0 * x[2] : 0.0),
                          in ? 3.5 : 0.5};
    for (int k = 0; k < 3; ++k) wrong += fabs((double)a[k] - expected[k]) > 2e-6;
    inside += in;
  }
  CHECK(wrong == 0 && inside > 100);
  memcpy(other, acceleration, sizeof other);
  fill();
  mote_field_force_add(force, 1.25, COUNT, position, acceleration, 3);
  CHECK(memcmp(other, acceleration, sizeof other) == 0);
  mote_field_force_destroy(force);
}

// -damping v, where it acts; a negative one is named.
static void damps(void) {
  mote_force_def def = everywhere();
  def.damping.formula = "2 + x";
  def.shape = mote_shape_def_sphere(0, 0, 0, 0.8);
  static float velocity[3 * COUNT];
  for (size_t k = 0; k < 3 * COUNT; ++k) velocity[k] = (float)k / COUNT - 1.0f;
  mote_field_force *force = make(&def, 3);
  fill();
  CHECK(mote_field_force_damp(force, 0.5, 2.5, COUNT, position, velocity, acceleration, 1) == SIZE_MAX);
  CHECK(acceleration[0] == 0.5f);
  CHECK(mote_field_force_damp(force, 1.25, 2.5, COUNT, position, velocity, acceleration, 2) == SIZE_MAX);
  size_t wrong = 0;
  for (size_t i = 0; i < COUNT; ++i) {
    const double *x = position + 3 * i;
    double rate = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] < 0.64 ? fmin(2.0 + x[0], 2.5) : 0.0;
    for (size_t k = 3 * i; k < 3 * i + 3; ++k) {
      wrong += fabs((double)acceleration[k] - (0.5 - rate * (double)velocity[k])) > 1e-5;
    }
  }
  CHECK(wrong == 0);
  mote_field_force_destroy(force);
  def.damping.formula = "-1";
  force = make(&def, 3);
  CHECK(mote_field_force_damp(force, 1.25, 2.5, COUNT, position, velocity, acceleration, 1) < COUNT);
  mote_field_force_destroy(force);
}

static void names_failures(void) {
  mote_force_def def = everywhere();
  def.acceleration.z.formula = "1/(x > 0.9 ? 0 : 1)";
  mote_field_force *force = make(&def, 3);
  fill();
  size_t first = 0;
  while (position[3 * first] <= 0.9) ++first;
  for (int threads = 1; threads <= 3; ++threads) {
    CHECK(mote_field_force_add(force, 1.5, COUNT, position, acceleration, threads) == first);
  }
  CHECK(acceleration[3 * first] == 0.5f);
  mote_field_force_destroy(force);
}

static void refuse(const mote_force_def *def, const char *key) {
  mote_field_force *force = NULL;
  mote_error error = {0};
  CHECK(mote_field_force_create(def, 3, NULL, &force, &error) != MOTE_OK);
  CHECK_TEXT(error.key, key);
}

static void refuses(void) {
  mote_force_def def = everywhere();
  def.acceleration.y.formula = "u";
  refuse(&def, "acceleration.y");
  def = everywhere(), def.end = 1.0;
  refuse(&def, "end");
  def = everywhere(), def.shape = mote_shape_def_sphere(0, 0, 0, -1.0);
  refuse(&def, "shape.radius");
}

int main(void) {
  constants();
  formulas();
  damps();
  names_failures();
  refuses();
  return test_end();
}
