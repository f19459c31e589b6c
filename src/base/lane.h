// Four floats side by side, by the compilers' vector extensions. Pair loops add four partial sums in a
// fixed order; the width is part of the results, so it is 4 on every machine (docs/determinism.md).
#ifndef MOTE_LANE_H
#define MOTE_LANE_H

#include <stdint.h>
#include <string.h>

#define MOTE_LANES 4

typedef float mote_lane __attribute__((vector_size(16)));
typedef int32_t mote_lane_mask __attribute__((vector_size(16)));

static inline mote_lane mote_lane_splat(float x) {
  return (mote_lane){x, x, x, x};
}

static inline mote_lane mote_lane_load(const float *from) {
  mote_lane lane;
  memcpy(&lane, from, sizeof lane);
  return lane;
}

static inline void mote_lane_store(float *to, mote_lane lane) {
  memcpy(to, &lane, sizeof lane);
}

// b where the mask is all ones, a where it is zero.
static inline mote_lane mote_lane_choose(mote_lane_mask mask, mote_lane b, mote_lane a) {
  return (mote_lane)(((mote_lane_mask)b & mask) | ((mote_lane_mask)a & ~mask));
}

// ((0 + 2) + (1 + 3)): the one order of all sums.
static inline float mote_lane_sum(mote_lane x) {
  return (x[0] + x[2]) + (x[1] + x[3]);
}

// Four records (x, y, z, w) become one lane per component.
static inline void mote_lane_transpose(mote_lane *a, mote_lane *b, mote_lane *c, mote_lane *d) {
  mote_lane t0 = {(*a)[0], (*b)[0], (*c)[0], (*d)[0]};
  mote_lane t1 = {(*a)[1], (*b)[1], (*c)[1], (*d)[1]};
  mote_lane t2 = {(*a)[2], (*b)[2], (*c)[2], (*d)[2]};
  mote_lane t3 = {(*a)[3], (*b)[3], (*c)[3], (*d)[3]};
  *a = t0, *b = t1, *c = t2, *d = t3;
}

#endif
