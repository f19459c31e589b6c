#include "surface/bin_list.h"

mote_result mote_bin_list_make(const mote_point_set *set, mote_point_test *test, const void *data,
                               mote_arena *arena, mote_bin_list *out, mote_error *error) {
  MOTE_ASSERT(test != NULL && arena != NULL && out != NULL);
  MOTE_ASSERT(set->count <= UINT32_MAX);
  MOTE_TAKE_NEW(uint32_t, first, arena, set->bins + 1, error);
  uint32_t count = 0;
  for (size_t bin = 0; bin < set->bins; ++bin) {
    first[bin] = count;
    for (uint32_t p = set->first_point[bin]; p < set->first_point[bin + 1]; ++p) count += test(data, p);
  }
  first[set->bins] = count;
  MOTE_TAKE_NEW(uint32_t, point, arena, count, error);
  for (size_t p = 0, n = 0; p < set->count && n < count; ++p) {
    point[n] = (uint32_t)p;
    n += test(data, p);
  }
  *out = (mote_bin_list){.point = point, .first = first};
  return MOTE_OK;
}
