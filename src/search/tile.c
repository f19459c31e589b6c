// Tiles of candidates: see tile.h.
#include "search/tile.h"

#define LANES 8

typedef uint16_t lane16 __attribute__((vector_size(16)));
typedef uint8_t lane8 __attribute__((vector_size(16)));
typedef uint64_t lane64 __attribute__((vector_size(16)));
typedef uint32_t lane32 __attribute__((vector_size(16)));

static inline lane16 load16(const uint16_t *from) {
  lane16 lane;
  memcpy(&lane, from, sizeof lane);
  return lane;
}

static inline void store16(uint16_t *to, lane16 lane) {
  memcpy(to, &lane, sizeof lane);
}

// Sorted points from .. from + n - 1 become candidates to ..; up to seven more are written behind them.
static inline void copy_places(mote_tile *t, const mote_cells *points, const uint16_t shift[3], size_t from,
                               size_t to, size_t n) {
  const uint16_t *px = points->place[0] + from, *py = points->place[1] + from, *pz = points->place[2] + from;
  lane32 point = (lane32){0, 1, 2, 3} + (uint32_t)from;
  for (size_t k = 0; k < n; k += LANES) {
    lane16 x = load16(px + k) + shift[0], y = load16(py + k) + shift[1], z = load16(pz + k) + shift[2];
    store16(t->x + to + k, x);
    store16(t->y + to + k, y);
    store16(t->z + to + k, z);
    store16(t->square + to + k, x * x + y * y + z * z);
    lane32 next = point + 4;
    memcpy(t->point + to + k, &point, sizeof point);
    memcpy(t->point + to + k + 4, &next, sizeof next);
    point += LANES;
  }
}

static inline void copy_indices(mote_tile *t, const mote_cells *points, size_t from, size_t to, size_t n) {
  const uint32_t *order = points->order + from;
  for (size_t k = 0; k < n; k += LANES) memcpy(t->point + to + k, order + k, LANES * sizeof *order);
}

static inline bool fill(mote_tile *t, const mote_walk *walk, bool places) {
  const mote_cells *points = walk->points;
  const mote_cell *cell = &walk->targets->cell[walk->cell];
  size_t own_begin = cell[0].point, own_end = points == walk->targets ? cell[1].point : own_begin;
  size_t run = t->run, runs = walk->runs, next = t->next, count = 0;
  t->own_begin = t->own_end = 0;
  for (; run < runs && count < MOTE_TILE; ++run, next = 0) {
    size_t begin = walk->run[run].begin, end = walk->run[run].end;
    if (next < begin) next = begin;
    size_t n = end - next;
    if (n > MOTE_TILE - count) n = MOTE_TILE - count;
    if (places) {
      copy_places(t, points, walk->run[run].shift, next, count, n);
      if (next < own_end && next + n > own_begin) {
        t->own_begin = next;
        t->own_end = next + n;
        t->own_at = count;
      }
    } else {
      copy_indices(t, points, next, count, n);
    }
    count += n;
    if (next + n < end) {
      next += n;
      break;
    }
  }
  t->run = run;
  t->next = next;
  t->count = count;
  return count > 0;
}

bool mote_tile_fill_places(mote_tile *tile, const mote_walk *walk) {
  return fill(tile, walk, true);
}

bool mote_tile_fill_indices(mote_tile *tile, const mote_walk *walk) {
  return fill(tile, walk, false);
}

static inline lane16 distance2(const mote_tile *t, const mote_tile_target *i, size_t k) {
  return load16(t->square + k) + i->square + load16(t->x + k) * i->x + load16(t->y + k) * i->y +
         load16(t->z + k) * i->z;
}

// Sixteen masks of 16 bits become masks of 8.
static inline lane8 narrow(lane16 a, lane16 b) {
  return __builtin_shufflevector((lane8)a, (lane8)b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28,
                                 30);
}

typedef struct found {
  lane8 maybe, sure;
} found;

// One more bit below those found: candidates k .. k + 15.
static inline void test16(found *f, const mote_tile *t, const mote_tile_target *i, size_t k) {
  lane16 a = distance2(t, i, k), b = distance2(t, i, k + LANES);
  f->maybe = f->maybe + f->maybe - narrow((lane16)(a <= i->band.maybe), (lane16)(b <= i->band.maybe));
  f->sure = f->sure + f->sure - narrow((lane16)(a < i->band.sure), (lane16)(b < i->band.sure));
}

// Backwards, so that each bit ends where it belongs.
void mote_tile_test(const mote_tile *t, const mote_tile_target target[2], mote_tile_bits maybe[2],
                    mote_tile_bits sure[2]) {
  const mote_tile_target a = target[0], b = target[1];
  found fa = {{0}, {0}}, fb = {{0}, {0}};
  size_t groups = (t->count + 15) / 16;
  for (size_t k = 16 * groups; k > 0; k -= 16) {
    test16(&fa, t, &a, k - 16);
    test16(&fb, t, &b, k - 16);
  }
  // Behind the last candidate stands whatever was there.
  uint8_t rest = (uint8_t)((t->count - 1) % 16), last = (uint8_t)(1u << (groups - 1));
  lane8 valid = ~((lane8)((lane8){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15} > rest) & last);
  fa.maybe &= valid, fb.maybe &= valid;
  memcpy(&maybe[0], &fa.maybe, sizeof fa.maybe);
  memcpy(&maybe[1], &fb.maybe, sizeof fb.maybe);
  memcpy(&sure[0], &fa.sure, sizeof fa.sure);
  memcpy(&sure[1], &fb.sure, sizeof fb.sure);
}

// Transposes both 8 x 8 bit matrices (Warren, "Hacker's Delight", 7-3), then interleaves their bytes.
mote_tile_bits mote_tile_bits_ordered(mote_tile_bits bits) {
  lane64 x, t;
  memcpy(&x, &bits, sizeof x);
  t = (x ^ (x >> 7)) & UINT64_C(0x00AA00AA00AA00AA);
  x ^= t ^ (t << 7);
  t = (x ^ (x >> 14)) & UINT64_C(0x0000CCCC0000CCCC);
  x ^= t ^ (t << 14);
  t = (x ^ (x >> 28)) & UINT64_C(0x00000000F0F0F0F0);
  x ^= t ^ (t << 28);
  lane8 bytes =
      __builtin_shufflevector((lane8)x, (lane8)x, 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15);
  memcpy(&bits, &bytes, sizeof bits);
  return bits;
}
