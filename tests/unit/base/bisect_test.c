// Bisection finds what a search from the beginning does, also among equal values and in parts of an array.
#include "base/bisect.h"

#include "test.h"

int main(void) {
  const uint32_t array[] = {1, 1, 3, 4, 4, 4, 9, UINT32_MAX};
  const uint64_t wide[] = {1, 1, 3, 4, 4, 4, 9, UINT32_MAX};
  const uint64_t value[] = {0, 1, 2, 3, 4, 5, 9, 10, UINT32_MAX, (uint64_t)UINT32_MAX + 4};
  for (size_t begin = 0; begin <= 8; ++begin) {
    for (size_t end = begin; end <= 8; ++end) {
      for (size_t v = 0; v < sizeof value / sizeof *value; ++v) {
        size_t first = begin;
        while (first < end && array[first] < value[v]) ++first;
        CHECK(mote_lower_bound_u32(array, begin, end, value[v]) == first);
        CHECK(mote_lower_bound_u64(wide, begin, end, value[v]) == first);
        CHECK(mote_bisect_has(array, begin, end, value[v]) == (first < end && array[first] == value[v]));
      }
    }
  }
  return test_end();
}
