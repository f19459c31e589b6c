// A bit per cell: see near_map.h. Cells are at least as wide as the radius, so that near points are in the
// same cell or the next; where the samples are spread too far they are wider.
#include "pairs/near_map.h"

#include <math.h>
#include <string.h>

#define MOST_CELLS 0x1p24

static double count_cells(mote_near_map *map, double edge, const double low[3], const double high[3]) {
  const mote_domain *domain = &map->domain;
  double total = 1.0;
  for (int a = 0; a < 3; ++a) {
    double cells = 1.0;
    map->low[a] = map->per_length[a] = 0.0;
    if (a < domain->dimensions && domain->periodic[a]) {
      double period = domain->high[a] - domain->low[a];
      cells = fmax(1.0, floor(period / edge));
      map->low[a] = domain->low[a];
      map->per_length[a] = cells / period;
    } else if (a < domain->dimensions) {
      cells = floor((high[a] - low[a]) / edge) + 4.0;
      map->low[a] = low[a] - 1.5 * edge;  // so that no rounding puts a sample into the first cell
      map->per_length[a] = 1.0 / edge;
    }
    total *= cells;
    map->cells[a] = cells < MOST_CELLS ? (int64_t)cells : 0;
  }
  return total;
}

// The cell along an axis; -1 beyond the ends. Neighbours of a cell may be beyond an end where it is periodic.
static int64_t cell_along(const mote_near_map *map, int axis, double x) {
  if (axis >= map->domain.dimensions) return 0;
  double u = (x - map->low[axis]) * map->per_length[axis];
  double cells = (double)map->cells[axis];
  if (map->domain.periodic[axis]) u -= cells * floor(u / cells);
  if (!(u >= 0.0 && u <= cells)) return -1;
  int64_t cell = (int64_t)u;
  return cell < map->cells[axis] ? cell : map->cells[axis] - 1;
}

static int64_t wrap(const mote_near_map *map, int axis, int64_t cell) {
  int64_t n = map->cells[axis];
  return cell < 0 ? cell + n : cell >= n ? cell - n : cell;
}

static size_t bit_of(const mote_near_map *map, int64_t x, int64_t y, int64_t z) {
  return (size_t)((z * map->cells[1] + y) * map->cells[0] + x);
}

static void mark(mote_near_map *map, const double *x) {
  int64_t at[3], reach[3];
  for (int a = 0; a < 3; ++a) {
    at[a] = cell_along(map, a, x[a]);
    reach[a] = map->cells[a] > 1;
  }
  for (int64_t z = at[2] - reach[2]; z <= at[2] + reach[2]; ++z) {
    for (int64_t y = at[1] - reach[1]; y <= at[1] + reach[1]; ++y) {
      for (int64_t k = at[0] - reach[0]; k <= at[0] + reach[0]; ++k) {
        size_t bit = bit_of(map, wrap(map, 0, k), wrap(map, 1, y), wrap(map, 2, z));
        map->bits[bit / 64] |= UINT64_C(1) << bit % 64;
      }
    }
  }
}

mote_result mote_near_map_build(mote_near_map *map, const mote_env *env, const mote_domain *domain,
                                double radius, const double *position, size_t count, mote_error *error) {
  MOTE_ASSERT(radius > 0.0);
  MOTE_ASSERT(position != NULL || count == 0);
  double low[3], high[3], edge = radius;
  MOTE_TRY(mote_domain_bounds(domain, position, count, env->threads, low, high, error));
  map->domain = *domain;
  while (count_cells(map, edge, low, high) > MOST_CELLS) edge *= 2.0;
  size_t words = bit_of(map, map->cells[0], map->cells[1] - 1, map->cells[2] - 1) / 64 + 1;
  MOTE_TRY(mote_reserve(env, &map->bits, &map->capacity, words, sizeof *map->bits, error));
  memset(map->bits, 0, words * sizeof *map->bits);
  for (size_t b = 0; b < count; ++b) mark(map, position + 3 * b);
  return MOTE_OK;
}

void mote_near_map_destroy(mote_near_map *map, const mote_env *env) {
  MOTE_ASSERT(map != NULL && env != NULL);
  mote_free(env, map->bits, map->capacity, sizeof *map->bits);
  *map = (mote_near_map){.bits = NULL};
}

bool mote_near_map_has(const mote_near_map *map, const double *x) {
  MOTE_ASSERT(map->bits != NULL);
  int64_t at[3];
  for (int a = 0; a < 3; ++a) {
    at[a] = cell_along(map, a, x[a]);
    if (at[a] < 0) return false;
  }
  size_t bit = bit_of(map, at[0], at[1], at[2]);
  return map->bits[bit / 64] >> bit % 64 & 1;
}
