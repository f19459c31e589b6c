// Bisection in ascending numbers.
#ifndef MOTE_BISECT_H
#define MOTE_BISECT_H

#include <stddef.h>
#include <stdint.h>

// The first of `count` numbers that is not below `key`; count: all are below it.
static inline size_t mote_bisect(const uint32_t *number, size_t count, size_t key) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (number[middle] < key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

#endif
