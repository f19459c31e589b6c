// Elimination order: see elastic_elimination.h.
#include "elastic/elastic_elimination.h"

#include <string.h>

#include "geom/triple.h"

#define PARTS_ALONG_AXIS 4    // more parts cost iterations: 8 parts a fifth more
#define BINS_ALONG_AXIS 4096  // particles of a bin keep their order
#define ELIMINATION_BLOCKS (2 * PARTS_ALONG_AXIS)

typedef struct slices {
  const mote_elastic *body;
  int axis;
  double low, over;  // over: bins per metre
  uint8_t part[BINS_ALONG_AXIS];
  uint8_t *block;  // of each particle
} slices;

static size_t bin_of(const slices *s, size_t i) {
  double at = (s->body->rest[3 * i + (size_t)s->axis] - s->low) * s->over;
  return at < BINS_ALONG_AXIS - 1 ? (size_t)at : BINS_ALONG_AXIS - 1;
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
    s->axis = a, s->low = low, s->over = BINS_ALONG_AXIS / longest;
  }
}

// Splits into parts of equal particle counts.
static void split(slices *s, size_t *count) {
  size_t n = s->body->count, before = 0;
  MOTE_ASSERT(n > 0);
  memset(count, 0, BINS_ALONG_AXIS * sizeof *count);
  for (size_t i = 0; i < n; ++i) ++count[bin_of(s, i)];
  for (size_t k = 0; k < BINS_ALONG_AXIS; before += count[k++])
    s->part[k] = (uint8_t)(PARTS_ALONG_AXIS * before / n);
  for (size_t i = 0; i < n; ++i) s->block[i] = s->part[bin_of(s, i)];
}

// Moves particles coupled to a higher part into a border block behind all parts. Where border blocks are
// coupled to each other (thin parts), they are merged into one.
static void take_borders(slices *s, const mote_sparse *a) {
  bool coupled = false;
  for (size_t j = 0; j < a->size; ++j) {
    for (size_t k = a->first[j] + 1; k < a->first[j + 1]; ++k) {
      size_t i = a->row[k];
      int one = s->block[j] % PARTS_ALONG_AXIS, two = s->block[i] % PARTS_ALONG_AXIS;
      if (one < two) s->block[j] = (uint8_t)(PARTS_ALONG_AXIS + one);
      if (two < one) s->block[i] = (uint8_t)(PARTS_ALONG_AXIS + two);
    }
  }
  for (size_t j = 0; j < a->size; ++j) {
    for (size_t k = a->first[j] + 1; k < a->first[j + 1]; ++k) {
      int one = s->block[j], two = s->block[a->row[k]];
      coupled |= one >= PARTS_ALONG_AXIS && two >= PARTS_ALONG_AXIS && one != two;
    }
  }
  for (size_t i = 0; coupled && i < a->size; ++i) {
    if (s->block[i] > PARTS_ALONG_AXIS) s->block[i] = PARTS_ALONG_AXIS;
  }
}

static size_t key_of(const slices *s, size_t i) {
  size_t bin = bin_of(s, i), block = s->block[i];
  return block * BINS_ALONG_AXIS +
         (block % 2 == 1 && block < PARTS_ALONG_AXIS ? BINS_ALONG_AXIS - 1 - bin : bin);
}

mote_result mote_elastic_elimination_order(const mote_elastic *body, const mote_sparse *matrix,
                                           mote_arena *memory, mote_elimination *out, mote_error *error) {
  MOTE_ASSERT(matrix->size == body->count);
  MOTE_ASSERT(memory != NULL && out != NULL);
  size_t n = body->count;
  slices s = {.body = body};
  MOTE_TAKE_NEW(uint32_t, order, memory, n, error);
  MOTE_TAKE_NEW(size_t, start, memory, ELIMINATION_BLOCKS + 1, error);
  MOTE_TAKE_NEW(size_t, next, memory, ELIMINATION_BLOCKS * BINS_ALONG_AXIS + 1, error);
  MOTE_TAKE(s.block, memory, n, error);
  find_axis(&s);
  split(&s, next);
  take_borders(&s, matrix);
  memset(next, 0, (ELIMINATION_BLOCKS * BINS_ALONG_AXIS + 1) * sizeof *next);
  for (size_t i = 0; i < n; ++i) ++next[key_of(&s, i) + 1];
  for (size_t k = 0; k < ELIMINATION_BLOCKS * BINS_ALONG_AXIS; ++k) next[k + 1] += next[k];
  for (size_t k = 0; k <= ELIMINATION_BLOCKS; ++k) start[k] = next[k * BINS_ALONG_AXIS];
  for (size_t i = 0; i < n; ++i) order[next[key_of(&s, i)]++] = (uint32_t)i;
  *out = (mote_elimination){
      .order = order, .start = start, .blocks = ELIMINATION_BLOCKS, .apart = PARTS_ALONG_AXIS};
  return MOTE_OK;
}
