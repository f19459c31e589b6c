// Bisection in ascending arrays.
#ifndef MOTE_BISECT_H
#define MOTE_BISECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The first index of [begin, end) whose value is not below `value`; end where all are.
static inline size_t mote_lower_bound_u32(const uint32_t *array, size_t begin, size_t end, uint64_t value) {
  while (begin < end) {
    size_t middle = begin + (end - begin) / 2;
    if (array[middle] < value) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

static inline size_t mote_lower_bound_u64(const uint64_t *array, size_t begin, size_t end, uint64_t value) {
  while (begin < end) {
    size_t middle = begin + (end - begin) / 2;
    if (array[middle] < value) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

// Whether the value is one of [begin, end).
static inline bool mote_bisect_has(const uint32_t *array, size_t begin, size_t end, uint64_t value) {
  size_t at = mote_lower_bound_u32(array, begin, end, value);
  return at < end && array[at] == value;
}

#endif
