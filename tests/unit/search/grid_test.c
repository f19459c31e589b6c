// The grid's promises other than right lists (tests/property/search_grid_test.c): a lattice one can count,
// order, memory that is kept and given back, messages, cells that never lose a pair, bits in order.
#include "search/grid.h"

#include <math.h>
#include <stdlib.h>

#include "../../abuse.h"
#include "base/random.h"
#include "search/tile.h"

static mote_error error;

// A lattice of 6^3 points with all that lie at most two spacings away: 32 neighbours inside, 10 in a corner.
static void lattice(void) {
  double x[3 * 216];
  for (int i = 0; i < 216; ++i) x[3 * i] = i % 6, x[3 * i + 1] = i / 6 % 6, x[3 * i + 2] = i / 36;
  mote_grid_def def = mote_grid_def_default(2.0);
  mote_grid *grid;
  mote_lists lists;
  if (!CHECK(mote_grid_create(&def, NULL, &grid, &error) == MOTE_OK)) return;
  CHECK(mote_grid_build(grid, x, 216, &error) == MOTE_OK);
  CHECK(mote_grid_neighbours(grid, &lists, &error) == MOTE_OK);
  CHECK(lists.count == 216 && lists.filler == 216 && lists.number[2 + 6 * 2 + 36 * 2] == 32 &&
        lists.number[0] == 10);
  CHECK(lists.first[0] % 4 == 0 && lists.index[lists.first[0] + 10] == 216 &&
        lists.index[lists.first[0] + 11] == 216);
  uint32_t index[3];
  CHECK(mote_grid_query(grid, x, 2.0, index, 3) == 11);
  CHECK(mote_grid_query(grid, x, 0.0, index, 3) == 1 && index[0] == 0);
  mote_grid_destroy(grid);
}

// Sorted by (cell, index), and sorted points are left as they are.
static void order(void) {
  enum { COUNT = 5000 };
  static double x[3 * COUNT], sorted[3 * COUNT];
  for (size_t k = 0; k < 3 * COUNT; ++k) x[k] = 10.0 * mote_random_unit(1, 0, k);
  mote_grid_def def = mote_grid_def_default(1.0);
  mote_grid *grid;
  if (!CHECK(mote_grid_create(&def, NULL, &grid, &error) == MOTE_OK)) return;
  CHECK(mote_grid_build(grid, x, COUNT, &error) == MOTE_OK);
  const mote_cells *c = &grid->cells;
  bool ascending = true, placed = true;
  for (size_t k = 0; k < c->cells; ++k) {
    for (size_t p = c->cell[k].point + 1; p < c->cell[k + 1].point; ++p) {
      ascending = ascending && c->order[p - 1] < c->order[p];
    }
  }
  for (size_t k = 0; k < COUNT; ++k) {
    placed = placed && memcmp(c->position + 3 * k, x + 3 * c->order[k], 3 * sizeof *x) == 0;
    memcpy(sorted + 3 * k, x + 3 * c->order[k], 3 * sizeof *x);
  }
  CHECK(ascending && placed);
  CHECK(mote_grid_build(grid, sorted, COUNT, &error) == MOTE_OK);
  bool same = true;
  for (size_t k = 0; k < COUNT; ++k) same = same && mote_grid_order(grid)[k] == k;
  CHECK(same);
  mote_grid_destroy(grid);
}

static mote_result build_and_list(mote_grid *grid, size_t count) {
  static double x[3 * 2000], radius[2000];
  for (size_t k = 0; k < 3 * count; ++k) x[k] = 6.0 * mote_random_unit(count, 1, k), radius[k / 3] = 0.9;
  mote_lists lists;
  mote_result result = mote_grid_build(grid, x, count, &error);
  if (result == MOTE_OK) result = mote_grid_neighbours(grid, &lists, &error);
  if (result == MOTE_OK) {
    result = mote_grid_neighbours_radii(grid, radius, MOTE_REACH_SYMMETRIC, &lists, &error);
  }
  if (result != MOTE_OK) return result;
  return mote_grid_neighbours_at(grid, x, count / 2, NULL, MOTE_REACH_GATHER, &lists, &error);
}

static mote_result build_and_go(const mote_env *env) {
  mote_grid_def def = mote_grid_def_default(1.0);
  mote_grid *grid = NULL;
  mote_result result = mote_grid_create(&def, env, &grid, &error);
  if (result != MOTE_OK) return result;
  result = build_and_list(grid, 2000);
  // Whatever was missing, what is there can be asked.
  mote_grid_query(grid, (double[3]){1, 1, 1}, 1.0, NULL, 0);
  mote_grid_destroy(grid);
  return result;
}

static void memory(void) {
  abuse_memory used;
  mote_env env = abuse_env(&used, -1);
  mote_grid_def def = mote_grid_def_default(1.0);
  mote_grid *grid;
  if (!CHECK(mote_grid_create(&def, &env, &grid, &error) == MOTE_OK)) return;
  CHECK(build_and_list(grid, 2000) == MOTE_OK);
  CHECK(mote_grid_bytes(grid) == used.bytes);
  used.left = 0;  // from now on nothing is given
  CHECK(build_and_list(grid, 2000) == MOTE_OK);
  CHECK(build_and_list(grid, 1000) == MOTE_OK);
  mote_grid_destroy(grid);
  CHECK(used.bytes == 0);
  abuse_exhaust("grid", build_and_go, &error);
}

static void refusals(void) {
  mote_grid_def def = mote_grid_def_default(1.0);
  mote_grid *grid;
  mote_lists lists;
  double x[12] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 0.5, 0.5, 0.5};
  if (!CHECK(mote_grid_create(&def, NULL, &grid, &error) == MOTE_OK)) return;
  CHECK(mote_grid_build(grid, x, 4, &error) == MOTE_OK);
  x[7] = (double)NAN, x[9] = HUGE_VAL;
  REFUSED(mote_grid_build(grid, x, 4, &error), ARGUMENT, "point 2 is not finite: its y");
  CHECK(mote_grid_neighbours(grid, &lists, &error) == MOTE_OK && lists.count == 4 && lists.pairs == 4);
  double radius[4] = {1.0, 0.5, 1.5, 0.0};
  REFUSED(mote_grid_neighbours_radii(grid, radius, MOTE_REACH_GATHER, &lists, &error), ARGUMENT, "radius 2");
  mote_grid_destroy(grid);
  def.radius = 0.0;
  REFUSED(mote_grid_create(&def, NULL, &grid, &error), ARGUMENT, "radius");
  def.radius = 1.0, def.domain.periodic[1] = true, def.domain.high[1] = 1.9;
  REFUSED(mote_grid_create(&def, NULL, &grid, &error), ARGUMENT, "along y");
}

// Points at distance r, wherever they are, are at most `reach` cells apart, and cells follow the order.
static void cells_keep_pairs(void) {
  bool kept = true, monotone = true;
  for (uint64_t k = 0; k < 20000; ++k) {
    double size = ldexp(1.0, (int)(60.0 * mote_random_unit(2, 0, k))), r = 0.5 + mote_random_unit(2, 1, k);
    double a = size * mote_random_between(2, 2, k, -1, 1), b = a + r;
    if (b - a > r) b = nextafter(b, a);
    mote_domain domain = mote_domain_open(1);
    const double low[3] = {-size}, high[3] = {size + 2};
    mote_space space = mote_space_make(&domain, low, high, r, r * ((double)(k % 2) + 0.5));
    uint32_t place;
    int64_t ca = mote_axis_cell(&space.axis[0], a, &place), cb = mote_axis_cell(&space.axis[0], b, &place);
    kept = kept && (b - a > r || cb - ca <= space.axis[0].reach);
    monotone = monotone && ca <= cb;
  }
  CHECK(kept && monotone);
}

// A part of a set has the cells of the whole: its order and its lists are those of the whole without the
// others.
static void parts_of_a_set(void) {
  enum { COUNT = 3000 };
  static double x[3 * COUNT], part[3 * COUNT];
  static uint32_t own[COUNT];
  double low[3], high[3];
  size_t count = 0, at = 0;
  int cells_differ = 0;
  for (size_t k = 0; k < 3 * COUNT; ++k) x[k] = 10.3 * mote_random_unit(5, 0, k) - 2.2;
  for (size_t i = 0; i < COUNT; ++i) {
    if (x[3 * i] < 1.7) continue;
    memcpy(part + 3 * count, x + 3 * i, 3 * sizeof *x);
    own[count++] = (uint32_t)i;
  }
  mote_grid_def def = mote_grid_def_default(1.0);
  mote_grid *whole, *some;
  if (!CHECK(mote_grid_create(&def, NULL, &whole, &error) == MOTE_OK)) return;
  if (!CHECK(mote_grid_create(&def, NULL, &some, &error) == MOTE_OK)) return;
  mote_domain_bounds(&def.domain, x, COUNT, 1, low, high, &error);
  CHECK(mote_grid_build(whole, x, COUNT, &error) == MOTE_OK);
  CHECK(mote_grid_build(some, part, count, &error) == MOTE_OK);
  for (int a = 0; a < 3; ++a) cells_differ += some->space.axis[a].low != whole->space.axis[a].low;
  CHECK(cells_differ > 0);  // else the test says nothing
  CHECK(mote_grid_build_within(some, part, count, low, high, &error) == MOTE_OK);
  CHECK(memcmp(&some->space, &whole->space, sizeof some->space) == 0);
  for (size_t k = 0; k < COUNT; ++k) {
    uint32_t i = mote_grid_order(whole)[k];
    if (x[3 * i] >= 1.7) CHECK(own[mote_grid_order(some)[at++]] == i);
  }
  CHECK(at == count);
  mote_grid_destroy(whole);
  mote_grid_destroy(some);
}

// Queries 2^39 periods away, where doubles are an eighth of a radius apart, still get what the doubles say.
static void far_queries(void) {
  enum { COUNT = 20000, QUERIES = 400 };
  static double x[3 * COUNT], query[3 * QUERIES];
  for (size_t k = 0; k < COUNT; ++k) x[3 * k] = 1000.0 * mote_random_unit(4, 0, k);
  for (size_t k = 0; k < QUERIES; ++k) query[3 * k] = 0x1p39 * 999.7 + 1000.0 * mote_random_unit(4, 1, k);
  mote_grid_def def = mote_grid_def_default(1.0);
  def.domain = mote_domain_open(1), def.domain.periodic[0] = true, def.domain.high[0] = 999.7;
  mote_grid *grid;
  mote_lists lists;
  if (!CHECK(mote_grid_create(&def, NULL, &grid, &error) == MOTE_OK)) return;
  CHECK(mote_grid_build(grid, x, COUNT, &error) == MOTE_OK);
  CHECK(mote_grid_neighbours_at(grid, query, QUERIES, NULL, MOTE_REACH_GATHER, &lists, &error) == MOTE_OK);
  bool right = true;
  for (size_t i = 0; i < QUERIES; ++i) {
    uint32_t want = 0;
    for (size_t j = 0; j < COUNT; ++j) {
      double d[3];
      mote_domain_difference(&def.domain, query + 3 * i, x + 3 * j, d);
      want += d[0] * d[0] <= 1.0;
    }
    right = right && lists.number[i] == want && mote_grid_query(grid, query + 3 * i, 1.0, NULL, 0) == want;
  }
  CHECK(right);
  mote_grid_destroy(grid);
}

typedef struct rows_seen {
  const mote_list_rows *rows;
  const mote_lists *want;
  uint8_t *seen;  // of each target, how often
} rows_seen;

// The list of a target, in fours and complete when it is handed out.
static void see_rows(const void *data, const uint32_t *target, size_t count) {
  const rows_seen *s = data;
  for (size_t k = 0; k < count; ++k) {
    uint32_t i = target[k], fours = (s->want->number[i] + 3) / 4;
    bool same = s->rows->first_four[i] == s->want->first[i] / 4 && s->rows->number[i] == fours;
    for (uint32_t n = 0; n < 4 * fours && same; ++n) {
      uint32_t got = s->rows->index[(s->rows->first_four[i] + n / 4) * s->rows->stride + n % 4];
      same = got == s->want->index[s->want->first[i] + n];
    }
    s->seen[i] = (uint8_t)(s->seen[i] + (same ? 1 : 100));
  }
}

// Lists written four indices every seven words are the grid's own lists, each handed out once; what was in
// scratch memory meanwhile is there for others.
static void rows_apart(void) {
  enum { COUNT = 3000, STRIDE = 7 };
  static double x[3 * COUNT];
  static uint8_t seen[COUNT];
  for (size_t k = 0; k < 3 * COUNT; ++k) x[k] = 6.0 * mote_random_unit(5, 0, k);
  mote_grid_def def = mote_grid_def_default(1.0);
  mote_grid *grid, *other;
  mote_lists want;
  mote_listing listing;
  if (!CHECK(mote_grid_create(&def, NULL, &grid, &error) == MOTE_OK)) return;
  if (!CHECK(mote_grid_create(&def, NULL, &other, &error) == MOTE_OK)) return;
  CHECK(mote_grid_build(other, x, COUNT, &error) == MOTE_OK);
  CHECK(mote_grid_neighbours(other, &want, &error) == MOTE_OK);
  CHECK(mote_grid_build(grid, x, COUNT, &error) == MOTE_OK);
  size_t bytes = mote_grid_bytes(grid);
  mote_grid_trim(grid);
  CHECK(mote_grid_bytes(grid) < bytes);
  bytes = mote_grid_bytes(grid);
  mote_arena scratch = mote_arena_make(NULL);
  CHECK(mote_grid_find(grid, NULL, 0, &scratch, &listing, &error) == MOTE_OK);
  CHECK(listing.entries == want.first[COUNT]);
  CHECK(mote_grid_bytes(grid) < bytes + 1000);
  mote_list_rows rows = {.stride = STRIDE, .use = see_rows};
  rows.first_four = malloc(COUNT * sizeof *rows.first_four);
  rows.number = malloc(COUNT * sizeof *rows.number);
  rows.index = malloc(listing.entries / 4 * STRIDE * sizeof *rows.index);
  if (CHECK(rows.first_four != NULL && rows.number != NULL && rows.index != NULL)) {
    rows_seen s = {&rows, &want, seen};
    rows.data = &s;
    mote_listing_write(&listing, &rows);
    bool once = true;
    for (size_t i = 0; i < COUNT; ++i) once = once && seen[i] == 1;
    CHECK(once);
    CHECK(mote_arena_take(&scratch, COUNT, sizeof(double)) == (void *)listing.bits);
  }
  mote_arena_destroy(&scratch);
  free(rows.first_four), free(rows.number), free(rows.index);
  mote_grid_destroy(grid);
  mote_grid_destroy(other);
}

// A grid that borrows positions finds what one that copies them finds, in any order, whatever lies beyond the
// dimensions; and holds less.
static void borrowed_positions(int dimensions) {
  enum { COUNT = 3000 };
  static double x[3 * COUNT];
  for (size_t k = 0; k < 3 * COUNT; ++k) x[k] = 9.0 * mote_random_unit(6, 0, k);
  for (size_t k = 0; k < 3 * COUNT / 2; ++k) x[k] = floor(x[k]);  // many at the radius
  mote_grid_def def = mote_grid_def_default(1.0);
  def.domain = mote_domain_open(dimensions);
  mote_grid *grid[2];
  mote_lists lists[2];
  for (int g = 0; g < 2; ++g) {
    if (!CHECK(mote_grid_create(&def, NULL, &grid[g], &error) == MOTE_OK)) return;
    if (g == 1) CHECK(mote_grid_borrow(grid[g], &error) == MOTE_OK);
    CHECK(mote_grid_query(grid[g], x, 1.0, NULL, 0) == 0);
    CHECK(mote_grid_build(grid[g], x, COUNT, &error) == MOTE_OK);
    CHECK(mote_grid_neighbours(grid[g], &lists[g], &error) == MOTE_OK);
  }
  CHECK(mote_grid_bytes(grid[0]) - mote_grid_bytes(grid[1]) == 3 * COUNT * sizeof(double));
  bool same = lists[0].pairs == lists[1].pairs && lists[0].pairs > COUNT;
  for (size_t i = 0; i < COUNT && same; ++i) {
    size_t first = lists[0].first[i], bytes = lists[0].number[i] * sizeof(uint32_t);
    same = lists[1].first[i] == first && lists[1].number[i] == lists[0].number[i] &&
           memcmp(lists[0].index + first, lists[1].index + first, bytes) == 0 &&
           mote_grid_query(grid[1], x + 3 * i, 1.0, NULL, 0) == lists[0].number[i] + 1;
  }
  CHECK(same);
  mote_grid_destroy(grid[0]);
  mote_grid_destroy(grid[1]);
}

static void bits_ordered(void) {
  for (uint64_t k = 0; k < 1000; ++k) {
    mote_random4 r = mote_random(3, 0, k);
    mote_tile_bits bits = {{(uint64_t)r.v[0] << 32 | r.v[1], (uint64_t)r.v[2] << 32 | r.v[3]}},
                   want = {{0, 0}};
    for (int w = 0; w < 2; ++w) {
      for (uint64_t rest = bits.word[w]; rest != 0; rest &= rest - 1) {
        size_t c = mote_tile_candidate(w, rest);
        want.word[c / 64] |= UINT64_C(1) << c % 64;
      }
    }
    mote_tile_bits got = mote_tile_bits_ordered(bits);
    if (!CHECK(got.word[0] == want.word[0] && got.word[1] == want.word[1])) return;
  }
}

int main(void) {
  lattice();
  order();
  memory();
  refusals();
  cells_keep_pairs();
  parts_of_a_set();
  far_queries();
  rows_apart();
  borrowed_positions(2);
  borrowed_positions(3);
  bits_ordered();
  return test_end();
}
