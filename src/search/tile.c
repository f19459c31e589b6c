// Tiles of candidates: see tile.h.
#include "search/tile.h"

#include "base/cpu.h"
#include "base/lane.h"
#ifdef MOTE_AVX2
#include <immintrin.h>
#endif

#define CANDIDATES_PER_STEP 16  // candidates that give one bit of each byte

typedef uint8_t lane8 __attribute__((vector_size(16)));
typedef int16_t lane16 __attribute__((vector_size(16)));
typedef uint32_t lane32 __attribute__((vector_size(16)));
typedef uint64_t lane64 __attribute__((vector_size(16)));

static inline void corner_of(const mote_walk *walk, uint32_t corner[3]) {
  const mote_row *row = &walk->targets->row[walk->row];
  const int64_t cell[3] = {walk->targets->cell[walk->cell].x, row->y, row->z};
  for (int a = 0; a < 3; ++a) corner[a] = (uint32_t)((uint64_t)cell[a] << MOTE_FIXED_POSITION_BITS);
}

void mote_tile_targets(const mote_walk *walk, size_t begin, size_t end, const double *radius, bool none,
                       mote_tile_target *target) {
  MOTE_ASSERT(begin <= end && end <= walk->targets->count);
  MOTE_ASSERT(walk->cell < walk->targets->cells);
  MOTE_ASSERT(target != NULL);
  const mote_cells *targets = walk->targets;
  const float *scale = walk->space->scale;
  float reach2 = none ? 0.0f : 1.0f;
  uint32_t corner[3];
  corner_of(walk, corner);
  for (size_t k = begin; k < end; ++k, ++target) {
    if (radius != NULL) reach2 = mote_tile_reach2(radius[targets->order[k]], walk->space->radius);
    float x = (float)(int32_t)(targets->fixed_position[0][k] - corner[0]) * scale[0];
    float y = (float)(int32_t)(targets->fixed_position[1][k] - corner[1]) * scale[1];
    float z = (float)(int32_t)(targets->fixed_position[2][k] - corner[2]) * scale[2];
    float square = x * x + y * y + z * z - (reach2 + walk->space->error);
    *target = (mote_tile_target){-2.0f * x, -2.0f * y, -2.0f * z, square};
  }
}

static inline mote_lane fixed_position_lane(const uint32_t *fixed_position, uint32_t origin, float scale) {
  lane32 lane;
  memcpy(&lane, fixed_position, sizeof lane);
  return __builtin_convertvector((mote_lane_mask)(lane - origin), mote_lane) * scale;
}

// Copies sorted points from .. from + n - 1 to candidates to ..; writes up to three more entries behind them.
static inline void copy_fixed_positions(mote_tile *t, const mote_cells *points, const float scale[3],
                                        const uint32_t origin[3], size_t from, size_t to, size_t n) {
  const uint32_t *px = points->fixed_position[0] + from, *py = points->fixed_position[1] + from,
                 *pz = points->fixed_position[2] + from;
  lane32 point = (lane32){0, 1, 2, 3} + (uint32_t)from;
  for (size_t k = 0; k < n; k += MOTE_LANES) {
    mote_lane x = fixed_position_lane(px + k, origin[0], scale[0]);
    mote_lane y = fixed_position_lane(py + k, origin[1], scale[1]);
    mote_lane z = fixed_position_lane(pz + k, origin[2], scale[2]);
    mote_lane_store(t->x + to + k, x);
    mote_lane_store(t->y + to + k, y);
    mote_lane_store(t->z + to + k, z);
    mote_lane_store(t->square + to + k, x * x + y * y + z * z);
    memcpy(t->point + to + k, &point, sizeof point);
    point += MOTE_LANES;
  }
}

static inline void copy_indices(mote_tile *t, const mote_cells *points, size_t from, size_t to, size_t n) {
  const uint32_t *order = points->order + from;
  for (size_t k = 0; k < n; k += MOTE_LANES) memcpy(t->point + to + k, order + k, MOTE_LANES * sizeof *order);
}

// Pads the last step with entries that are never neighbours.
static inline void pad(mote_tile *t, size_t count) {
  const mote_lane zero = mote_lane_splat(0.0f), far = mote_lane_splat(4.0f);
  for (size_t k = count; k < count + CANDIDATES_PER_STEP; k += MOTE_LANES) {
    mote_lane_store(t->x + k, zero);
    mote_lane_store(t->y + k, zero);
    mote_lane_store(t->z + k, zero);
    mote_lane_store(t->square + k, far);
    mote_lane_store(t->reaching + k, far);
  }
}

static inline bool fill(mote_tile *t, const mote_walk *walk, bool fixed_positions) {
  const mote_cells *points = walk->points;
  const mote_cell *cell = &walk->targets->cell[walk->cell];
  size_t own_begin = cell[0].point, own_end = points == walk->targets ? cell[1].point : 0;
  if (walk->targets->self != NULL) {
    const uint32_t *self = walk->targets->self;
    own_begin = self[cell[0].point], own_end = (size_t)self[cell[1].point - 1] + 1;
  }
  size_t run = t->run, runs = walk->runs, next = t->next, count = 0;
  uint32_t corner[3];
  corner_of(walk, corner);
  t->own_begin = t->own_end = 0;
  for (; run < runs && count < MOTE_TILE; ++run, next = 0) {
    size_t begin = walk->run[run].begin, end = walk->run[run].end;
    if (next < begin) next = begin;
    size_t n = end - next;
    if (n > MOTE_TILE - count) n = MOTE_TILE - count;
    if (fixed_positions) {
      const uint32_t *shift = walk->run[run].shift;
      const uint32_t origin[3] = {corner[0] - shift[0], corner[1] - shift[1], corner[2] - shift[2]};
      copy_fixed_positions(t, points, walk->space->scale, origin, next, count, n);
      for (size_t k = 0; k < n && t->reach2 != NULL; ++k) {
        t->reaching[count + k] = t->square[count + k] - t->reach2[next + k];
      }
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
  if (fixed_positions) pad(t, count);
  t->run = run;
  t->next = next;
  t->count = count;
  t->blocks = (count + MOTE_TILE_BLOCK - 1) / MOTE_TILE_BLOCK;
  return count > 0;
}

bool mote_tile_fill_fixed_positions(mote_tile *tile, const mote_walk *walk) {
  MOTE_ASSERT(tile->run <= walk->runs);
  return fill(tile, walk, true);
}

bool mote_tile_fill_indices(mote_tile *tile, const mote_walk *walk) {
  MOTE_ASSERT(tile->run <= walk->runs);
  return fill(tile, walk, false);
}

static inline mote_lane test4(const mote_tile *t, const float *square, mote_tile_target i, size_t k) {
  return mote_lane_load(square + k) + i.square + mote_lane_load(t->x + k) * i.x +
         mote_lane_load(t->y + k) * i.y + mote_lane_load(t->z + k) * i.z;
}

// The upper halves of eight floats: sign, exponent and seven bits, ordered as whole numbers among negatives.
static inline lane16 upper(mote_lane a, mote_lane b) {
  return __builtin_shufflevector((lane16)a, (lane16)b, 1, 3, 5, 7, 9, 11, 13, 15);
}

// Sixteen masks of 16 bits become masks of 8.
static inline lane8 narrow(lane16 a, lane16 b) {
  return __builtin_shufflevector((lane8)a, (lane8)b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28,
                                 30);
}

typedef struct found {
  lane8 bits, unsure;
} found;

// One more bit below those found: candidates k .. k + 15. Negatives of small magnitude are small as integers.
static inline void test16(found *f, const mote_tile *t, const float *square, mote_tile_target i, size_t k,
                          int16_t limit) {
  lane16 a = upper(test4(t, square, i, k), test4(t, square, i, k + 4));
  lane16 b = upper(test4(t, square, i, k + 8), test4(t, square, i, k + 12));
  f->bits = f->bits + f->bits - narrow((lane16)(a < 0), (lane16)(b < 0));
  f->unsure = f->unsure + f->unsure - narrow((lane16)(a <= limit), (lane16)(b <= limit));
}

#ifdef MOTE_AVX2
// The same for AVX2: the first target in the lower half of a register, the second in the upper one.
typedef float wide __attribute__((vector_size(32)));
typedef int16_t wide16 __attribute__((vector_size(32)));
typedef uint8_t wide8 __attribute__((vector_size(32)));

typedef struct wide_target {
  wide x, y, z, square;
} wide_target;

MOTE_AVX2 static inline wide twice(const float *from) {
  return (wide)_mm256_broadcast_ps((const __m128 *)from);  // shuffles of a loaded lane take the shuffle unit
}

MOTE_AVX2 static inline wide both(float a, float b) {
  return (wide){a, a, a, a, b, b, b, b};
}

MOTE_AVX2 static inline wide test_both(const mote_tile *t, const float *square, const wide_target *i,
                                       size_t k) {
  return twice(square + k) + i->square + twice(t->x + k) * i->x + twice(t->y + k) * i->y +
         twice(t->z + k) * i->z;
}

MOTE_AVX2 static inline wide16 upper_both(wide a, wide b) {
  return __builtin_shufflevector((wide16)a, (wide16)b, 1, 3, 5, 7, 17, 19, 21, 23, 9, 11, 13, 15, 25, 27, 29,
                                 31);
}

MOTE_AVX2 static inline wide8 narrow_both(wide16 a, wide16 b) {
  return __builtin_shufflevector((wide8)a, (wide8)b, 0, 2, 4, 6, 8, 10, 12, 14, 32, 34, 36, 38, 40, 42, 44,
                                 46, 16, 18, 20, 22, 24, 26, 28, 30, 48, 50, 52, 54, 56, 58, 60, 62);
}

MOTE_AVX2 static void test_block(const mote_tile *t, const float *square, const mote_tile_target target[2],
                                 int16_t limit, size_t begin, size_t end, found f[2]) {
  const mote_tile_target *a = &target[0], *b = &target[1];
  const wide_target i = {both(a->x, b->x), both(a->y, b->y), both(a->z, b->z), both(a->square, b->square)};
  wide8 bits = {0}, unsure = {0};
  for (size_t k = end; k > begin; k -= CANDIDATES_PER_STEP) {
    wide16 c = upper_both(test_both(t, square, &i, k - 16), test_both(t, square, &i, k - 12));
    wide16 d = upper_both(test_both(t, square, &i, k - 8), test_both(t, square, &i, k - 4));
    bits = bits + bits - narrow_both((wide16)(c < 0), (wide16)(d < 0));
    unsure = unsure + unsure - narrow_both((wide16)(c <= limit), (wide16)(d <= limit));
  }
  memcpy(&f[0].bits, &bits, sizeof f[0].bits);
  memcpy(&f[1].bits, (const char *)&bits + 16, sizeof f[1].bits);
  memcpy(&f[0].unsure, &unsure, sizeof f[0].unsure);
  memcpy(&f[1].unsure, (const char *)&unsure + 16, sizeof f[1].unsure);
}
#endif

// The upper half of -2 error, rounded away from zero.
static int16_t upper_limit(float error) {
  float limit = -2.0f * error;
  uint32_t bits;
  memcpy(&bits, &limit, sizeof bits);
  return (int16_t)((bits + 0xffff) >> 16);
}

static inline bool any(lane8 bits) {
  lane64 words = (lane64)bits;
  return (words[0] | words[1]) != 0;
}

// Bits of unused candidates at the end of a block, whose data are old.
static inline lane8 bits_behind(size_t count) {
  uint8_t last = (uint8_t)((count - 1) % CANDIDATES_PER_STEP),
          bit = (uint8_t)(1u << (count - 1) / CANDIDATES_PER_STEP);
  return (lane8)((lane8){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15} > last) & bit;
}

int mote_tile_test(const mote_tile *t, const float *square, const mote_tile_target target[2], float error,
                   mote_tile_bits *near[2], mote_tile_bits *unsure[2]) {
  MOTE_ASSERT(t->blocks * MOTE_TILE_BLOCK <= MOTE_TILE_PADDED);
  MOTE_ASSERT(t->count <= t->blocks * MOTE_TILE_BLOCK);
  const mote_tile_target a = target[0], b = target[1];
  const int16_t limit = upper_limit(error);
  lane8 some[2] = {{0}, {0}};
  for (size_t block = 0; block < t->blocks; ++block) {
    size_t begin = block * MOTE_TILE_BLOCK, count = t->count - begin;
    if (count > MOTE_TILE_BLOCK) count = MOTE_TILE_BLOCK;
    found f[2] = {{{0}, {0}}, {{0}, {0}}};
    // Backwards, so that each bit ends in its position.
    size_t end = begin + (count + CANDIDATES_PER_STEP - 1) / CANDIDATES_PER_STEP * CANDIDATES_PER_STEP;
#ifdef MOTE_AVX2
    if (mote_cpu_avx2) {
      test_block(t, square, target, limit, begin, end, f);
      end = begin;
    }
#endif
    for (size_t k = end; k > begin; k -= CANDIDATES_PER_STEP) {
      test16(&f[0], t, square, a, k - CANDIDATES_PER_STEP, limit);
      test16(&f[1], t, square, b, k - CANDIDATES_PER_STEP, limit);
    }
    lane8 behind = bits_behind(count);
    for (int m = 0; m < 2; ++m) {
      f[m].bits &= ~behind;
      some[m] |= f[m].unsure;
      memcpy(&near[m][block], &f[m].bits, sizeof f[m].bits);
      memcpy(&unsure[m][block], &f[m].unsure, sizeof f[m].unsure);
    }
  }
  return any(some[0]) | any(some[1]) << 1;
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
