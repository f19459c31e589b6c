// Tags near the surface: the skin of a block, sheets, threads, drops and heaps have them, its inside has not;
// densities inside are 1.
#include "surface/near_surface.h"

#include "field_kit.h"
#include "test.h"

int main(void) {
  field_kit_set s = field_kit_begin();
  const int side = 12;
  field_kit_block(&s, (double[3]){0, 0, 0}, (int[3]){side, side, side}, 4, 0.1);
  size_t block = s.count;
  for (int i = 0; i < 40; ++i) {
    for (int j = 0; j < 40; ++j) field_kit_add(&s, 20 + 0.2 * i, 0.2 * j, 0.1 * i, 4, 0.02);
  }
  for (int i = 0; i < 200; ++i) field_kit_add(&s, 0.02 * i, 20, 0, 4, 0.0);
  for (int i = 0; i < 50; ++i) field_kit_add(&s, 20, 20, 20, 4, 0.0);
  mote_surface_def def = mote_surface_def_default();
  def.method = MOTE_SURFACE_DENSITY;
  field_kit_stages k;
  CHECK(field_kit_prepare(&k, &def, &s, NULL, NULL) == MOTE_OK);
  uint8_t *near = malloc(s.count);
  float *density = malloc(s.count * sizeof *density);
  CHECK(mote_near_surface(&k.set, 2.0, &k.env, near, density, NULL) == MOTE_OK);
  for (size_t p = 0; p < k.set.count; ++p) {
    int row = (int)k.set.row[p], at[3] = {row % side, row / side % side, row / (side * side)};
    bool skin = (size_t)row >= block, deep = !skin;
    for (int a = 0; a < 3; ++a) {
      skin = skin || at[a] == 0 || at[a] == side - 1;
      deep = deep && at[a] > 1 && at[a] < side - 2;
    }
    if (skin) CHECK(near[p] == 1);
    if (deep) CHECK(near[p] == 0);
    // The packing sum of the bump is 0.992 of its integral; jitter moves it by its curvature.
    if (deep) CHECK_NEAR((double)density[p], 0.992, 0.15);
  }
  free(density);
  free(near);
  field_kit_end(&k);
  free(s.x);
  return test_end();
}
