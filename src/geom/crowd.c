// Sorting points by hashed cells: see crowd.h.
#include "geom/crowd.h"

#include "base/hash.h"
#include "geom/triple.h"

#define AXIS_BITS \
  21  // of each coordinate of a cell; cells 2^21 apart share a number, and then distances tell

static uint64_t cell_number(int64_t i, int64_t j, int64_t k) {
  const uint64_t mask = ((uint64_t)1 << AXIS_BITS) - 1;
  return ((uint64_t)i & mask) | ((uint64_t)j & mask) << AXIS_BITS | ((uint64_t)k & mask) << 2 * AXIS_BITS;
}

static uint64_t cell_of(const mote_crowd *crowd, const double x[3]) {
  return cell_number((int64_t)floor(x[0] / crowd->size), (int64_t)floor(x[1] / crowd->size),
                     (int64_t)floor(x[2] / crowd->size));
}

static size_t bucket_of(const mote_crowd *crowd, uint64_t cell) {
  return (size_t)(mote_hash_mix(cell) & (crowd->buckets - 1));
}

mote_result mote_crowd_create(const mote_env *env, size_t capacity, double size, int dimensions,
                              mote_crowd *out, mote_error *error) {
  MOTE_ASSERT(size > 0.0);
  MOTE_ASSERT(dimensions == 2 || dimensions == 3);
  MOTE_ASSERT(capacity <= UINT32_MAX);
  MOTE_ASSERT(out != NULL);
  mote_crowd crowd = {
      .env = *env, .capacity = capacity, .buckets = 16, .size = size, .dimensions = dimensions};
  while (crowd.buckets < capacity) crowd.buckets *= 2;
  crowd.start = mote_alloc(env, crowd.buckets + 1, sizeof *crowd.start);
  crowd.point = mote_alloc(env, capacity, sizeof *crowd.point);
  *out = crowd;
  if (crowd.start && crowd.point) return MOTE_OK;
  mote_crowd_destroy(out);
  return mote_fail_memory(error, capacity * sizeof *crowd.point);
}

void mote_crowd_destroy(mote_crowd *crowd) {
  MOTE_ASSERT(crowd != NULL);
  mote_free(&crowd->env, crowd->start, crowd->buckets + 1, sizeof *crowd->start);
  mote_free(&crowd->env, crowd->point, crowd->capacity, sizeof *crowd->point);
  *crowd = (mote_crowd){0};
}

void mote_crowd_sort(mote_crowd *crowd, const double *position) {
  MOTE_ASSERT(position != NULL || crowd->capacity == 0);
  MOTE_ASSERT(crowd->start != NULL && crowd->point != NULL);
  uint32_t *start = crowd->start;
  for (size_t b = 0; b <= crowd->buckets; ++b) start[b] = 0;
  for (size_t i = 0; i < crowd->capacity; ++i) ++start[bucket_of(crowd, cell_of(crowd, position + 3 * i))];
  uint32_t sum = 0;
  for (size_t b = 0; b <= crowd->buckets; ++b) start[b] = sum += start[b];  // the ends, so far
  for (size_t i = crowd->capacity; i-- > 0;) {
    uint64_t cell = cell_of(crowd, position + 3 * i);
    mote_crowd_point *point = crowd->point + --start[bucket_of(crowd, cell)];
    copy3(position + 3 * i, point->x);
    point->cell = cell;
  }
}

static size_t near_in_cell(const mote_crowd *crowd, uint64_t cell, const double x[3], double square,
                           const double **near, size_t most) {
  size_t bucket = bucket_of(crowd, cell), count = 0;
  for (uint32_t k = crowd->start[bucket]; k < crowd->start[bucket + 1] && count < most; ++k) {
    const mote_crowd_point *point = crowd->point + k;
    double apart[3];
    if (point->cell != cell) continue;
    sub3(x, point->x, apart);
    if (dot3(apart, apart) < square) near[count++] = point->x;
  }
  return count;
}

size_t mote_crowd_near(const mote_crowd *crowd, const double x[3], double radius, const double **near,
                       size_t most) {
  MOTE_ASSERT(radius >= 0.0);
  MOTE_ASSERT(near != NULL || most == 0);
  int64_t middle[3], deep = crowd->dimensions == 3;
  size_t count = 0;
  for (int k = 0; k < 3; ++k) middle[k] = (int64_t)floor(x[k] / crowd->size);
  for (int64_t k = -deep; k <= deep; ++k) {
    for (int64_t j = -1; j <= 1; ++j) {
      for (int64_t i = -1; i <= 1; ++i) {
        uint64_t cell = cell_number(middle[0] + i, middle[1] + j, middle[2] + k);
        count += near_in_cell(crowd, cell, x, radius * radius, near + count, most - count);
      }
    }
  }
  return count;
}
