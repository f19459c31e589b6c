// Which ellipsoids contain a point, YU11 4.4.2. An ellipsoid stands in the cells that its bounding box
// touches; cells are powers of two, each ellipsoid at the level whose cells are just as large as its box, so
// that it stands in eight at most and one giant costs no more than a dwarf. A query looks into one cell a
// level. Cells share the buckets of a table: a bucket holds indices in ascending order, so that an ellipsoid
// met twice is met in a row.
#include <float.h>
#include <math.h>
#include <mote/numeric.h>
#include <mote/search.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "search/ascending.h"

#define ELLIPSOIDS_PER_TASK 1024
#define LEVELS_MAX 2200  // more exponents than a double has

typedef struct ellipsoid {
  double centre[3];
  double G[6];
  double half[3];  // of the bounding box, rounded up
  int level;       // cells of its level are 2^level wide
} ellipsoid;

struct mote_ellipsoid_grid {
  mote_env env;
  int dimensions;
  size_t count, entries;
  ellipsoid *all;
  size_t buckets;   // a power of two
  uint32_t *first;  // buckets + 1: where a bucket's entries begin
  uint32_t *index;  // of the ellipsoids, bucket by bucket
  int *levels;      // that are in use
  int level_count;
};

// The cells that a box touches along each axis: at most three, from `low`.
typedef struct cell_range {
  double low[3];
  int number[3];
} cell_range;

static cell_range box_cells(const ellipsoid *e, int dimensions) {
  cell_range range = {.number = {1, 1, 1}};
  double scale = ldexp(1.0, -e->level);
  for (int a = 0; a < dimensions; ++a) {
    double low = floor((e->centre[a] - e->half[a]) * scale),
           high = floor((e->centre[a] + e->half[a]) * scale);
    range.low[a] = low;
    range.number[a] = high > low + 1.0 ? 3 : high > low ? 2 : 1;
  }
  return range;
}

static size_t cell_bucket(const mote_ellipsoid_grid *grid, int level, const double cell[3]) {
  uint64_t hash = (uint64_t)(uint32_t)level;
  for (int a = 0; a < grid->dimensions; ++a) {
    double coordinate = cell[a] + 0.0;  // -0 is 0
    uint64_t bits;
    memcpy(&bits, &coordinate, sizeof bits);
    hash = mote_hash_mix(hash ^ bits);
  }
  return (size_t)hash & (grid->buckets - 1);
}

// Counts, or writes, an entry in the bucket of each cell that the box touches.
static void add_entries(mote_ellipsoid_grid *grid, size_t i, bool write) {
  const ellipsoid *e = &grid->all[i];
  cell_range range = box_cells(e, grid->dimensions);
  int cells = range.number[0] * range.number[1] * range.number[2];
  for (int k = 0; k < cells; ++k) {
    int step[3] = {k % range.number[0], k / range.number[0] % range.number[1],
                   k / (range.number[0] * range.number[1])};
    double cell[3] = {range.low[0] + step[0], range.low[1] + step[1], range.low[2] + step[2]};
    uint32_t *place = &grid->first[cell_bucket(grid, e->level, cell) + 1];
    if (write) grid->index[*place] = (uint32_t)i;
    ++*place;
  }
}

// --- Bounding boxes ---

typedef struct measuring {
  mote_ellipsoid_grid *grid;
  const double *centre, *G;
  bool *bad;  // one a chunk
} measuring;

static void fill_matrix(const double G[6], int dimensions, double m[9]) {
  // Axes beyond the dimensions as stiff as the first: they change neither the others nor the condition.
  m[0] = m[4] = m[8] = G[0];
  m[1] = m[2] = m[5] = 0.0;
  if (dimensions > 1) m[1] = G[1], m[4] = G[3];
  if (dimensions > 2) m[2] = G[2], m[5] = G[4], m[8] = G[5];
  m[3] = m[1], m[6] = m[2], m[7] = m[5];
}

// Half extents are the lengths of the rows of G^-1. False when G is not positive definite in floating point.
static bool measure_one(ellipsoid *e, int dimensions) {
  double m[9], value[3], vector[9], widest = 0.0;
  fill_matrix(e->G, dimensions, m);
  if (!mote_eigen3(m, value, vector) || !(value[2] > 1e-12 * value[0])) return false;
  double slack = 1.0 + 1e-9 + 16 * DBL_EPSILON * value[0] / value[2];
  for (int a = 0; a < dimensions; ++a) {
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) sum += (vector[3 * a + k] / value[k]) * (vector[3 * a + k] / value[k]);
    e->half[a] = sqrt(sum) * slack + 4 * DBL_EPSILON * fabs(e->centre[a]);
    widest = fmax(widest, 2 * e->half[a]);
  }
  if (!(widest > 0.0 && widest <= DBL_MAX / 4)) return false;
  frexp(widest, &e->level);
  --e->level;
  return true;
}

static void measure_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  measuring *m = data;
  bool bad = false;
  for (size_t i = begin; i < end; ++i) {
    ellipsoid *e = &m->grid->all[i];
    *e = (ellipsoid){0};
    for (int a = 0; a < m->grid->dimensions; ++a) {
      e->centre[a] = m->centre[3 * i + a];
      bad = bad || !isfinite(e->centre[a]);
    }
    memcpy(e->G, m->G + 6 * i, sizeof e->G);
    bad = !measure_one(e, m->grid->dimensions) || bad;
  }
  m->bad[begin / ELLIPSOIDS_PER_TASK] = bad;
}

static mote_result name_bad(const measuring *m, size_t chunk, mote_error *error) {
  for (size_t i = chunk * ELLIPSOIDS_PER_TASK;; ++i) {
    for (int a = 0; a < m->grid->dimensions; ++a) {
      if (isfinite(m->centre[3 * i + a])) continue;
      return mote_fail(error, MOTE_ERROR_ARGUMENT, "ellipsoids: coordinate %d of centre %zu is not finite", a,
                       i);
    }
    ellipsoid e = m->grid->all[i];
    if (measure_one(&e, m->grid->dimensions)) continue;
    return mote_fail(error, MOTE_ERROR_ARGUMENT,
                     "ellipsoids: matrix %zu is not positive definite, or its ellipsoid is beyond 1e150", i);
  }
}

static mote_result measure(mote_ellipsoid_grid *grid, const double *centre, const double *G,
                           mote_error *error) {
  size_t chunks = grid->count / ELLIPSOIDS_PER_TASK + 1;
  measuring m = {.grid = grid, .centre = centre, .G = G, .bad = mote_alloc(&grid->env, chunks, 1)};
  if (m.bad == NULL) return mote_fail_memory(error, chunks);
  memset(m.bad, 0, chunks);
  mote_parallel_for(grid->env.threads, grid->count, ELLIPSOIDS_PER_TASK, measure_chunk, &m);
  mote_result result = MOTE_OK;
  for (size_t c = 0; c < chunks && result == MOTE_OK; ++c) {
    if (m.bad[c]) result = name_bad(&m, c, error);
  }
  mote_free(&grid->env, m.bad, chunks, 1);
  return result;
}

// --- Building ---

static mote_result take_array(const mote_env *env, void *array, size_t count, size_t size,
                              mote_error *error) {
  size_t capacity = 0;
  return mote_reserve(env, array, &capacity, count, size, error);
}

static mote_result list_levels(mote_ellipsoid_grid *grid, mote_error *error) {
  bool used[LEVELS_MAX] = {false};
  for (size_t i = 0; i < grid->count; ++i) {
    bool *level = &used[grid->all[i].level + LEVELS_MAX / 2];
    grid->level_count += !*level;
    *level = true;
  }
  MOTE_TRY(take_array(&grid->env, &grid->levels, (size_t)grid->level_count, sizeof(int), error));
  for (int k = 0, n = 0; k < LEVELS_MAX; ++k) {
    if (used[k]) grid->levels[n++] = k - LEVELS_MAX / 2;
  }
  return MOTE_OK;
}

// Counting sort: bucket sizes, their starts, the entries. first[b + 1] is the end of bucket b in the end.
static mote_result fill_buckets(mote_ellipsoid_grid *grid, mote_error *error) {
  while (grid->buckets < 4 * grid->count) grid->buckets *= 2;
  MOTE_TRY(take_array(&grid->env, &grid->first, grid->buckets + 1, sizeof(uint32_t), error));
  memset(grid->first, 0, (grid->buckets + 1) * sizeof(uint32_t));
  for (size_t i = 0; i < grid->count; ++i) add_entries(grid, i, false);
  uint32_t sum = 0;
  for (size_t b = 1; b <= grid->buckets; ++b) {
    uint32_t size = grid->first[b];
    grid->first[b] = sum;
    sum += size;
  }
  grid->entries = sum;
  MOTE_TRY(take_array(&grid->env, &grid->index, grid->entries, sizeof(uint32_t), error));
  for (size_t i = 0; i < grid->count; ++i) add_entries(grid, i, true);
  return MOTE_OK;
}

static mote_result build(mote_ellipsoid_grid *grid, const double *centre, const double *G,
                         mote_error *error) {
  MOTE_TRY(take_array(&grid->env, &grid->all, grid->count, sizeof *grid->all, error));
  MOTE_TRY(measure(grid, centre, G, error));
  MOTE_TRY(list_levels(grid, error));
  return fill_buckets(grid, error);
}

mote_result mote_ellipsoid_grid_create(int dimensions, const double *centre, const double *G, size_t count,
                                       const mote_env *env, mote_ellipsoid_grid **out, mote_error *error) {
  if (out == NULL || (count > 0 && (centre == NULL || G == NULL))) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "ellipsoids: centre, G or out is null");
  }
  if (dimensions < 1 || dimensions > 3) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "ellipsoids: dimensions is %d, not 1, 2 or 3", dimensions);
  }
  if (count > UINT32_MAX / 27) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "ellipsoids: %zu are more than %u", count, UINT32_MAX / 27);
  }
  mote_env resolved = mote_env_resolve(env);
  MOTE_ALLOC_NEW(mote_ellipsoid_grid, grid, &resolved, 1, error);
  *grid = (mote_ellipsoid_grid){.env = resolved, .dimensions = dimensions, .count = count, .buckets = 1};
  mote_result result = build(grid, centre, G, error);
  if (result == MOTE_OK) {
    *out = grid;
  } else {
    mote_ellipsoid_grid_destroy(grid);
  }
  return result;
}

void mote_ellipsoid_grid_destroy(mote_ellipsoid_grid *grid) {
  if (grid == NULL) return;
  mote_env env = grid->env;
  mote_free(&env, grid->all, grid->count, sizeof *grid->all);
  mote_free(&env, grid->first, grid->buckets + 1, sizeof(uint32_t));
  mote_free(&env, grid->index, grid->entries, sizeof(uint32_t));
  mote_free(&env, grid->levels, (size_t)grid->level_count, sizeof(int));
  mote_free(&env, grid, 1, sizeof *grid);
}

// --- Queries ---

static bool contains(const ellipsoid *e, int dimensions, const double x[3]) {
  double d[3] = {0, 0, 0}, sum = 0.0;
  for (int a = 0; a < dimensions; ++a) {
    d[a] = x[a] - e->centre[a];
    if (!(fabs(d[a]) <= e->half[a])) return false;
  }
  double m[9];
  fill_matrix(e->G, dimensions, m);
  for (int a = 0; a < dimensions; ++a) {
    double y = m[3 * a] * d[0] + m[3 * a + 1] * d[1] + m[3 * a + 2] * d[2];
    sum += y * y;
  }
  return sum <= 1.0;
}

size_t mote_ellipsoid_grid_query(const mote_ellipsoid_grid *grid, const double x[3], uint32_t *index,
                                 size_t capacity) {
  size_t found = 0;
  for (int n = 0; n < grid->level_count; ++n) {
    double scale = ldexp(1.0, -grid->levels[n]), cell[3];
    for (int a = 0; a < grid->dimensions; ++a) cell[a] = floor(x[a] * scale);
    size_t bucket = cell_bucket(grid, grid->levels[n], cell);
    uint32_t before = UINT32_MAX;
    for (uint32_t k = grid->first[bucket]; k < grid->first[bucket + 1]; ++k) {
      uint32_t i = grid->index[k];
      if (i == before || grid->all[i].level != grid->levels[n] ||
          !contains(&grid->all[i], grid->dimensions, x))
        continue;
      before = i;
      if (found++ < capacity) index[found - 1] = i;
    }
  }
  mote_sort_ascending(index, found < capacity ? found : capacity);
  return found;
}
