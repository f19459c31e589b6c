// A grid whose cells live in a hash table, EG09 5.2: constant time to insert, move and remove a point. Points
// of a bucket form a doubly linked list through their ids; cells that share a bucket are distinguished
// by comparing the cell itself. Cells are whole numbers kept as doubles, so that nothing overflows however
// far a point lies.
#include <float.h>
#include <math.h>
#include <mote/search.h>
#include <string.h>

#include "base/memory.h"
#include "search/ascending.h"

#define NONE UINT32_MAX
#define SMALLEST_REACH 1e-161  // nearer than this squares vanish, and points are near at any radius
#define FIRST_BUCKETS 64
#define FARTHEST_PERIOD 0x1p40               // beyond it images are no longer known
#define WHOLE_NUMBER_MAX 4503599627370496.0  // 2^52: below it, c + 1 > c

typedef struct hash_point {
  double x[3];
  uint32_t next, previous;  // of the bucket's list
  bool present;
} hash_point;

struct mote_hash_grid {
  mote_env env;
  mote_domain domain;
  double size[3];      // of a cell along each axis: periods are cut into a whole number of cells
  double number[3];    // of cells along a periodic axis
  double farthest[3];  // from 0 of all positions ever: how exact images are
  hash_point *point;
  size_t ids, capacity;  // points up to the largest id seen; allocated
  size_t count;          // present
  uint32_t *head;        // first point of each bucket
  size_t buckets;        // a power of two, at least the count
};

// --- Cells: EG09 (42), (43) ---

// The cell of coordinate x along an axis; monotone in x within a period.
static double axis_cell(const mote_hash_grid *grid, int axis, double x) {
  if (!grid->domain.periodic[axis]) return floor(x / grid->size[axis]);
  double period = grid->domain.high[axis] - grid->domain.low[axis];
  double from_low = fmod(x - grid->domain.low[axis], period);
  if (from_low < 0.0) from_low += period;
  return fmin(floor(from_low / grid->size[axis]), grid->number[axis] - 1.0);
}

static void point_cell(const mote_hash_grid *grid, const double x[3], double cell[3]) {
  for (int a = 0; a < 3; ++a) cell[a] = a < grid->domain.dimensions ? axis_cell(grid, a, x[a]) : 0.0;
}

static uint64_t whole(double cell) {
  return fabs(cell) < WHOLE_NUMBER_MAX ? (uint64_t)(int64_t)cell : 0;
}

// The primes of Teschner et al. 2003; the size of the table is a power of two, hence coprime to them.
static size_t cell_bucket(const mote_hash_grid *grid, const double cell[3]) {
  uint64_t hash = whole(cell[0]) * 73856093u ^ whole(cell[1]) * 19349663u ^ whole(cell[2]) * 83492791u;
  return (size_t)(hash ^ hash >> 32) & (grid->buckets - 1);
}

static size_t point_bucket(const mote_hash_grid *grid, const double x[3]) {
  double cell[3];
  point_cell(grid, x, cell);
  return cell_bucket(grid, cell);
}

// --- Lists ---

static void link_point(mote_hash_grid *grid, uint32_t id) {
  hash_point *p = &grid->point[id];
  uint32_t *head = &grid->head[point_bucket(grid, p->x)];
  p->previous = NONE;
  p->next = *head;
  if (*head != NONE) grid->point[*head].previous = id;
  *head = id;
}

static void unlink_point(mote_hash_grid *grid, uint32_t id) {
  hash_point *p = &grid->point[id];
  if (p->previous == NONE) {
    grid->head[point_bucket(grid, p->x)] = p->next;
  } else {
    grid->point[p->previous].next = p->next;
  }
  if (p->next != NONE) grid->point[p->next].previous = p->previous;
}

// A table of `buckets` with all present points; the old one stays when memory is out.
static mote_result rehash(mote_hash_grid *grid, size_t buckets, mote_error *error) {
  MOTE_ALLOC_NEW(uint32_t, head, &grid->env, buckets, error);
  for (size_t b = 0; b < buckets; ++b) head[b] = NONE;
  mote_free(&grid->env, grid->head, grid->buckets, sizeof *head);
  grid->head = head;
  grid->buckets = buckets;
  for (size_t id = 0; id < grid->ids; ++id) {
    if (grid->point[id].present) link_point(grid, (uint32_t)id);
  }
  return MOTE_OK;
}

// --- Life ---

static mote_result check_domain(const mote_domain *domain, double cell_size, mote_error *error) {
  if (domain->dimensions < 1 || domain->dimensions > 3) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "hash grid: dimensions is %d, not 1, 2 or 3",
                     domain->dimensions);
  }
  if (!(cell_size > 0.0 && isfinite(cell_size))) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "hash grid: cell_size is %g, not positive and finite",
                     cell_size);
  }
  for (int a = 0; a < domain->dimensions; ++a) {
    double period = domain->high[a] - domain->low[a];
    if (!domain->periodic[a] || (period > 0.0 && isfinite(period))) continue;
    return mote_fail(error, MOTE_ERROR_ARGUMENT,
                     "hash grid: period %g along axis %d is not positive and finite", period, a);
  }
  return MOTE_OK;
}

mote_result mote_hash_grid_create(const mote_domain *domain, double cell_size, const mote_env *env,
                                  mote_hash_grid **out, mote_error *error) {
  if (domain == NULL || out == NULL)
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "hash grid: domain or out is null");
  MOTE_TRY(check_domain(domain, cell_size, error));
  mote_env resolved = mote_env_resolve(env);
  MOTE_ALLOC_NEW(mote_hash_grid, grid, &resolved, 1, error);
  *grid = (mote_hash_grid){.env = resolved, .domain = *domain};
  for (int a = 0; a < 3; ++a) {
    double period = domain->high[a] - domain->low[a];
    bool periodic = a < domain->dimensions && domain->periodic[a];
    grid->domain.periodic[a] = periodic;
    grid->number[a] = periodic ? fmin(fmax(floor(period / cell_size), 1.0), WHOLE_NUMBER_MAX) : 0.0;
    grid->size[a] = periodic ? period / grid->number[a] : cell_size;
  }
  mote_result result = rehash(grid, FIRST_BUCKETS, error);
  if (result != MOTE_OK) {
    mote_hash_grid_destroy(grid);
    return result;
  }
  *out = grid;
  return MOTE_OK;
}

void mote_hash_grid_destroy(mote_hash_grid *grid) {
  if (grid == NULL) return;
  mote_env env = grid->env;
  mote_free(&env, grid->point, grid->capacity, sizeof *grid->point);
  mote_free(&env, grid->head, grid->buckets, sizeof *grid->head);
  mote_free(&env, grid, 1, sizeof *grid);
}

// --- Changes ---

static mote_result check_point(const mote_hash_grid *grid, uint32_t id, const double x[3],
                               mote_error *error) {
  if (grid == NULL) return mote_fail(error, MOTE_ERROR_ARGUMENT, "hash grid: the grid is null");
  if (x == NULL) return mote_fail(error, MOTE_ERROR_ARGUMENT, "hash grid: the position of id %u is null", id);
  for (int a = 0; a < grid->domain.dimensions; ++a) {
    if (!isfinite(x[a])) {
      return mote_fail(error, MOTE_ERROR_ARGUMENT, "hash grid: coordinate %d of id %u is not finite", a, id);
    }
    double period = grid->domain.high[a] - grid->domain.low[a];
    if (grid->domain.periodic[a] && fabs(x[a] - grid->domain.low[a]) > FARTHEST_PERIOD * period) {
      return mote_fail(error, MOTE_ERROR_ARGUMENT,
                       "hash grid: id %u lies more than 2^40 periods from the domain", id);
    }
  }
  return MOTE_OK;
}

static bool is_present(const mote_hash_grid *grid, uint32_t id) {
  return id < grid->ids && grid->point[id].present;
}

static mote_result check_present(const mote_hash_grid *grid, uint32_t id, mote_error *error) {
  if (grid == NULL) return mote_fail(error, MOTE_ERROR_ARGUMENT, "hash grid: the grid is null");
  if (is_present(grid, id)) return MOTE_OK;
  return mote_fail(error, MOTE_ERROR_ARGUMENT, "hash grid: id %u is not there", id);
}

static void place_point(mote_hash_grid *grid, uint32_t id, const double x[3]) {
  for (int a = 0; a < 3; ++a) {
    grid->point[id].x[a] = a < grid->domain.dimensions ? x[a] : 0.0;
    grid->farthest[a] = fmax(grid->farthest[a], fabs(grid->point[id].x[a]));
  }
  link_point(grid, id);
}

mote_result mote_hash_grid_insert(mote_hash_grid *grid, uint32_t id, const double x[3], mote_error *error) {
  MOTE_TRY(check_point(grid, id, x, error));
  if (id == NONE) return mote_fail(error, MOTE_ERROR_ARGUMENT, "hash grid: id %u is too large", id);
  if (is_present(grid, id))
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "hash grid: id %u is there already", id);
  MOTE_TRY(
      mote_reserve(&grid->env, &grid->point, &grid->capacity, (size_t)id + 1, sizeof *grid->point, error));
  if (grid->count == grid->buckets) MOTE_TRY(rehash(grid, 2 * grid->buckets, error));
  for (; grid->ids <= id; ++grid->ids) grid->point[grid->ids] = (hash_point){.present = false};
  grid->point[id].present = true;
  place_point(grid, id, x);
  ++grid->count;
  return MOTE_OK;
}

mote_result mote_hash_grid_move(mote_hash_grid *grid, uint32_t id, const double x[3], mote_error *error) {
  MOTE_TRY(check_point(grid, id, x, error));
  MOTE_TRY(check_present(grid, id, error));
  unlink_point(grid, id);
  place_point(grid, id, x);
  return MOTE_OK;
}

mote_result mote_hash_grid_remove(mote_hash_grid *grid, uint32_t id, mote_error *error) {
  MOTE_TRY(check_present(grid, id, error));
  unlink_point(grid, id);
  grid->point[id].present = false;
  --grid->count;
  return MOTE_OK;
}

size_t mote_hash_grid_count(const mote_hash_grid *grid) {
  return grid->count;
}

// --- Queries: EG09 algorithm 4, for any radius ---

typedef struct hash_query {
  const mote_hash_grid *grid;
  const double *x;
  double radius2;
  uint32_t *id;
  size_t capacity, found;
} hash_query;

static bool is_near(const hash_query *q, uint32_t id) {
  double d[3];
  mote_domain_difference(&q->grid->domain, q->x, q->grid->point[id].x, d);
  return d[0] * d[0] + d[1] * d[1] + d[2] * d[2] <= q->radius2;
}

static void add_answer(hash_query *q, uint32_t id) {
  if (q->found < q->capacity) q->id[q->found] = id;
  ++q->found;
}

// Of the points in the cell's bucket, those that are near and not of another cell, which has its own turn.
static void test_cell(hash_query *q, const double cell[3]) {
  for (uint32_t id = q->grid->head[cell_bucket(q->grid, cell)]; id != NONE; id = q->grid->point[id].next) {
    if (!is_near(q, id)) continue;
    double own[3];
    point_cell(q->grid, q->grid->point[id].x, own);
    if (own[0] == cell[0] && own[1] == cell[1] && own[2] == cell[2]) add_answer(q, id);
  }
}

static void test_all(hash_query *q) {
  for (size_t id = 0; id < q->grid->ids; ++id) {
    if (q->grid->point[id].present && is_near(q, (uint32_t)id)) add_answer(q, (uint32_t)id);
  }
}

// Cells low .. low + number - 1 along each axis (modulo the period's) hold all points in reach. Rounded
// outward by more than the errors of a distance. Returns how many cells there are; infinity where they cannot
// be walked through.
static double reach_cells(const mote_hash_grid *grid, const double x[3], double radius, double low[3],
                          double number[3]) {
  double cells = 1.0;
  for (int a = 0; a < 3; ++a) {
    low[a] = 0.0, number[a] = 1.0;
    if (a >= grid->domain.dimensions) continue;
    double reach = radius * (1.0 + 1e-12) + 8 * DBL_EPSILON * fabs(x[a]) + SMALLEST_REACH;
    if (grid->domain.periodic[a]) {
      reach += 8 * DBL_EPSILON * (fabs(grid->domain.low[a]) + fabs(grid->domain.high[a]) + grid->farthest[a]);
      low[a] = axis_cell(grid, a, x[a]) - ceil(reach / grid->size[a]);
      number[a] = 2.0 * ceil(reach / grid->size[a]) + 1.0;
      if (number[a] >= grid->number[a]) low[a] = 0.0, number[a] = grid->number[a];
    } else {
      low[a] = floor((x[a] - reach) / grid->size[a]);
      number[a] = floor((x[a] + reach) / grid->size[a]) - low[a] + 1.0;
    }
    cells *= fabs(low[a]) + number[a] < WHOLE_NUMBER_MAX ? number[a] : (double)INFINITY;
  }
  return cells;
}

static double wrap_cell(const mote_hash_grid *grid, int axis, double cell) {
  if (!grid->domain.periodic[axis]) return cell;
  if (cell < 0.0) return cell + grid->number[axis];
  return cell < grid->number[axis] ? cell : cell - grid->number[axis];
}

size_t mote_hash_grid_query(const mote_hash_grid *grid, const double x[3], double radius, uint32_t *id,
                            size_t capacity) {
  hash_query q = {.grid = grid, .x = x, .radius2 = radius * radius, .id = id, .capacity = capacity};
  double low[3], number[3], cell[3];
  if (!(radius >= 0.0)) return 0;
  for (int a = 0; a < grid->domain.dimensions; ++a) {
    if (!isfinite(x[a])) return 0;
  }
  if (!(reach_cells(grid, x, radius, low, number) <= (double)grid->count + 27)) {
    test_all(&q);
    return q.found;
  }
  for (double k = 0; k < number[2]; ++k) {
    cell[2] = wrap_cell(grid, 2, low[2] + k);
    for (double j = 0; j < number[1]; ++j) {
      cell[1] = wrap_cell(grid, 1, low[1] + j);
      for (double i = 0; i < number[0]; ++i) {
        cell[0] = wrap_cell(grid, 0, low[0] + i);
        test_cell(&q, cell);
      }
    }
  }
  mote_sort_ascending(id, q.found < capacity ? q.found : capacity);
  return q.found;
}
