// The hash grid against a list of all points: random insertions, moves and removals, queries of every radius,
// sets that are uniform, clustered, planar, coincident and far apart, 1D to 3D, periodic or not.
#include <math.h>
#include <mote/mote.h>

#include "base/random.h"
#include "test.h"

#define MOST 200

typedef struct twin {
  mote_domain domain;
  double x[MOST][3];
  bool present[MOST];
} twin;

static double draw(uint64_t seed, uint64_t stream, size_t i) {
  return mote_random_unit(seed, stream, i);
}

static void draw_place(uint64_t seed, uint64_t step, int dimensions, double x[3]) {
  for (int a = 0; a < 3; ++a) x[a] = a < dimensions ? draw(seed, 10 + (uint64_t)a, step) : (double)NAN;
  switch (seed / 6 % 6) {
    case 1: x[0] = 0.5 + 1e-3 * x[0]; break;                           // clustered
    case 2: x[dimensions - 1] = 0.25; break;                           // planar
    case 3: x[0] = 0.125 * floor(8 * x[0]), x[1] = x[2] = 0.5; break;  // coincident, on borders
    case 4: x[0] = (step % 2 ? 1e6 : -1e6) * x[0]; break;              // far apart
    case 5:
      x[0] = ldexp(x[0] - 0.5, (int)((draw(seed, 20, step) - 0.5) * (seed % 2 ? 70 : 1000)));
      break;  // at any scale
    default: break;
  }
}

static void check_query(const twin *t, const mote_hash_grid *grid, const double x[3], double radius) {
  uint32_t found[MOST];
  size_t number = mote_hash_grid_query(grid, x, radius, found, MOST), expected = 0;
  for (uint32_t id = 0; id < MOST; ++id) {
    double d[3];
    if (!t->present[id]) continue;
    mote_domain_difference(&t->domain, x, t->x[id], d);
    if (!(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] <= radius * radius)) continue;
    CHECK(expected < number && found[expected] == id);
    ++expected;
  }
  CHECK(number == expected);
}

static void change(twin *t, mote_hash_grid *grid, uint64_t seed, uint64_t step) {
  uint32_t id = (uint32_t)(draw(seed, 1, step) * MOST);
  double x[3];
  draw_place(seed, step, t->domain.dimensions, x);
  bool removes = draw(seed, 2, step) < 0.3;
  mote_result expected = removes && !t->present[id] ? MOTE_ERROR_ARGUMENT : MOTE_OK;
  if (removes) {
    CHECK(mote_hash_grid_remove(grid, id, NULL) == expected);
    t->present[id] = false;
  } else if (t->present[id]) {
    CHECK(mote_hash_grid_insert(grid, id, x, NULL) == MOTE_ERROR_ARGUMENT);
    CHECK(mote_hash_grid_move(grid, id, x, NULL) == MOTE_OK);
    memcpy(t->x[id], x, sizeof x);
  } else {
    CHECK(mote_hash_grid_move(grid, id, x, NULL) == MOTE_ERROR_ARGUMENT);
    CHECK(mote_hash_grid_insert(grid, id, x, NULL) == MOTE_OK);
    t->present[id] = true;
    memcpy(t->x[id], x, sizeof x);
  }
}

static void check_seed(uint64_t seed) {
  twin t = {.domain = mote_domain_open(1 + (int)(seed % 3))};
  if (seed % 2) {
    for (int a = 0; a < 3; ++a)
      t.domain.periodic[a] = seed >> (a + 1) & 1, t.domain.low[a] = -0.1, t.domain.high[a] = 0.9;
  }
  double size = 0.02 + 0.3 * draw(seed, 3, 0);
  mote_hash_grid *grid = NULL;
  if (!CHECK(mote_hash_grid_create(&t.domain, size, NULL, &grid, NULL) == MOTE_OK)) return;
  for (uint64_t step = 0; step < 500; ++step) {
    change(&t, grid, seed, step);
    if (step % 25 != 0) continue;
    double x[3], radius = size * (double[]){0, 0.5, 1, 2.7, 1e3, 1e-9}[step / 25 % 6];
    draw_place(seed, 1000 + step, t.domain.dimensions, x);
    check_query(&t, grid, x, radius);
    if (t.present[7]) check_query(&t, grid, t.x[7], radius);
  }
  size_t count = 0;
  for (int id = 0; id < MOST; ++id) count += t.present[id];
  CHECK(mote_hash_grid_count(grid) == count);
  mote_hash_grid_destroy(grid);
}

static void bad_input_is_refused(void) {
  mote_domain domain = mote_domain_open(2);
  mote_hash_grid *grid = NULL;
  mote_error error;
  CHECK(mote_hash_grid_create(&domain, 0, NULL, &grid, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_hash_grid_create(&domain, (double)NAN, NULL, &grid, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_hash_grid_create(NULL, 1, NULL, &grid, &error) == MOTE_ERROR_ARGUMENT);
  domain.periodic[1] = true;
  CHECK(mote_hash_grid_create(&domain, 1, NULL, &grid, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.text, "hash grid: period 0 along axis 1 is not positive and finite");
  domain.periodic[1] = false;
  CHECK(mote_hash_grid_create(&domain, 1, NULL, &grid, &error) == MOTE_OK);
  double x[3] = {0, (double)NAN, 0}, y[3] = {0, 0, 0};
  uint32_t id;
  CHECK(mote_hash_grid_insert(grid, 3, x, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.text, "hash grid: coordinate 1 of id 3 is not finite");
  CHECK(mote_hash_grid_insert(grid, UINT32_MAX, y, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_hash_grid_insert(grid, 3, y, &error) == MOTE_OK);
  CHECK(mote_hash_grid_query(grid, x, 1, &id, 1) == 0 && mote_hash_grid_query(grid, y, -1, &id, 1) == 0);
  CHECK(mote_hash_grid_query(grid, y, (double)NAN, &id, 1) == 0);
  CHECK(mote_hash_grid_query(grid, y, (double)INFINITY, &id, 1) == 1 && id == 3);
  mote_hash_grid_destroy(grid);
  mote_hash_grid_destroy(NULL);
}

// Squares of such differences are 0, so that the points are near at radius 0; a border of cells lies between
// them.
static void squares_that_vanish(void) {
  mote_domain domain = mote_domain_open(1);
  mote_hash_grid *grid = NULL;
  double below[3] = {-1e-170, 0, 0}, above[3] = {1e-170, 0, 0};
  uint32_t id[2];
  CHECK(mote_hash_grid_create(&domain, 1, NULL, &grid, NULL) == MOTE_OK);
  for (uint32_t k = 0; k < 100; ++k)
    CHECK(mote_hash_grid_insert(grid, k, (double[]){5 + k, 0, 0}, NULL) == MOTE_OK);
  CHECK(mote_hash_grid_insert(grid, 100, below, NULL) == MOTE_OK);
  CHECK(mote_hash_grid_insert(grid, 101, above, NULL) == MOTE_OK);
  CHECK(mote_hash_grid_query(grid, above, 0, id, 2) == 2 && id[0] == 100 && id[1] == 101);
  mote_hash_grid_destroy(grid);
}

int main(void) {
  squares_that_vanish();
  for (uint64_t seed = 0; seed < 216; ++seed) check_seed(seed);
  bad_input_is_refused();
  return test_end();
}
