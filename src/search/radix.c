// A stable sort by whole numbers: see radix.h.
#include "search/radix.h"

#include <string.h>

#include "base/parallel.h"

typedef struct pass {
  const mote_radix *radix;
  size_t grain;
  int shift, bits;
} pass;

static uint32_t *part_histogram(const pass *p, size_t begin) {
  return p->radix->histogram + (begin / p->grain << p->bits);
}

static void count_part(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const pass *p = data;
  uint32_t *histogram = part_histogram(p, begin);
  const uint64_t *key = p->radix->key;
  uint64_t mask = (UINT64_C(1) << p->bits) - 1;
  memset(histogram, 0, sizeof *histogram << p->bits);
  for (size_t i = begin; i < end; ++i) ++histogram[key[i] >> p->shift & mask];
}

static void move_part(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const pass *p = data;
  uint32_t *place = part_histogram(p, begin);
  const mote_radix *r = p->radix;
  uint64_t mask = (UINT64_C(1) << p->bits) - 1;
  for (size_t i = begin; i < end; ++i) {
    uint32_t to = place[r->key[i] >> p->shift & mask]++;
    r->spare_key[to] = r->key[i];
    r->spare_value[to] = r->value[i];
  }
}

// Counts become first places: digit by digit, and within a digit part by part.
static void accumulate(const pass *p, size_t parts) {
  uint32_t sum = 0;
  for (size_t digit = 0; digit < (size_t)1 << p->bits; ++digit) {
    for (size_t part = 0; part < parts; ++part) {
      uint32_t *entry = p->radix->histogram + (part << p->bits) + digit;
      uint32_t count = *entry;
      *entry = sum;
      sum += count;
    }
  }
}

void mote_radix_sort(mote_radix *radix, int bits) {
  MOTE_ASSERT(bits >= 0 && bits <= 64);
  MOTE_ASSERT(radix->count <= UINT32_MAX);
  MOTE_ASSERT(radix->histogram != NULL);
  MOTE_ASSERT((radix->key != NULL && radix->spare_key != NULL && radix->value != NULL &&
               radix->spare_value != NULL) ||
              radix->count == 0);
  if (radix->count == 0 || bits == 0) return;
  int passes = (bits + MOTE_RADIX_BITS - 1) / MOTE_RADIX_BITS;
  pass p = {.radix = radix, .bits = (bits + passes - 1) / passes};
  p.grain = (radix->count + MOTE_RADIX_PARTS - 1) / MOTE_RADIX_PARTS;
  if (p.grain < 4096) p.grain = 4096;
  size_t parts = (radix->count + p.grain - 1) / p.grain;
  for (; passes > 0; --passes, p.shift += p.bits) {
    mote_parallel_for(radix->threads, radix->count, p.grain, count_part, &p);
    accumulate(&p, parts);
    mote_parallel_for(radix->threads, radix->count, p.grain, move_part, &p);
    uint64_t *key = radix->key;
    radix->key = radix->spare_key;
    radix->spare_key = key;
    uint32_t *value = radix->value;
    radix->value = radix->spare_value;
    radix->spare_value = value;
  }
}
