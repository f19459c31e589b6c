// A hashed cell list: see point_cells.h.
#include "geom/point_cells.h"

#include "base/hash.h"
#include "geom/triple.h"

#define NONE UINT32_MAX

static void cell_of(const mote_point_cells *cells, const double x[3], int64_t cell[3]) {
  for (int k = 0; k < 3; ++k) cell[k] = (int64_t)floor(x[k] / cells->size);
}

static size_t bucket_of(const mote_point_cells *cells, const int64_t cell[3]) {
  uint64_t hash = 0;
  for (int k = 0; k < 3; ++k) hash = mote_hash_mix(hash ^ (uint64_t)cell[k]);
  return (size_t)(hash & (cells->buckets - 1));
}

mote_result mote_point_cells_create(const mote_env *env, size_t capacity, double size, int dimensions,
                                    mote_point_cells *out, mote_error *error) {
  MOTE_ASSERT(size > 0.0);
  MOTE_ASSERT(dimensions == 2 || dimensions == 3);
  MOTE_ASSERT(capacity <= UINT32_MAX);
  MOTE_ASSERT(out != NULL);
  mote_point_cells cells = {
      .env = *env, .capacity = capacity, .buckets = 16, .size = size, .dimensions = dimensions};
  while (cells.buckets < capacity) cells.buckets *= 2;
  cells.first = mote_alloc(env, cells.buckets, sizeof *cells.first);
  cells.next = mote_alloc(env, capacity, sizeof *cells.next);
  *out = cells;
  if (cells.first && cells.next) return MOTE_OK;
  mote_point_cells_destroy(out);
  return mote_fail_memory(error, (cells.buckets + capacity) * sizeof(uint32_t));
}

void mote_point_cells_destroy(mote_point_cells *cells) {
  MOTE_ASSERT(cells != NULL);
  if (cells->first) mote_free(&cells->env, cells->first, cells->buckets, sizeof *cells->first);
  if (cells->next) mote_free(&cells->env, cells->next, cells->capacity, sizeof *cells->next);
  *cells = (mote_point_cells){0};
}

void mote_point_cells_clear(mote_point_cells *cells, const double *position) {
  MOTE_ASSERT(cells->first != NULL);
  for (size_t b = 0; b < cells->buckets; ++b) cells->first[b] = NONE;
  cells->position = position;
}

void mote_point_cells_add(mote_point_cells *cells, uint32_t i) {
  MOTE_ASSERT(i < cells->capacity);
  MOTE_ASSERT(cells->position != NULL);
  int64_t cell[3];
  cell_of(cells, cells->position + 3 * (size_t)i, cell);
  size_t bucket = bucket_of(cells, cell);
  cells->next[i] = cells->first[bucket];
  cells->first[bucket] = i;
}

// Cells may share a bucket, so a point counts only for its own cell.
static size_t near_in_cell(const mote_point_cells *cells, const int64_t cell[3], const double x[3],
                           double radius, uint32_t *near, size_t most) {
  size_t count = 0;
  for (uint32_t j = cells->first[bucket_of(cells, cell)]; j != NONE && count < most; j = cells->next[j]) {
    const double *xj = cells->position + 3 * (size_t)j;
    int64_t own[3];
    double d[3];
    sub3(x, xj, d);
    if (dot3(d, d) >= radius * radius) continue;
    cell_of(cells, xj, own);
    if (own[0] == cell[0] && own[1] == cell[1] && own[2] == cell[2]) near[count++] = j;
  }
  return count;
}

size_t mote_point_cells_near(const mote_point_cells *cells, const double x[3], double radius, uint32_t *near,
                             size_t most) {
  MOTE_ASSERT(radius >= 0.0);
  MOTE_ASSERT(near != NULL || most == 0);
  int64_t middle[3], deep = cells->dimensions == 3;
  size_t count = 0;
  cell_of(cells, x, middle);
  for (int64_t k = -deep; k <= deep; ++k) {
    for (int64_t j = -1; j <= 1; ++j) {
      for (int64_t i = -1; i <= 1; ++i) {
        int64_t cell[3] = {middle[0] + i, middle[1] + j, middle[2] + k};
        count += near_in_cell(cells, cell, x, radius, near + count, most - count);
      }
    }
  }
  return count;
}
