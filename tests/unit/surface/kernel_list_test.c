// Kernels that touch a box: all whose own boxes do, in ascending order, and no others.
#include "field_kit.h"
#include "test.h"

#define ROUNDING 1e-4  // spacings

// 1: by more than rounding, 0: not by as much; -1: cannot be told.
static int touches(const mote_kernel_field *field, uint32_t point, const double low[3],
                   const double high[3]) {
  double least[3], most[3], gap = -HUGE_VAL;
  mote_kernel_box(field, point, least, most);
  for (int a = 0; a < 3; ++a) gap = fmax(gap, fmax(least[a] - high[a], low[a] - most[a]));
  return gap < -ROUNDING ? 1 : gap > ROUNDING ? 0 : -1;
}

static size_t check_box(const mote_kernel_field *field, mote_kernel_list *list, double cell,
                        const int32_t at[3], int side) {
  double low[3], high[3];
  for (int a = 0; a < 3; ++a) low[a] = at[a] * cell, high[a] = low[a] + side * cell;
  CHECK(mote_kernel_list_collect(list, field, cell, at, side));
  size_t n = 0;
  for (uint32_t p = 0; p < field->set->count; ++p) {
    bool listed = n < list->count && list->kernel[n].point == p;
    int expected = touches(field, p, low, high);
    CHECK(expected < 0 || listed == (expected == 1));
    n += listed;
  }
  CHECK(n == list->count);
  return n;
}

static void check_method(mote_surface_method method, const field_kit_set *set) {
  mote_surface_def def = mote_surface_def_default();
  def.method = method;
  field_kit_stages k;
  CHECK(field_kit_prepare(&k, &def, set, NULL, NULL) == MOTE_OK);
  mote_kernel_list list = {.env = k.env};
  size_t found = 0, empty = 0;
  for (int trial = 0; trial < 60; ++trial) {
    int32_t at[3];
    for (int a = 0; a < 3; ++a) at[a] = (int32_t)(40.0 * field_kit_noise(11, (size_t)(3 * trial + a))) + 20;
    size_t n = check_box(&k.kernels.field, &list, trial % 2 ? 0.5 : 0.25, at, 1 + trial % 9);
    found += n, empty += n == 0;
  }
  CHECK(found > 1000 && empty > 5);
  mote_kernel_list_free(&list);
  field_kit_end(&k);
}

int main(void) {
  field_kit_set set = field_kit_everything(4, 0.15);
  check_method(MOTE_SURFACE_DENSITY, &set);
  check_method(MOTE_SURFACE_ANISOTROPIC, &set);
  free(set.x);
  return test_end();
}
