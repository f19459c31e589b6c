// The order of elimination: see elastic_elimination.h.
#include "elastic/elastic_elimination.h"

#include <string.h>

#include "geom/triple.h"

#define PARTS 4    // more of them cost iterations: 8 a fifth more
#define BINS 4096  // along the axis; particles of a bin keep their order
#define BLOCKS (2 * PARTS)

typedef struct slices {
  const mote_elastic *body;
  int axis;
  double low, over;  // bins of a metre
  uint8_t part[BINS];
  uint8_t *block;  // of each particle
} slices;

static size_t bin_of(const slices *s, size_t i) {
  double at = (s->body->rest[3 * i + (size_t)s->axis] - s->low) * s->over;
  return at < BINS - 1 ? (size_t)at : BINS - 1;
}

static void find_axis(slices *s) {
  const mote_elastic *b = s->body;
  double longest = 0.0;
  for (int a = 0; a < b->dimensions; ++a) {
    double low = b->rest[a], high = low;
    for (size_t i = 0; i < b->count; ++i) {
      low = min2(low, b->rest[3 * i + (size_t)a]), high = max2(high, b->rest[3 * i + (size_t)a]);
    }
    if (high - low <= longest) continue;
    longest = high - low;
    s->axis = a, s->low = low, s->over = BINS / longest;
  }
}

// Parts of as many particles each.
static void cut(slices *s, size_t *count) {
  size_t n = s->body->count, before = 0;
  memset(count, 0, BINS * sizeof *count);
  for (size_t i = 0; i < n; ++i) ++count[bin_of(s, i)];
  for (size_t k = 0; k < BINS; before += count[k++]) s->part[k] = (uint8_t)(PARTS * before / n);
  for (size_t i = 0; i < n; ++i) s->block[i] = s->part[bin_of(s, i)];
}

// Those coupled to a higher part are taken out of their own, into one behind all of them. If these are
// coupled to each other, the bodies' parts being thin, they are one.
static void take_borders(slices *s, const mote_sparse *a) {
  bool coupled = false;
  for (size_t j = 0; j < a->size; ++j) {
    for (size_t k = a->first[j] + 1; k < a->first[j + 1]; ++k) {
      size_t i = a->row[k];
      int one = s->block[j] % PARTS, two = s->block[i] % PARTS;
      if (one < two) s->block[j] = (uint8_t)(PARTS + one);
      if (two < one) s->block[i] = (uint8_t)(PARTS + two);
    }
  }
  for (size_t j = 0; j < a->size; ++j) {
    for (size_t k = a->first[j] + 1; k < a->first[j + 1]; ++k) {
      int one = s->block[j], two = s->block[a->row[k]];
      coupled |= one >= PARTS && two >= PARTS && one != two;
    }
  }
  for (size_t i = 0; coupled && i < a->size; ++i) {
    if (s->block[i] > PARTS) s->block[i] = PARTS;
  }
}

static size_t key_of(const slices *s, size_t i) {
  size_t bin = bin_of(s, i), block = s->block[i];
  return block * BINS + (block % 2 == 1 && block < PARTS ? BINS - 1 - bin : bin);
}

mote_result mote_elastic_order(const mote_elastic *body, const mote_sparse *matrix, mote_arena *memory,
                               mote_elimination *out, mote_error *error) {
  size_t n = body->count;
  slices s = {.body = body};
  uint32_t *order = mote_arena_take(memory, n, sizeof *order);
  size_t *start = mote_arena_take(memory, BLOCKS + 1, sizeof *start);
  size_t *next = mote_arena_take(memory, BLOCKS * BINS + 1, sizeof *next);
  s.block = mote_arena_take(memory, n, sizeof *s.block);
  if (order == NULL || start == NULL || next == NULL || s.block == NULL) {
    return mote_fail_memory(error, BLOCKS * BINS * sizeof *next);
  }
  find_axis(&s);
  cut(&s, next);
  take_borders(&s, matrix);
  memset(next, 0, (BLOCKS * BINS + 1) * sizeof *next);
  for (size_t i = 0; i < n; ++i) ++next[key_of(&s, i) + 1];
  for (size_t k = 0; k < BLOCKS * BINS; ++k) next[k + 1] += next[k];
  for (size_t k = 0; k <= BLOCKS; ++k) start[k] = next[k * BINS];
  for (size_t i = 0; i < n; ++i) order[next[key_of(&s, i)]++] = (uint32_t)i;
  *out = (mote_elimination){.order = order, .start = start, .blocks = BLOCKS, .apart = PARTS};
  return MOTE_OK;
}
