// Four floats (or two doubles) side by side, by the compilers' vector extensions. Pair loops add four partial
// sums in a fixed order; the width is part of the results, so it is 4 on every machine (docs/determinism.md).
#ifndef MOTE_LANE_H
#define MOTE_LANE_H

#include "base/prelude.h"

#define MOTE_LANES 4

typedef float mote_lane __attribute__((vector_size(16)));
typedef int32_t mote_lane_mask __attribute__((vector_size(16)));

static inline mote_lane mote_lane_splat(float x) {
  return (mote_lane){x, x, x, x};
}

#ifdef __OPENCL_C_VERSION__
static inline mote_lane mote_lane_load(__global const void *from) {
  return *(__global const mote_lane *)from;
}

static inline void mote_lane_store(__global float *to, mote_lane lane) {
  *(__global mote_lane *)to = lane;
}
#else
static inline mote_lane mote_lane_load(const void *from) {
  mote_lane lane;
  memcpy(&lane, from, sizeof lane);
  return lane;
}

static inline void mote_lane_store(float *to, mote_lane lane) {
  memcpy(to, &lane, sizeof lane);
}
#endif

// b where the mask is all ones, a where it is zero.
static inline mote_lane mote_lane_choose(mote_lane_mask mask, mote_lane b, mote_lane a) {
  return (mote_lane)(((mote_lane_mask)b & mask) | ((mote_lane_mask)a & ~mask));
}

// clang takes the loop apart for WebAssembly: a tenth of a fluid's step there.
static inline mote_lane mote_lane_sqrt(mote_lane x) {
#ifdef __wasm_simd128__
  return (mote_lane)__builtin_wasm_sqrt_f32x4(x);
#else
  mote_lane root;
  for (int k = 0; k < MOTE_LANES; ++k) root[k] = sqrtf(x[k]);
  return root;
#endif
}

static inline mote_lane mote_lane_max(mote_lane a, mote_lane b) {
  return mote_lane_choose(a > b, a, b);
}

// ((0 + 2) + (1 + 3)): the one order of all sums.
static inline float mote_lane_sum(mote_lane x) {
  return (x[0] + x[2]) + (x[1] + x[3]);
}

// Four records (x, y, z, w) become one lane per component.
static inline void mote_lane_transpose(mote_lane *a, mote_lane *b, mote_lane *c, mote_lane *d) {
  mote_lane ac = __builtin_shufflevector(*a, *c, 0, 4, 1, 5),
            bd = __builtin_shufflevector(*b, *d, 0, 4, 1, 5);
  mote_lane AC = __builtin_shufflevector(*a, *c, 2, 6, 3, 7),
            BD = __builtin_shufflevector(*b, *d, 2, 6, 3, 7);
  *a = __builtin_shufflevector(ac, bd, 0, 4, 1, 5);
  *b = __builtin_shufflevector(ac, bd, 2, 6, 3, 7);
  *c = __builtin_shufflevector(AC, BD, 0, 4, 1, 5);
  *d = __builtin_shufflevector(AC, BD, 2, 6, 3, 7);
}

#ifndef __OPENCL_C_VERSION__
// Two doubles side by side, for small dense algebra.
typedef double mote_pair __attribute__((vector_size(16)));

static inline mote_pair mote_pair_load(const double *from) {
  mote_pair pair;
  memcpy(&pair, from, sizeof pair);
  return pair;
}

static inline void mote_pair_store(double *to, mote_pair pair) {
  memcpy(to, &pair, sizeof pair);
}

typedef int64_t mote_pair_mask __attribute__((vector_size(16)));

// b where the mask is all ones, a where it is zero.
static inline mote_pair mote_pair_choose(mote_pair_mask mask, mote_pair b, mote_pair a) {
  return (mote_pair)(((mote_pair_mask)b & mask) | ((mote_pair_mask)a & ~mask));
}

#endif

#endif
