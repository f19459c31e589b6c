#include "surface/neighbour_sums.h"

#include "base/check.h"

#define FAR 64.0f  // in units of the reach: farther than any candidate from any target

typedef float pair_float __attribute__((vector_size(8)));

static inline mote_lane join(mote_pair a, mote_pair b) {
  return __builtin_shufflevector(__builtin_convertvector(a, pair_float),
                                 __builtin_convertvector(b, pair_float), 0, 1, 2, 3);
}

// Four points in a row become one lane for each axis.
static inline void place_four(const double *p, const double corner[3], double per, float *x, float *y,
                              float *z) {
  mote_pair xy = {corner[0], corner[1]}, zx = {corner[2], corner[0]}, yz = {corner[1], corner[2]};
  mote_lane a = join((mote_pair_load(p) - xy) * per, (mote_pair_load(p + 2) - zx) * per);       // x0 y0 z0 x1
  mote_lane b = join((mote_pair_load(p + 4) - yz) * per, (mote_pair_load(p + 6) - xy) * per);   // y1 z1 x2 y2
  mote_lane c = join((mote_pair_load(p + 8) - zx) * per, (mote_pair_load(p + 10) - yz) * per);  // z2 x3 y3 z3
  mote_lane xs = __builtin_shufflevector(a, b, 0, 3, 6, 6), ys = __builtin_shufflevector(a, b, 1, 4, 7, 7);
  mote_lane zs = __builtin_shufflevector(a, b, 2, 5, 5, 5);
  mote_lane_store(x, __builtin_shufflevector(xs, c, 0, 1, 2, 5));
  mote_lane_store(y, __builtin_shufflevector(ys, c, 0, 1, 2, 6));
  mote_lane_store(z, __builtin_shufflevector(zs, c, 0, 1, 4, 7));
}

void mote_candidates_add(mote_candidates *candidates, const double *position, const uint32_t *label,
                         size_t count, const double corner[3], double per) {
  MOTE_ASSERT(candidates->count + count <= MOTE_CANDIDATES);
  float *x = candidates->x + candidates->count, *y = candidates->y + candidates->count,
        *z = candidates->z + candidates->count;
  int32_t *to = candidates->label + candidates->count;
  size_t k = 0;
  for (; k + MOTE_LANES <= count; k += MOTE_LANES)
    place_four(position + 3 * k, corner, per, x + k, y + k, z + k);
  for (; k < count; ++k) {
    x[k] = (float)((position[3 * k] - corner[0]) * per);
    y[k] = (float)((position[3 * k + 1] - corner[1]) * per);
    z[k] = (float)((position[3 * k + 2] - corner[2]) * per);
  }
  if (label == NULL) {
    memset(to, 0, count * sizeof *to);
  } else {
    memcpy(to, label, count * sizeof *to);
  }
  candidates->count += count;
}

void mote_candidates_close(mote_candidates *candidates) {
  MOTE_ASSERT(candidates->count <= MOTE_CANDIDATES);
  for (size_t k = candidates->count; k % MOTE_LANES != 0; ++k) {
    candidates->x[k] = candidates->y[k] = candidates->z[k] = FAR;
    candidates->label[k] = 0;
  }
}

static inline mote_lane where(mote_lane_mask mask, mote_lane x) {
  return (mote_lane)((mote_lane_mask)x & mask);
}

void mote_neighbours_add(const mote_candidates *candidates, const mote_target *target,
                         mote_neighbour_sums *sums) {
  mote_lane s[MOTE_NEAR_SUMS];
  for (int a = 0; a < MOTE_NEAR_SUMS; ++a) s[a] = sums->sum[a];
  for (size_t k = 0; k < candidates->count; k += MOTE_LANES) {
    mote_lane x = mote_lane_load(candidates->x + k) - target->x[0];
    mote_lane y = mote_lane_load(candidates->y + k) - target->x[1];
    mote_lane z = mote_lane_load(candidates->z + k) - target->x[2];
    mote_lane square = x * x + y * y + z * z;
    mote_lane_mask label;
    memcpy(&label, candidates->label + k, sizeof label);
    mote_lane_mask near = (square < 1.0f) & (label == target->label);
    mote_lane w = where(near, 1.0f - square * mote_lane_sqrt(square));  // (4.8), (4.14)
    mote_lane wx = w * x, wy = w * y, wz = w * z;
    s[0] += w;
    s[1] += wx, s[2] += wy, s[3] += wz;
    s[4] += wx * x, s[5] += wx * y, s[6] += wx * z;
    s[7] += wy * y, s[8] += wy * z, s[9] += wz * z;
    s[10] += where(near, mote_lane_splat(1.0f));
    s[11] += where(near, x), s[12] += where(near, y), s[13] += where(near, z);
  }
  for (int a = 0; a < MOTE_NEAR_SUMS; ++a) sums->sum[a] = s[a];
}
