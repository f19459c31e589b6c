// A stable sort by whole numbers: radix, least digit first, in parallel, the same for any thread count.
#ifndef MOTE_RADIX_H
#define MOTE_RADIX_H

#include "base/memory.h"

typedef struct mote_radix {
  int threads;
  size_t count;
  uint64_t *key, *spare_key;
  uint32_t *value, *spare_value;  // permuted with the keys
  uint32_t *histogram;            // MOTE_RADIX_HISTOGRAM entries
} mote_radix;

#define MOTE_RADIX_BITS 11
#define MOTE_RADIX_PARTS 32
#define MOTE_RADIX_HISTOGRAM ((size_t)MOTE_RADIX_PARTS << MOTE_RADIX_BITS)

// Sorts key and value by the lowest `bits` of key; the spares may be exchanged with them.
void mote_radix_sort(mote_radix *radix, int bits);

#endif
