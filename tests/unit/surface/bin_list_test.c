// Lists of points that pass a test: all of them, bin by bin; none; every one.
#include "surface/bin_list.h"

#include "field_kit.h"
#include "test.h"

static bool divides(const void *data, size_t point) {
  return point % *(const size_t *)data == 0;
}

static void check_list(const mote_point_set *set, size_t step, mote_arena *arena) {
  mote_bin_list list;
  CHECK(mote_bin_list_make(set, divides, &step, arena, &list, NULL) == MOTE_OK);
  size_t n = 0;
  for (size_t bin = 0; bin < set->bins; ++bin) {
    CHECK(list.first[bin] == n);
    for (size_t p = set->first_point[bin]; p < set->first_point[bin + 1]; ++p) {
      if (divides(&step, p)) CHECK(list.point[n++] == p);
    }
  }
  CHECK(list.first[set->bins] == n);
}

int main(void) {
  field_kit_set s = field_kit_begin();
  field_kit_block(&s, (double[3]){0, 0, 0}, (int[3]){9, 7, 5}, 3, 0.4);
  mote_surface_def def = mote_surface_def_default();
  field_kit_stages k;
  CHECK(field_kit_prepare(&k, &def, &s, NULL, NULL) == MOTE_OK);
  check_list(&k.set, 1, &k.arena);
  check_list(&k.set, 5, &k.arena);
  check_list(&k.set, 2 * s.count, &k.arena);  // point 0
  field_kit_end(&k);
  free(s.x);
  return test_end();
}
