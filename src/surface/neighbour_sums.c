#include "surface/neighbour_sums.h"

#include "base/check.h"

enum { FAR_CANDIDATE_DISTANCE = 64 };  // in units of the reach: farther than any candidate from any target

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
  MOTE_ASSERT(per > 0.0);
  MOTE_ASSERT(position != NULL || count == 0);
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
    candidates->x[k] = candidates->y[k] = candidates->z[k] = FAR_CANDIDATE_DISTANCE;
    candidates->label[k] = 0;
    candidates->volume[k] = 0.0f;
  }
}

static inline mote_lane where(mote_lane_mask mask, mote_lane x) {
  return (mote_lane)((mote_lane_mask)x & mask);
}

static inline bool any(mote_lane_mask mask) {
  uint64_t half[2];
  memcpy(half, &mask, sizeof half);
  return (half[0] | half[1]) != 0;
}

// Four candidates as the target sees them.
typedef struct seen_four {
  mote_lane x, y, z, square;
} seen_four;

static inline seen_four see(const mote_candidates *candidates, size_t k, const mote_target *target) {
  seen_four s = {.x = mote_lane_load(candidates->x + k) - target->x[0],
                 .y = mote_lane_load(candidates->y + k) - target->x[1],
                 .z = mote_lane_load(candidates->z + k) - target->x[2]};
  s.square = s.x * s.x + s.y * s.y + s.z * s.z;
  return s;
}

// Groups of four with one within reach, about half of them: the others would add zeros.
static size_t list_near(const mote_candidates *candidates, const mote_target *target, uint16_t *four) {
  size_t count = 0;
  for (size_t k = 0; k < candidates->count; k += MOTE_LANES) {
    four[count] = (uint16_t)k;
    count += any(see(candidates, k, target).square < 1.0f);
  }
  return count;
}

void mote_neighbours_add(const mote_candidates *candidates, const mote_target *target,
                         mote_neighbour_sums *sums) {
  MOTE_ASSERT(candidates->count <= MOTE_CANDIDATES);
  MOTE_ASSERT(target != NULL && sums != NULL);
  uint16_t four[MOTE_CANDIDATES / MOTE_LANES + 1];
  size_t groups = list_near(candidates, target, four);
  mote_lane s[MOTE_NEAR_SUMS];
  for (int a = 0; a < MOTE_NEAR_SUMS; ++a) s[a] = sums->sum[a];
  for (size_t n = 0; n < groups; ++n) {
    seen_four c = see(candidates, four[n], target);
    mote_lane_mask label;
    memcpy(&label, candidates->label + four[n], sizeof label);
    mote_lane_mask near = (c.square < 1.0f) & (label == target->label);
    mote_lane w = where(near, 1.0f - c.square * mote_lane_sqrt(c.square));  // (4.8), (4.14)
    mote_lane wx = w * c.x, wy = w * c.y, wz = w * c.z;
    s[0] += w;
    s[1] += wx, s[2] += wy, s[3] += wz;
    s[4] += wx * c.x, s[5] += wx * c.y, s[6] += wx * c.z;
    s[7] += wy * c.y, s[8] += wy * c.z, s[9] += wz * c.z;
    s[10] += where(near, mote_lane_splat(1.0f));
    s[11] += where(near, c.x), s[12] += where(near, c.y), s[13] += where(near, c.z);
  }
  for (int a = 0; a < MOTE_NEAR_SUMS; ++a) sums->sum[a] = s[a];
}

void mote_neighbours_add_own(const mote_candidates *candidates, const mote_target *target,
                             mote_neighbour_sums *sums) {
  MOTE_ASSERT(candidates->count <= MOTE_CANDIDATES);
  MOTE_ASSERT(target != NULL && target->scale > 0.0f && sums != NULL);
  mote_lane s[MOTE_NEAR_SUMS];
  for (int a = 0; a < MOTE_NEAR_SUMS; ++a) s[a] = sums->sum[a];
  for (size_t k = 0; k < candidates->count; k += MOTE_LANES) {
    seen_four c = see(candidates, k, target);
    c.square *= target->scale * target->scale;
    mote_lane_mask label;
    memcpy(&label, candidates->label + k, sizeof label);
    mote_lane_mask near = (c.square < 1.0f) & (label == target->label);
    if (!any(near)) continue;
    mote_lane one = where(near, mote_lane_load(candidates->volume + k) * target->bulk);
    mote_lane x = c.x * target->scale, y = c.y * target->scale, z = c.z * target->scale;
    mote_lane w = one * (1.0f - c.square * mote_lane_sqrt(c.square));
    mote_lane wx = w * x, wy = w * y, wz = w * z;
    s[0] += w;
    s[1] += wx, s[2] += wy, s[3] += wz;
    s[4] += wx * x, s[5] += wx * y, s[6] += wx * z;
    s[7] += wy * y, s[8] += wy * z, s[9] += wz * z;
    s[10] += one;
    s[11] += one * x, s[12] += one * y, s[13] += one * z;
  }
  for (int a = 0; a < MOTE_NEAR_SUMS; ++a) sums->sum[a] = s[a];
}
