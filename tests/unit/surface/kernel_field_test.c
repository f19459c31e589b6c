// Fields of kernels: bumps against their integrals, single points against blocks of nodes, gradients against
// differences.
#include "surface/kernel_field.h"

#include <math.h>

#include "field_kit.h"
#include "test.h"

// The volume by the midpoint rule, whose error is of second order in 1/STEPS.
static void test_bumps(void) {
  enum { STEPS = 2000 };
  for (int b = 0; b <= MOTE_BUMP_MEAN; ++b) {
    double sum = 0.0;
    for (int k = 0; k < STEPS; ++k) {
      double q = (k + 0.5) / STEPS;
      sum += 4.0 * 3.14159265358979323846 * q * q * mote_bump_value((mote_bump)b, q * q) / STEPS;
    }
    CHECK_NEAR(sum, mote_bump_volume((mote_bump)b), 1e-6);
    CHECK(mote_bump_value((mote_bump)b, 0.0) == 1.0 && mote_bump_value((mote_bump)b, 1.0) == 0.0);
  }
}

// Of three points at once as of each alone, but for floats.
static void check_gradients(const mote_kernel_field *field, const mote_kernel_list *list, double cell,
                            const int32_t node[3], const float x[3]) {
  float places[3][3];
  double values[3], found[3][3], gradient[3];
  for (int n = 0; n < 3; ++n) {
    for (int a = 0; a < 3; ++a) places[n][a] = x[a] + (a == n ? 0.5f : 0.0f);
  }
  mote_kernel_values_at(field, list, cell, node, (const float(*)[3])places, 3, values, found);
  for (int n = 0; n < 3; ++n) {
    double value = mote_kernel_value_at(field, list, cell, node, places[n], gradient), length = 0.0;
    CHECK_NEAR(values[n], value, 1e-3);
    if (fabs(value - field->outside) < 0.05) continue;
    for (int a = 0; a < 3; ++a) length += fabs(gradient[a]);
    for (int a = 0; a < 3; ++a) CHECK_NEAR(found[n][a], gradient[a], 1e-3 * (1.0 + length));
  }
}

static void check_block(const field_kit_stages *k, mote_kernel_list *list, double cell,
                        const int32_t block[3]) {
  float value[MOTE_BLOCK_NODES];
  int32_t node[3] = {8 * block[0], 8 * block[1], 8 * block[2]};
  const mote_kernel_field *field = &k->kernels.field;
  CHECK(mote_kernel_list_collect(list, field, cell, node, 8));
  mote_kernel_tile(field, list, cell, block, value);
  for (int n = 0; n < MOTE_BLOCK_NODES; n += 7) {
    float x[3] = {(float)(n % 8), (float)(n / 8 % 8), (float)(n / 64)};
    double at = mote_kernel_value_at(field, list, cell, node, x, NULL);
    // Floats of sums near 0 have fourth roots with errors of (1e-7)^(1/4).
    CHECK_NEAR((double)value[n], at, fabs(at - field->outside) < 0.05 ? 0.02 : 2e-4);
  }
  const double h = 1.0 / 64;
  for (int trial = 0; trial < 20; ++trial) {
    float x[3];
    double gradient[3];
    for (int a = 0; a < 3; ++a) {
      x[a] = (float)(4.0 + 3.5 * field_kit_noise(77, (size_t)(3 * trial + a)));
      x[a] = floorf(64.0f * x[a]) / 64.0f;
    }
    double here = mote_kernel_value_at(field, list, cell, node, x, gradient);
    check_gradients(field, list, cell, node, x);
    if (fabs(here - field->outside) < 0.2) continue;
    for (int a = 0; a < 3; ++a) {
      float more[3] = {x[0], x[1], x[2]}, less[3] = {x[0], x[1], x[2]};
      more[a] += (float)h, less[a] -= (float)h;
      double up = mote_kernel_value_at(field, list, cell, node, more, NULL) - here;
      double down = here - mote_kernel_value_at(field, list, cell, node, less, NULL);
      if (fabs(up - down) > 0.1 * h) continue;  // the clip box's edge, or the centre of means, lies between
      // Of second order in h.
      CHECK_NEAR((up + down) / (2.0 * h * cell), gradient[a], 0.03 * (1.0 + fabs(gradient[a])));
    }
  }
}

static void test_values(void) {
  field_kit_set set = field_kit_begin();
  field_kit_block(&set, (double[3]){0, 0, 0}, (int[3]){7, 6, 5}, 2, 0.2);
  for (int m = 0; m < MOTE_SURFACE_METHODS; ++m) {
    if (m == MOTE_SURFACE_MASS) continue;
    mote_surface_def def = mote_surface_def_default();
    def.method = (mote_surface_method)m;
    def.cell = 0.4;
    def.clip_low[2] = 0.7;
    field_kit_stages k;
    CHECK(field_kit_prepare(&k, &def, &set, NULL, NULL) == MOTE_OK);
    mote_kernel_list list = {.env = k.env};
    for (int32_t b = 0; b < 8; ++b) check_block(&k, &list, def.cell, (int32_t[3]){b % 2, b / 2 % 2, b / 4});
    mote_kernel_list_free(&list);
    field_kit_end(&k);
  }
  free(set.x);
}

int main(void) {
  test_bumps();
  test_values();
  return test_end();
}
