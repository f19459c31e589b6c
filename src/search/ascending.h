// Results of queries in ascending order: a sort in place for the tens of indices that a query finds.
#ifndef MOTE_ASCENDING_H
#define MOTE_ASCENDING_H

#include <stddef.h>
#include <stdint.h>

static inline void mote_sort_ascending(uint32_t *index, size_t count) {
  for (size_t gap = count / 2; gap > 0; gap /= 2) {
    for (size_t i = gap; i < count; ++i) {
      uint32_t value = index[i];
      size_t k = i;
      for (; k >= gap && index[k - gap] > value; k -= gap) index[k] = index[k - gap];
      index[k] = value;
    }
  }
}

#endif
